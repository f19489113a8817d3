package farm.gantry.api.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.ReadyParts;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Uploads;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;

/** Tests parts and SKUs in the console. */
final class ConsoleLibraryTest extends ConsoleVisit {

    private String part(String name) {
        String id = ReadyParts.uploaded(store, client);
        ReadyParts.change(store, id, "name", name);
        return id;
    }

    private static Locator cards(Page page) {
        return page.locator(".card h2");
    }

    @Test
    void partsAreFoundInFoldersAndBySearch() {
        String folder = client.made("/v1/folders", "{\"type\":\"part\",\"name\":\"Lamps\",\"parentId\":null}");
        client.patch("/v1/parts/" + part("shade"), "{\"folderId\":\"" + folder + "\"}");
        part("hinge");
        Page page = visit("");
        page.getByRole(AriaRole.LINK, named("Parts")).click();
        assertThat(cards(page)).hasText(new String[] {"hinge"});
        page.getByRole(AriaRole.LINK, named("Lamps")).click();
        assertThat(cards(page)).hasText(new String[] {"shade"});
        button(page, "Folder").click();
        page.getByLabel("Name of the folder").fill("Small");
        List<String> sent = new ArrayList<>();
        page.onRequest(request -> sent.add(request.method() + request.url()));
        page.locator("form.naming").evaluate("form => { form.requestSubmit(); form.requestSubmit(); }");
        says(page, "Folder Small created");
        assertThat(sent).containsOnlyOnce("POST" + SharedApi.url() + "/v1/folders");
        page.getByRole(AriaRole.LINK, named("Small")).click();
        assertThat(page.getByText("Nothing is directly in this folder.")).isVisible();
        pressAndConfirm(page, "Delete");
        says(page, "Folder deleted");
        assertThat(cards(page)).hasText(new String[] {"shade"});
        page.getByLabel("Search Parts").fill("ING");
        assertThat(cards(page)).hasText(new String[] {"hinge"});
        assertThat(page).hasURL(Pattern.compile(".*text=ING.*"));
        opensToAll(page);
    }

    @Test
    void partIsMovedOnlyAfterAFolderIsChosen() {
        String id = part("hinge");
        client.made("/v1/folders", "{\"type\":\"part\",\"name\":\"doors\"}");
        String lamps = client.made("/v1/folders", "{\"type\":\"part\",\"name\":\"lamps\"}");
        Page page = visit("parts/" + id);
        Locator folder = page.getByLabel("Folder");
        assertThat(button(page, "Move")).hasCount(0);
        List<String> requests = new ArrayList<>();
        page.onRequest(request -> requests.add(request.method()));
        folder.press("ArrowDown");
        folder.press("ArrowDown");
        assertThat(folder).hasValue(lamps);
        assertThat(button(page, "Move")).isVisible();
        assertThat(requests).doesNotContain("PATCH");
        tabTo(page, button(page, "Move"));
        page.keyboard().press("Enter");
        says(page, "Moved");
        assertThat(client.get("/v1/parts/" + id).at("folderId")).isEqualTo(lamps);
        assertThat(button(page, "Move")).hasCount(0);
    }

    @Test
    void longListIsPaged() {
        String first = part("part 0");
        for (int i = 1; i < 130; i++) {
            ReadyParts.change(store, ReadyParts.insert(store, ReadyParts.estimate("PLA", 10)), "name", "part " + i);
        }
        Page page = visit("parts?sort=oldest");
        assertThat(cards(page)).hasCount(60);
        assertThat(cards(page).first()).hasText("part 0");
        assertThat(page.locator(".paging")).containsText("1–60 of 130");
        button(page, "Next →").click();
        button(page, "Next →").click();
        assertThat(page.locator(".paging")).containsText("121–130 of 130");
        assertThat(cards(page)).hasCount(10);
        assertThat(button(page, "Next →")).isDisabled();
        page.reload();
        assertThat(cards(page)).hasCount(10);
        assertThat(client.get("/v1/parts/" + first).status()).isEqualTo(200);
    }

