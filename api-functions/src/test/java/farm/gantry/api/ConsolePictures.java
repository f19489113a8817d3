package farm.gantry.api;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.awt.Color;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Pictures of the console with a farm in it, to be looked at: {@code mvn -o -q -Pquick -pl api-functions -am test
 * -Dsurefire.failIfNoSpecifiedTests=false -Dtest=ConsolePictures}; they come to {@code target/console}.
 */
final class ConsolePictures {
    private static final List<String> COLORS = List.of("1B1B1B", "F2F2F2", "D4421E", "1F6FEB", "2DA44E", "E6B800");
    private static final List<String> MODELS = List.of("X1 Carbon", "Trident", "MK4S");

    private final Farm.Store store = Farm.newStore();
    private final Floor floor = new Floor(store, new Socket());

    @Test
    void takePictures() throws Exception {
        furnish();
        try (Browser browser = new Browser()) {
            for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
                for (int width : List.of(1440, 390)) {
                    Page page = browser.page(new com.microsoft.playwright.Browser.NewContextOptions()
                            .setViewportSize(width, width > 1000 ? 900 : 844)
                            .setDeviceScaleFactor(width > 1000 ? 1 : 2)
                            .setColorScheme(scheme));
                    String suffix = "-" + scheme.name().toLowerCase(Locale.ROOT) + "-" + width + ".png";
                    page.navigate(Farm.url() + "/console/#code="
                            + floor.client().post("/v1/sessions/codes", "{}").at("code"));
                    page.getByLabel("Your name").fill("Ada");
                    take(page, "signin" + suffix);
                    page.keyboard().press("Enter");
                    assertThat(page.locator(".tile")).hasCount(26);
                    take(page, "fleet" + suffix);
                    page.navigate(Farm.url() + "/console/queue");
                    page.getByText("Why").first().click();
                    assertThat(page.locator(".why")).containsText("printer");
                    take(page, "queue" + suffix);
                    page.navigate(Farm.url() + "/console/print");
                    page.getByText("Print …").first().click();
                    take(page, "print" + suffix);
                    page.navigate(Farm.url() + "/console/setup");
                    page.getByText("Pair an agent").click();
                    take(page, "setup" + suffix);
                    page.navigate(Farm.url() + "/console/?text=01");
                    page.getByText("Printer 01").click();
                    take(page, "printer" + suffix);
                    page.context().close();
                }
            }
        }
    }

    /** Pictures of the library, of orders and of what is set up. */
    @Test
    void takePicturesOfTheLibrary() throws Exception {
        Client client = floor.client();
        String sku = furnishLibrary(client);
        String order = furnishOrders(client);
        try (Browser browser = new Browser("--use-angle=swiftshader", "--enable-unsafe-swiftshader")) {
            for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
                for (int width : List.of(1440, 390)) {
                    Page page = browser.page(new com.microsoft.playwright.Browser.NewContextOptions()
                            .setViewportSize(width, width > 1000 ? 900 : 844)
                            .setDeviceScaleFactor(width > 1000 ? 1 : 2)
                            .setColorScheme(scheme));
                    String suffix = "-" + scheme.name().toLowerCase(Locale.ROOT) + "-" + width + ".png";
                    page.navigate(Farm.url() + "/console/#code="
                            + client.post("/v1/sessions/codes", "{}").at("code"));
                    page.getByLabel("Your name").fill("Ada");
                    page.keyboard().press("Enter");
                    page.getByText("Live").waitFor();
                    for (Map.Entry<String, String> view : Map.of(
                                    "parts", "parts",
                                    "part", "parts/" + solid,
                                    "layers", "parts/" + layered,
                                    "skus", "skus",
                                    "sku", "skus/" + sku,
                                    "orders", "orders",
                                    "order", "orders/" + order,
                                    "settings", "settings",
                                    "deliveries", "deliveries",
                                    "keys", "keys")
                            .entrySet()) {
                        page.navigate(Farm.url() + "/console/" + view.getValue());
                        if (view.getKey().equals("part")) {
                            page.getByText("Show in 3-D").click();
                        } else if (view.getKey().equals("layers")) {
                            page.getByText("Show layers").click();
                        } else if (view.getKey().equals("keys")) {
                            page.getByText("New key").click();
                        }
                        take(page, view.getKey() + suffix);
                    }
                    page.context().close();
                }
            }
        }
    }

    private String solid = "";
    private String layered = "";

    private String furnishLibrary(Client client) {
        for (String folder : List.of("Lamps", "Spare parts", "Hinges")) {
            client.made("/v1/folders", "{\"type\":\"part\",\"name\":\"" + folder + "\",\"parentId\":null}");
        }
        String material = client.made(
                "/v1/materials",
                "{\"name\":\"Basic\",\"brand\":\"b\",\"tags\":[],\"type\":\"PLA\",\"pricePer1000g\":2199}");
        List<String> names = List.of("bracket_v4", "lamp shade spiral", "hinge left", "hinge right", "knob M6", "vase");
        for (int i = 0; i < 24; i++) {
            String id = ReadyParts.insert(store, ReadyParts.estimate("PLA", 12 + i * 3.7));
            ReadyParts.change(store, id, "name", names.get(i % names.size()) + " " + i);
        }
        StringBuilder vase = new StringBuilder("solid vase\n");
        StringBuilder walls = new StringBuilder("M83\n");
        for (int level = 0; level < 60; level++) {
            walls.append(";LAYER:%d%nG1 Z%.2f%n".formatted(level, 0.2 + level * 0.2));
            for (int step = 0; step <= 96; step++) {
                for (int ring = 0; ring < 1; ring++) {
                    walls.append("G1 X%.3f Y%.3f E%d%n"
                            .formatted(
                                    radius(level, step) * Math.cos(step * Math.PI / 48),
                                    radius(level, step) * Math.sin(step * Math.PI / 48),
                                    step == 0 ? 0 : 1));
                }
                facet(vase, point(level, step), point(level, step + 1), point(level + 1, step));
                facet(vase, point(level + 1, step), point(level, step + 1), point(level + 1, step + 1));
            }
        }
        Uploads uploads = new Uploads(client);
        solid = made(client, "Twisted vase", "stl", uploads.put("vase.stl", vase + "endsolid\n"));
        layered = made(client, "Twisted vase, sliced", "gcode", uploads.put("vase.gcode", walls.toString()));
        ReadyParts.change(store, solid, "slicingEstimate", ReadyParts.estimate("PLA", 41.3));
        client.patch("/v1/parts/" + solid, "{\"assignedMaterials\":{\"0\":[{\"materialId\":\"" + material + "\"}]}}");
        OrderDesk desk = new OrderDesk(store, client);
        String choice = ",\"materialAssignments\":{\"0\":[{\"materialId\":\"" + material + "\"}]}";
        String sku = desk.sku(
                "LAMP-1", OrderDesk.linked(solid, "shade", 1, choice), OrderDesk.linked(layered, "foot", 3, ""));
        String screws = client.made(
                "/v1/cost-components", "{\"name\":\"Screws\",\"type\":\"material\",\"unit\":\"piece\",\"rate\":5}");
        client.made(
                "/v1/sku-costs", "{\"skuId\":\"" + sku + "\",\"costComponentId\":\"" + screws + "\",\"quantity\":4}");
        return sku;
    }

    private String made(Client client, String name, String type, String file) {
        String id = client.made(
                "/v1/parts", "{\"name\":\"" + name + "\",\"type\":\"" + type + "\",\"fileUris\":[\"" + file + "\"]}");
        ReadyParts.change(store, id, "processingStatus", null);
        return id;
    }

    private static double radius(int level, int step) {
        return 22 + 8 * Math.sin(level / 12.0) + 2.2 * Math.cos((step + level * 0.6) * Math.PI / 6);
    }

    private static String point(int level, int step) {
        double angle = step * Math.PI / 48;
        return "vertex %.3f %.3f %.3f"
                .formatted(radius(level, step) * Math.cos(angle), radius(level, step) * Math.sin(angle), level * 1.2);
    }

    private static void facet(StringBuilder solid, String... points) {
        solid.append("facet normal 0 0 0\nouter loop\n")
                .append(String.join("\n", points))
                .append("\nendloop\nendfacet\n");
    }

    private String furnishOrders(Client client) {
        OrderDesk desk = new OrderDesk(store, client);
        desk.subscribe();
        String first = "";
        for (int i = 0; i < 9; i++) {
            String id = String.valueOf(desk.ordered("""
                    {"order": {"orderNumber": "10%d", "price": 2990, "currency": "USD", "deadline": "%s", "note": "%s"},
                     "customer": {"name": "%s"}, "items": [%s%s]}""".formatted(
                            42 + i,
                            Instant.now().plus(Duration.ofHours(i * 20L - 30)),
                            i % 3 == 0 ? "a present" : "",
                            List.of("Ada Byron", "Grace Hopper", "Mary Jackson").get(i % 3),
                            OrderDesk.lamps(1 + i % 4),
                            i % 4 == 0 ? ",{\"externalSku\":\"NEVER-SEEN\",\"quantity\":2}" : ""))
                    .at("order.id"));
            if (i % 2 == 0) {
                desk.print(id);
            }
            first = i == 0 ? id : first;
        }
        return first;
    }

    /** Sixteen printers with cameras, in the fleet and on the wall. */
    @Test
    void takePicturesOfCameras() throws Exception {
        furnish();
        Map<String, Color> beds = new LinkedHashMap<>();
        List<Color> colors = List.of(Color.ORANGE, Color.CYAN, new Color(0xE6E6E6), new Color(0x2DA44E), Color.PINK);
        floor.client()
                .get("/v1/printers?sort=name&limit=22")
                .each("id")
                .forEach(id -> beds.put(id, colors.get(beds.size() % 5)));
        try (Browser browser = new Browser()) {
            for (int width : List.of(1440, 390)) {
                Page page = browser.page(new com.microsoft.playwright.Browser.NewContextOptions()
                        .setViewportSize(width, width > 1000 ? 900 : 844)
                        .setColorScheme(width > 1000 ? ColorScheme.DARK : ColorScheme.LIGHT));
                page.navigate(Farm.url() + "/console/#code="
                        + floor.client().post("/v1/sessions/codes", "{}").at("code"));
                page.getByLabel("Your name").fill("Ada");
                page.keyboard().press("Enter");
                assertThat(page.locator(".tile")).hasCount(26);
                String first = beds.keySet().iterator().next();
                for (Map.Entry<String, String> view : Map.of(
                                "fleet-cameras", "", "printer-camera", "printers/" + first, "wall", "wall")
                        .entrySet()) {
                    page.navigate(Farm.url() + "/console/" + view.getValue());
                    page.waitForTimeout(2000);
                    beds.forEach((id, color) -> floor.still(id, 320, ConsoleStillsTest.bed(color, 320, 180)));
                    floor.still(first, 0, ConsoleStillsTest.bed(Color.ORANGE, 1280, 720));
                    page.waitForTimeout(4500);
                    take(page, view.getKey() + "-" + width + ".png");
                    if (view.getKey().equals("fleet-cameras") && width > 1000) {
                        page.getByLabel("Tiles").selectOption("large");
                        page.waitForTimeout(2000);
                        beds.forEach((id, color) -> floor.still(id, 320, ConsoleStillsTest.bed(color, 320, 180)));
                        page.waitForTimeout(4500);
                        take(page, "fleet-cameras-large-" + width + ".png");
                        page.getByLabel("Tiles").selectOption("medium");
                    }
                    if (view.getKey().equals("wall") && width > 1000) {
                        page.setViewportSize(1920, 1080);
                        take(page, "wall-1920.png");
                    }
                }
                page.context().close();
            }
        }
    }

    private static void take(Page page, String name) {
        page.waitForTimeout(1500);
        page.screenshot(new Page.ScreenshotOptions().setPath(Path.of("target/console", name)));
    }

    private void furnish() {
        String part = ReadyParts.uploaded(store, floor.client());
        List<Object> reports = new ArrayList<>();
        List<String> dirty = new ArrayList<>();
        for (int i = 0; i < 26; i++) {
            String id = floor.printer(
                    "Printer %02d".formatted(i + 1),
                    ", \"vendorName\": \"V\", \"modelName\": \"%s\", \"tags\": [\"%s\"]"
                            .formatted(MODELS.get(i % 3), i % 2 == 0 ? "petg" : "front row"));
            List<Map<String, Object>> slots = new ArrayList<>();
            for (int slot = 0; slot < (i % 3 == 0 ? 4 : 1); slot++) {
                slots.add(Map.of(
                        "amsIndex",
                        0,
                        "slotIndex",
                        slot,
                        "loaded",
                        true,
                        "materialType",
                        slot == 1 ? "PETG" : "PLA",
                        "color",
                        COLORS.get((i + slot) % 6)));
            }
            String status = i < 13
                    ? "printing"
                    : i == 13 ? "error" : i == 14 ? "paused" : i == 15 ? "preparing" : i < 20 ? "finished" : "idle";
            boolean prints = i <= 15;
            Map<String, Object> more = prints
                    ? Map.of(
                            "job",
                            Map.of(
                                    "fileName",
                                    List.of("bracket_v4_plate_2.gcode", "lamp-shade-spiral.gcode.3mf", "hinge.gcode")
                                            .get(i % 3),
                                    "percent",
                                    (i * 37) % 100,
                                    "currentLayer",
                                    (i * 37) % 100 * 3,
                                    "totalLayers",
                                    312,
                                    "elapsedSeconds",
                                    600,
                                    "remainingSeconds",
                                    120 + (100 - (i * 37) % 100) * 170),
                            "errors",
                            i == 13
                                    ? List.of(Map.of(
                                            "code",
                                            "0300-8004",
                                            "message",
                                            "Filament ran out; load a new spool in slot A2 and resume"))
                                    : List.of())
                    : Map.of();
            reports.add(
                    floor.report(id, status, Map.of("nozzle", Map.of("actual", 219.8, "target", 220)), slots, more));
            if (i >= 16 && i < 20) {
                dirty.add(id);
            }
            if (i > 23) {
                floor.client().patch("/v1/printers/enabled", "{\"ids\":[\"" + id + "\"],\"enabled\":false}");
            }
        }
        floor.exchange(List.of(), List.of(), reports);
        floor.client()
                .patch(
                        "/v1/printers/confirm-ready",
                        "{\"ids\":[\"" + String.join("\",\"", dirty) + "\"],\"ready\":false}");
        for (int i = 0; i < 6; i++) {
            floor.jobOf(
                    part,
                    ", \"quantity\": %d, \"label\": \"order 10%d\", \"tags\": {\"user.tags\": \"nowhere\"}"
                            .formatted(i * 3 + 1, i + 40));
        }
    }
}
