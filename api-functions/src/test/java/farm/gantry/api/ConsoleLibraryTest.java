package farm.gantry.api;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Parts and SKUs in the console. */
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
    void partsLieInFoldersAndAreFoundFromEverywhere() {
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
        page.keyboard().press("Enter");
        says(page, "Folder Small made");
        page.getByRole(AriaRole.LINK, named("Small")).click();
        assertThat(page.getByText("Nothing lies in this folder itself.")).isVisible();
        button(page, "Delete").click();
        button(page, "Really delete?").click();
        says(page, "Folder deleted");
        assertThat(cards(page)).hasText(new String[] {"shade"});
        page.getByLabel("Search Parts").fill("ING");
        assertThat(cards(page)).hasText(new String[] {"hinge"});
        assertThat(page).hasURL(Pattern.compile(".*text=ING.*"));
        opensToAll(page);
    }

    @Test
    void aLongShelfIsTurnedPageByPage() {
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
    void aPartTellsWhatItTakesAndIsRenamedSoldPrintedAndDeleted() {
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
        button(page, "Delete").click();
        button(page, "Really delete?").click();
        assertThat(page.locator(".said.bad")).containsText("SKUs are made of it");
        client.delete("/v1/skus/" + client.get("/v1/skus").each("id").getFirst());
        button(page, "Delete").click();
        button(page, "Really delete?").click();
        says(page, "hinge, left is deleted");
        assertThat(client.get("/v1/parts").each("id")).isEmpty();
    }

    @Test
    void aSkuSaysWhatItCostsAndIsPrinted() {
        String foot = part("foot");
        ReadyParts.change(store, foot, "slicingEstimate", ReadyParts.estimate("PLA", 100));
        String material = client.made(
                "/v1/materials",
                "{\"name\":\"m\",\"brand\":\"b\",\"tags\":[],\"type\":\"PLA\",\"pricePer1000g\":2000}");
        OrderDesk desk = new OrderDesk(store, client);
        String sku = desk.sku(
                "LAMP-1",
                OrderDesk.linked(
                        foot, "foot", 2, ",\"materialAssignments\":{\"0\":[{\"materialId\":\"" + material + "\"}]}"));
        String screws = client.made(
                "/v1/cost-components", "{\"name\":\"Screws\",\"type\":\"material\",\"unit\":\"piece\",\"rate\":5}");
        client.made(
                "/v1/sku-costs", "{\"skuId\":\"" + sku + "\",\"costComponentId\":\"" + screws + "\",\"quantity\":4}");
        Page page = visit("skus?text=lamp");
        page.getByRole(AriaRole.LINK, named("Lamp")).click();
        Locator sums = page.locator(".sums");
        assertThat(sums).containsText("2 × 100.0 g at 20.00 a kg");
        assertThat(sums).containsText("4 piece at 0.05");
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
    void whoMayOnlyLookIsOfferedNothingElse() {
        String id = part("hinge");
        Page page = visitWith("parts/" + id, "part.view");
        assertThat(page.locator("h1")).hasText("hinge");
        assertThat(page.locator(".piece button")).hasCount(0);
        assertThat(page.getByRole(AriaRole.LINK, named("Orders"))).hasCount(0);
        page.navigate(Farm.url() + "/console/skus");
        assertThat(page.getByRole(AriaRole.ALERT)).containsText("sku.view");
    }
}