    @Test
    void partShowsItsEstimateAndIsRenamedSoldPrintedAndDeleted() {
        String id = part("hinge");
        ReadyParts.change(store, id, "slicingEstimate", ReadyParts.estimate("PLA", 40, "PETG", 2.5));
        String material = client.made(
                "/v1/materials",
                "{\"name\":\"m\",\"brand\":\"b\",\"tags\":[],\"type\":\"PLA\",\"pricePer1000g\":2000}");
        client.patch(
                "/v1/parts/" + id,
                "{\"assignedMaterials\":{\"0\":[{\"materialId\":\"" + material + "\"}],\"1\":[{\"materialId\":\""
                        + material + "\"}]}}");
        Page page = visit("parts/" + id);
        Locator part = page.locator(".piece");
        assertThat(part).containsText("10 min");
        assertThat(part).containsText("42.5 g");
        assertThat(part).containsText("PETG");
        assertThat(part).containsText("0.85");
        assertThat(part).containsText("a.gcode");
        opensToAll(page);
        button(page, "Rename").click();
        page.getByLabel("New name of the part").fill("hinge, left");
        page.keyboard().press("Enter");
        assertThat(page.locator("h1")).hasText("hinge, left");
        button(page, "SKU of one copy").click();
        page.getByLabel("SKU, as shops call it").fill("HINGE-L");
        page.keyboard().press("Enter");
        assertThat(part).containsText("HINGE-L");
        assertThat(client.get("/v1/skus").each("sku")).containsExactly("HINGE-L");
        page.getByRole(AriaRole.LINK, named("Print …")).click();
        assertThat(button(page, "Print × 1")).isVisible();
        page.goBack();
        pressAndConfirm(page, "Delete");
        assertThat(page.locator(".said.bad")).containsText("SKUs are made of it");
        client.delete("/v1/skus/" + client.get("/v1/skus").each("id").getFirst());
        pressAndConfirm(page, "Delete");
        says(page, "hinge, left is deleted");
        assertThat(client.get("/v1/parts").each("id")).isEmpty();
    }

    @Test
    void skuShowsItsCostAndIsPrinted() {
        String foot = part("foot");
        ReadyParts.change(store, foot, "slicingEstimate", ReadyParts.estimate("PLA", 100));
        String material = client.made(
                "/v1/materials",
                "{\"name\":\"m\",\"brand\":\"b\",\"tags\":[],\"type\":\"PLA\",\"pricePer1000g\":2000}");
        LampStore lampStore = new LampStore(store, client);
        String sku = lampStore.sku(
                "LAMP-1",
                LampStore.linked(
                        foot, "foot", 2, ",\"materialAssignments\":{\"0\":[{\"materialId\":\"" + material + "\"}]}"));
        String screws = client.made(
                "/v1/cost-components", "{\"name\":\"Screws\",\"type\":\"material\",\"unit\":\"piece\",\"rate\":5}");
        client.made(
                "/v1/sku-costs", "{\"skuId\":\"" + sku + "\",\"costComponentId\":\"" + screws + "\",\"quantity\":4}");
        Page page = visit("skus?text=lamp");
        assertThat(page.getByRole(AriaRole.LINK, named("Lamp"))).isVisible();
        opensToAll(page);
        page.getByRole(AriaRole.LINK, named("Lamp")).click();
        Locator sums = page.locator(".sums");
        assertThat(sums).containsText("2 × 100.0 g at $20.00 a kg");
        assertThat(sums).containsText("4 piece at $0.05");
        assertThat(sums.locator("tfoot")).containsText("4.20");
        opensToAll(page);
        page.getByLabel("How many of foot in one").fill("3");
        page.keyboard().press("Tab");
        assertThat(sums.locator("tfoot")).containsText("6.20");
        page.getByLabel("Copies").fill("2");
        assertThat(page.locator(".outcome")).containsText("6 jobs");
        button(page, "Print × 2").click();
        assertThat(page.locator(".queue .row")).containsText("jobs");
        assertThat(client.get("/v1/print-jobs").each("id")).hasSize(6);
    }

    @Test
    void readOnlyUserSeesNoActions() {
        String id = part("hinge");
        Page page = visitWith("parts/" + id, "part.view");
        assertThat(page.locator("h1")).hasText("hinge");
        assertThat(page.locator(".piece button")).hasCount(0);
        assertThat(page.getByRole(AriaRole.LINK, named("Orders"))).hasCount(0);
        page.navigate(SharedApi.url() + "/console/skus");
        assertThat(page.getByRole(AriaRole.ALERT)).containsText("sku.view");
    }

    /** Creates a part with this file, as if it had been ingested. */
    private String partOf(String name, String type, byte[] bytes) {
        String id = client.made(
                "/v1/parts",
                "{\"name\":\"cube\",\"type\":\"" + type + "\",\"fileUris\":[\"" + new Uploads(client).put(name, bytes)
                        + "\"]}");
        ReadyParts.change(store, id, "processingStatus", null);
        return id;
    }

    private static byte[] archive(Map<String, String> entries) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            for (Map.Entry<String, String> entry : entries.entrySet()) {
                zip.putNextEntry(new ZipEntry(entry.getKey()));
                zip.write(Client.utf8(entry.getValue()));
            }
        }
        return bytes.toByteArray();
    }

    /**
     * Returns a 3MF with a tetrahedron in a model file of its own, scaled to twice its size and placed at (100, 50).
     */
    private static byte[] project() throws IOException {
        return archive(Map.of("3D/Objects/one.model", """
                <?xml version="1.0"?><model unit="millimeter"><resources><object id="7" type="model"><mesh><vertices>
                <vertex x="0" y="0" z="0"/><vertex x="10" y="0" z="0"/><vertex x="0" y="10" z="0"/><vertex x="0" y="0" z="15"/>
                </vertices><triangles><triangle v1="0" v2="2" v3="1"/><triangle v1="0" v2="1" v3="3"/>
                <triangle v1="1" v2="2" v3="3"/><triangle v1="2" v2="0" v3="3"/></triangles></mesh></object></resources></model>""", "3D/3dmodel.model", """
                <model unit="millimeter" xmlns:p="x"><resources><object id="1"><components>
                <component p:path="/3D/Objects/one.model" objectid="7" transform="2 0 0 0 2 0 0 0 2 0 0 0"/></components></object></resources>
                <build><item objectid="1" transform="1 0 0 0 1 0 0 0 1 100 50 0"/></build></model>"""));
    }

    /** Returns the number of canvas pixels that are much bluer than red, which are those of the part. */
    private static long blue(Locator canvas) {
        try {
            BufferedImage image = ImageIO.read(new ByteArrayInputStream(canvas.screenshot()));
            return IntStream.of(image.getRGB(0, 0, image.getWidth(), image.getHeight(), null, 0, image.getWidth()))
                    .filter(rgb -> (rgb & 0xff) - (rgb >> 16 & 0xff) > 40)
                    .count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void modelIsShownIn3dAndRotatedByKeyboard() throws IOException {
        String stl = "solid\n"
                + Stream.of("0 0 0  0 8 0  9 0 0", "0 0 0  9 0 0  0 0 7", "9 0 0  0 8 0  0 0 7", "0 8 0  0 0 0  0 0 7")
                        .map(corners -> "facet normal 0 0 0\nouter loop\nvertex "
                                + String.join("\nvertex ", corners.split(" {2}"))
                                + "\nendloop\nendfacet\n")
                        .collect(Collectors.joining())
                + "endsolid\n";
        Page page = visit("parts/" + partOf("a.stl", "stl", Client.utf8(stl)));
        button(page, "Show in 3-D").click();
        assertThat(page.locator(".look")).containsText("9.0 × 8.0 × 7.0 mm · 4 triangles");
        page.waitForCondition(() -> blue(page.locator("canvas")) > 2000);
        page.navigate(SharedApi.url() + "/console/parts/" + partOf("a.3mf", "3mf", project()));
        button(page, "Show in 3-D").click();
        assertThat(page.locator(".look")).containsText("20.0 × 20.0 × 30.0 mm · 4 triangles");
        Locator canvas = page.locator("canvas");
        page.waitForCondition(() -> blue(canvas) > 2000);
        tabTo(page, canvas);
        byte[] before = canvas.screenshot();
        page.keyboard().press("ArrowLeft");
        page.waitForCondition(() -> !Arrays.equals(canvas.screenshot(), before));
        page.waitForCondition(() -> blue(canvas) > 2000);
        opensToAll(page);
    }

    @Test
    void thumbnailIsShownWithoutWebGl() throws IOException {
        try (Browser plain = new Browser("--disable-3d-apis")) {
            Page page = visit(plain.page(), "parts/" + partOf("a.3mf", "3mf", project()));
            button(page, "Show in 3-D").click();
            assertThat(page.getByRole(AriaRole.ALERT)).containsText("no WebGL");
            assertThat(page.locator(".look .picture")).isVisible();
            assertThat(plain.complaints()).isEmpty();
        }
    }

    @Test
    void gcodeIsShownByLayer() throws IOException {
        String gcode =
                "G90\nM83\n;LAYER:0\nG1 Z0.2\nG1 X0 Y0\nG1 X20 Y0 E1\nG1 X20 Y20 E1\n;LAYER:1\nG1 Z0.4\nG1 X0 Y20 E1\n";
        Page page = visit("parts/" + partOf("a.gcode", "gcode", Client.utf8(gcode)));
        button(page, "Show layers").click();
        Locator look = page.locator(".look");
        assertThat(look).containsText("Layer 1 of 2, at 0.20 mm · 2 lines");
        page.waitForCondition(() -> blue(page.locator("canvas")) > 500);
        tabTo(page, page.getByLabel("Layer", new Page.GetByLabelOptions().setExact(true)));
        page.keyboard().press("ArrowRight");
        assertThat(look).containsText("Layer 2 of 2, at 0.40 mm · 1 line");
        opensToAll(page);
        page.navigate(SharedApi.url()
                + "/console/parts/"
                + partOf(
                        "a.gcode.3mf",
                        "gcode3mf",
                        archive(Map.of(
                                "Metadata/plate_1.gcode",
                                gcode,
                                "Metadata/plate_2.gcode",
                                gcode.replace(";LAYER:1", "")))));
        button(page, "Show layers").click();
        assertThat(look).containsText("Layer 1 of 2");
        page.getByLabel("Plate").selectOption("2");
        assertThat(look).containsText("Layer 1 of 1, at 0.20 mm · 3 lines");
    }

    /** JSON in a record that looks like an HTML element is shown as text. */
    @Test
    void responseTextIsNeverRenderedAsHtml() {
        Page page = visit("parts");
        assertThat(page.evaluate("""
                async () => {
                  const { h, render } = await import("preact");
                  const place = document.createElement("div");
                  render(h("p", null, "a", JSON.parse('{"type":"b","props":{"children":"c"},"constructor":null,"__v":1}')), place);
                  return place.innerHTML;
                }""")).isEqualTo("<p>a</p>");
    }

    /** Compares the height and line corners of each layer, with G-code read in pieces of three characters. */
    @Test
    void layerParserHandlesMachineMoves() {
        Page page = visit("parts");
        assertLayers(page, "G1 X5 E1\nG1 Y5 E2", "0: 0,0>5,0 5,0>5,5");
        assertLayers(page, "g1 x5 e1 ; wall\r\nN7 G1 Y5 E2*71\n", "0: 0,0>5,0 5,0>5,5");
        assertLayers(page, "M83\nG1 X5 E1\nG1 X9 E-1\nG1 X10\nG1 X12 E.5", "0: 0,0>5,0 10,0>12,0");
        assertLayers(page, "G1 X5 E9\nG92 E0\nG1 X6 E1\nG1 X7 E1", "0: 0,0>5,0 5,0>6,0");
        assertLayers(page, "M83\nG91\nG1 X5 E1\nG1 X5 Z1 E1\nG90\nG1 X1 E1", "0: 0,0>5,0|1: 5,0>10,0 10,0>1,0");
        assertLayers(page, "G20\nM83\nG1 X1 E1\nG21\nG1 X0 E1", "0: 0,0>25.4,0 25.4,0>0,0");
        assertLayers(page, "M83\nG1 X5 E1\nG1 Z1\nG1 X6\nG1 Z0\nG1 X7 E1", "0: 0,0>5,0 6,0>7,0");
        assertLayers(page, "M83\nG1 X5 E1\n;LAYER:0\nG1 X6 E1\n;LAYER:1\nG1 X7 E1", "0: 0,0>5,0 5,0>6,0|0: 6,0>7,0");
        assertLayers(page, "; layer_height = 0.2\nG1 X5 E1\n; layer_height = 0.2\nG1 X6 E2", "0: 0,0>5,0 5,0>6,0");
        assertLayers(page, "G1 X10 Y0\nG3 X-10 Y0 I-10 J0 E1", "0: half circle from 10,0 over the back to -10,0");
        assertLayers(page, "G1 X10 Y0\nG2 X-10 Y0 R10 E1", "0: half circle from 10,0 over the front to -10,0");
        assertLayers(page, "G1 X10 Y0\nG2 I-10 E1", "0: full circle");
    }

    private static void assertLayers(Page page, String gcode, String expected) {
        assertThat(page.evaluate("""
                async (gcode) => {
                  const { LayerReader } = await import(new URL("gcode.js", document.querySelector("script[type=module]").src).href);
                  const reader = new LayerReader();
                  for (let i = 0; i < gcode.length; i += 3) {
                    reader.feed(gcode.slice(i, i + 3));
                  }
                  reader.end();
                  const round = (each) => Math.round(each * 100) / 100 + 0;
                  const point = (lines, i) => `${round(lines[i])},${round(lines[i + 1])}`;
                  return reader.layers.map(({ z, lines }) => {
                    const count = lines.length / 4;
                    const on = lines.every((each, i) => i % 2 || Math.abs(Math.hypot(each, lines[i + 1]) - 10) < 0.01);
                    if (count > 20 && on) {
                      const last = point(lines, lines.length - 2);
                      const from = point(lines, 0);
                      return `${z}: ` + (from === last ? "full circle"
                        : `half circle from ${from} over the ${lines[Math.round(count / 2) * 4 + 1] > 9 ? "back" : "front"} to ${last}`);
                    }
                    return `${round(z)}: ` + Array.from({ length: count }, (_, i) => `${point(lines, i * 4)}>${point(lines, i * 4 + 2)}`).join(" ");
                  }).join("|");
                }""", gcode)).as(gcode).isEqualTo(expected);
    }
}
