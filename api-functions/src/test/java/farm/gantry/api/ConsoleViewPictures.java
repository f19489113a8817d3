package farm.gantry.api;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.SelectOption;
import farm.gantry.api.promise.PromisePlans;
import farm.gantry.job.JobStatus;
import farm.gantry.job.PrintJob;
import java.awt.Color;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Pictures of what operators work with, to be looked at: {@code mvn -o -q -Pquick -pl api-functions -am test
 * -Dsurefire.failIfNoSpecifiedTests=false -Dtest=ConsoleViewPictures}; they come to {@code target/console}.
 */
final class ConsoleViewPictures {
    private final Farm.Store store = Farm.newStore();
    private final Floor floor = new Floor(store, new Socket());

    @Test
    void takePicturesOfTheQueue() {
        String part = ReadyParts.uploaded(store, floor.client());
        String printer = floor.printer("Ada 1", "");
        for (String label : List.of("order 1041", "order 1042", "spares", "fair")) {
            floor.jobOf(
                    part,
                    ", \"quantity\": %d, \"label\": \"%s\", \"priority\": %d, \"tags\": {\"user.tags\": \"nowhere\"}"
                            .formatted(label.length(), label, label.equals("fair") ? 1000 : 100));
        }
        String careful = floor.jobOf(part, ", \"label\": \"order 1040\", \"tags\": {\"user.tags\": \"nowhere\"}");
        floor.change(
                PrintJob.class,
                careful,
                Map.of(
                        "status",
                        JobStatus.WAITING_FOR_APPROVAL,
                        "assignedPrinterId",
                        printer,
                        "layerCount",
                        212,
                        "estimatedSeconds",
                        5400,
                        "estimatedGrams",
                        38.2,
                        "materialMapping",
                        Map.of("0", Map.of("amsIndex", 0, "slotIndex", 1))));
        String failed = floor.jobOf(part, ", \"label\": \"order 1039\", \"tags\": {\"user.tags\": \"nowhere\"}");
        floor.change(
                PrintJob.class,
                failed,
                Map.of("status", JobStatus.Failed, "errorMessage", "The printer stopped: filament ran out in slot A2"));
        take("queue-order", page -> {
            page.navigate(Farm.url() + "/console/queue");
            assertThat(page.locator(".row")).hasCount(6);
            page.locator(".handle").nth(1).focus();
            page.keyboard().press("Enter");
            page.keyboard().press("ArrowDown");
        });
        take("finished", page -> {
            page.navigate(Farm.url() + "/console/finished");
            assertThat(page.locator(".row")).hasCount(1);
        });
    }

    @Test
    void takePicturesOfPrinting() {
        floor.printer("Ada 1", ", \"modelName\": \"Trident\", \"tags\": [\"petg\"]");
        String dirty = floor.printer("Bob 2", "");
        floor.client().patch("/v1/printers/confirm-ready", "{\"ids\":[\"" + dirty + "\"],\"ready\":false}");
        String small = floor.printer("Cleo 3", "");
        floor.change(
                farm.gantry.printer.Printer.class, small, Map.of("bedSize", new farm.gantry.printer.BedSize(9, 9, 9)));
        String part = ReadyParts.project(store, floor.client(), "gcode3mf", """
                , "parameters": [
                  {"name": "width", "type": "number", "default": 10, "min": 5, "max": 20, "group": "Size",
                   "description": "of the lid, in mm"},
                  {"name": "height", "type": "number", "default": 4, "group": "Size"},
                  {"name": "kind", "type": "string", "default": "flat", "group": "Look",
                   "options": [{"value": "flat"}, {"value": "deep", "label": "Deep"}]},
                  {"name": "lid", "type": "boolean", "default": true, "group": "Look"}]""");
        ReadyParts.change(store, part, "size", new farm.gantry.printer.BedSize(20, 20, 20));
        take("wish", page -> {
            page.navigate(Farm.url() + "/console/print?part=" + part);
            assertThat(page.locator(".takers")).containsText("Now");
            page.getByText("cannot").click();
            page.getByLabel("width").fill("40");
            assertThat(page.locator(".outcome")).containsText("to mend");
            page.getByLabel("Copies").fill("3");
        });
    }

    @Test
    void takePicturesOfAPrinter() {
        String id = floor.printer("Ada 1", ", \"modelName\": \"Trident\", \"tags\": [\"petg\"]");
        floor.client()
                .post(
                        "/v1/macros",
                        "{\"name\":\"Load PLA\",\"type\":\"generic\",\"gcode\":\"G28\",\"compatibilities\":[]}");
        String spool = floor.client()
                .made(
                        "/v1/materials/instances",
                        "{\"name\":\"Blue 7\",\"materialType\":\"PETG\",\"remainingGrams\":640}");
        String place =
                "{\"printerIds\":[\"" + id + "\"],\"slots\":[{\"amsIndex\":0,\"slotIndex\":1}],\"instanceId\":\"";
        floor.client().patch("/v1/printer-slots/assign", place + spool + "\"}");
        take("printer-whole", page -> {
            page.navigate(Farm.url() + "/console/printers/" + id);
            page.evaluate("() => { const real = Date.now; let ahead = 0; Date.now = () => real() + ahead;"
                    + " window.later = (by) => { ahead += by; }; }");
            for (int i = 0; i < 40; i++) {
                page.evaluate("() => later(60000)");
                double heat = i < 6 ? 25 + 32 * i : 218 + i % 3;
                heats(id, heat, Math.min(60, 22 + 4 * i));
                assertThat(page.locator(".facts.across").first()).containsText(Math.round(heat) + " °C");
            }
            page.locator("details.settings summary").click();
            page.waitForTimeout(5500);
        });
        take("spools", page -> {
            page.navigate(Farm.url() + "/console/spools");
            page.locator(".spool input").first().check();
            assertThat(page.locator(".label")).isVisible();
        });
    }

    @Test
    void takePicturesOfWhatIsPlanned() {
        Client client = floor.client();
        OrderDesk desk = new OrderDesk(store, client);
        String bob = floor.printer("Bob 2", ", \"modelName\": \"Trident\"");
        String ada = floor.printer("Ada 1", ", \"modelName\": \"Trident\", \"hourlyRate\": 90");
        floor.printer("Cleo 3", ", \"enabled\": false");
        desk.settings("""
                {"deadlineFirst": true, "workingHours": {"shifts": [{"day": "monday", "from": "08:00", "to": "17:00"},
                 {"day": "wednesday", "from": "00:00", "to": "23:59"}, {"day": "friday", "from": "22:00", "to": "06:00"}],
                 "holidays": ["2026-12-25"], "minutesPerBed": 3, "minutesPerFilamentChange": 6, "people": 2},
                 "costRates": {"printerHourCents": 60, "energy": {"centsPerKwh": 31, "windows": [],
                 "models": {"*": {"heatingWatts": 350, "heatingSeconds": 240, "printingWatts": 110}}},
                 "labour": {"hourCents": 2400, "minutesPerBed": 2, "minutesPerOrder": 4}}}""");
        String material = client.made(
                "/v1/materials",
                "{\"name\":\"Basic\",\"brand\":\"Polymaker\",\"type\":\"PLA\",\"tags\":[],\"pricePer1000g\":1990}");
        List<String> colors = List.of("red", "blue", "green").stream()
                .map(color -> client.made(
                        "/v1/materials/variants",
                        "{\"materialId\":\"" + material + "\",\"name\":\"" + color + "\",\"colors\":[]}"))
                .toList();
        String wish = ", \"quantity\": %d, \"materials\": {\"0\": [{\"variantId\": \"%s\"}]}";
        String spool = "{\"variantId\":\"%s\",\"initialGrams\":1000,\"remainingGrams\":%d}";
        String loaded = client.made("/v1/materials/instances", spool.formatted(colors.getFirst(), 320));
        client.made("/v1/materials/instances", spool.formatted(colors.get(1), 700));
        for (String printer : List.of(ada, bob)) {
            client.patch(
                    "/v1/printer-slots/assign",
                    "{\"printerIds\":[\"" + printer
                            + "\"],\"slots\":[{\"amsIndex\":0,\"slotIndex\":0}],\"instanceId\":\"" + loaded + "\"}");
        }
        String part = ReadyParts.uploaded(store, client);
        ReadyParts.change(store, part, "slicingEstimate", ReadyParts.estimate("PLA", 120));
        desk.sku("VASE", OrderDesk.linked(part, "vase", 1, ""));
        String order = "";
        for (int i = 0; i < 4; i++) {
            order = String.valueOf(desk.ordered("""
                    {"order": {"orderNumber": "%d", "price": %d, "currency": "USD", "deadline": "%s"}, "customer": {"name": "Ada"},
                     "items": [{"externalSku": "VASE", "quantity": %d}]}""".formatted(
                                    1041 + i, 4990 + i * 1000, Instant.now().plus(Duration.ofHours(3 + 9 * i)), 2 + i))
                    .at("order.id"));
            desk.print(order);
        }
        floor.jobOf(part, wish.formatted(3, colors.get(1)));
        floor.jobOf(part, wish.formatted(2, colors.getLast()));
        client.get("/v1/print-jobs?fields=id")
                .each("id")
                .forEach(job -> floor.change(PrintJob.class, job, Map.of("estimatedSeconds", 9800L)));
        floor.round();
        int percent = 20;
        for (String printer : List.of(ada, bob)) {
            String job = client.get("/v1/print-jobs?status=sending-to-printer&assignedPrinterId=" + printer)
                    .each("id")
                    .getFirst();
            floor.happened(printer, "jobStarted", job);
            percent += 23;
            floor.exchange(
                    List.of(),
                    List.of(),
                    List.of(floor.report(
                            printer,
                            "printing",
                            Map.of("nozzle", Map.of("actual", 219, "target", 220)),
                            List.of(Map.of(
                                    "amsIndex",
                                    0,
                                    "slotIndex",
                                    0,
                                    "loaded",
                                    true,
                                    "materialType",
                                    "PLA",
                                    "color",
                                    "D4421E")),
                            Map.of(
                                    "job",
                                    Map.of(
                                            "jobId",
                                            job,
                                            "fileName",
                                            "vase.gcode",
                                            "percent",
                                            percent,
                                            "currentLayer",
                                            3 * percent,
                                            "totalLayers",
                                            300,
                                            "remainingSeconds",
                                            98 * (100 - percent))))));
        }
        Farm.bean(PromisePlans.class).plan(store.id());
        String last = order;
        take("promised-fleet", page -> assertThat(page.locator(".tile")).hasCount(3));
        take("promised-queue", page -> {
            page.navigate(Farm.url() + "/console/queue");
            button(page, "^Why").first().click();
            assertThat(page.locator(".waits")).isVisible();
        });
        take("promised-orders", page -> {
            page.navigate(Farm.url() + "/console/orders");
            assertThat(page.locator(".order")).hasCount(4);
        });
        take("order-cost", page -> {
            page.navigate(Farm.url() + "/console/orders/" + last);
            assertThat(page.locator(".sums")).isVisible();
        });
        take("filament", page -> {
            page.navigate(Farm.url() + "/console/filament");
            assertThat(page.locator(".sums")).isVisible();
        });
        take("whatif", page -> {
            page.navigate(Farm.url() + "/console/whatif");
            button(page, "More of a kind").click();
            page.getByLabel("Like").selectOption("Ada 1");
            button(page, "Without one").click();
            button(page, "More of a part").click();
            page.getByLabel("Part").first().selectOption(new SelectOption().setIndex(1));
            page.getByLabel("Other working hours").check();
            button(page, "What then").click();
            assertThat(page.locator(".field.wrong")).hasCount(1);
            button(page, "Remove printer 1").click();
            button(page, "What then").click();
            assertThat(page.locator(".outcomes table")).isVisible();
        });
        take("settings", page -> {
            page.navigate(Farm.url() + "/console/settings");
            assertThat(button(page, "Save")).isVisible();
        });
    }

    @Test
    void takePicturesOfAHundredPrinters() throws Exception {
        List<String> printers = new ArrayList<>();
        List<Object> reports = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            String id = floor.printer("Shelf %d, place %d".formatted(i / 10 + 1, i % 10 + 1), "");
            printers.add(id);
            Map<String, Object> job = Map.of(
                    "fileName",
                    "lamp-shade-%d.gcode".formatted(i % 7),
                    "percent",
                    i,
                    "currentLayer",
                    3 * i,
                    "totalLayers",
                    300,
                    "remainingSeconds",
                    95 * (100 - i));
            String status = i % 33 == 32 ? "error" : i % 25 == 24 ? "paused" : i % 9 == 8 ? "idle" : "printing";
            reports.add(floor.report(
                    id, status, Map.of(), List.of(), status.equals("idle") ? Map.of() : Map.of("job", job)));
        }
        floor.exchange(List.of(), List.of(), reports);
        byte[] bed = ConsoleStillsTest.bed(Color.ORANGE, 320, 180);
        try (Browser browser = new Browser()) {
            Page page = browser.page();
            page.navigate(Farm.url() + "/console/#code="
                    + floor.client().post("/v1/sessions/codes", "{}").at("code"));
            page.getByLabel("Your name").fill("Ada");
            page.keyboard().press("Enter");
            assertThat(page.locator(".tile")).hasCount(100);
            page.setViewportSize(1920, 1080);
            page.waitForTimeout(1000);
            page.screenshot(new Page.ScreenshotOptions().setPath(Path.of("target/console/hundred-fleet-1920.png")));
            page.navigate(Farm.url() + "/console/wall");
            assertThat(page.locator(".screen")).hasCount(100);
            page.waitForTimeout(1000);
            for (String printer : printers.subList(0, 70)) {
                floor.still(printer, 320, bed);
            }
            assertThat(page.locator(".seen img").nth(60)).isVisible();
            for (int[] size : new int[][] {{1920, 1080}, {1280, 800}, {1080, 1920}, {390, 844}}) {
                page.setViewportSize(size[0], size[1]);
                page.waitForTimeout(800);
                page.screenshot(new Page.ScreenshotOptions()
                        .setPath(Path.of("target/console/hundred-wall-" + size[0] + ".png")));
            }
        }
    }

    @Test
    void takePicturesOfFailures() {
        Client client = floor.client();
        String part = ReadyParts.uploaded(store, client);
        String printer = "";
        for (int i = 0; i < 12; i++) {
            printer = i % 4 == 0 ? floor.printer("Shelf 1, place " + (i / 4 + 1), "") : printer;
            String job = floor.jobOf(part, "");
            floor.confirm(printer);
            floor.round();
            floor.happened(printer, "jobStarted", job);
            floor.happened(printer, i % 5 == 2 ? "jobFailed" : "jobCompleted", job);
            if (i == 3) {
                client.patch("/v1/print-jobs/" + job + "/quality", "{\"good\":3,\"rejected\":1,\"reason\":\"Warped\"}");
            }
        }
        client.patch("/v1/printers/quarantine", "{\"ids\":[\"" + printer + "\"],\"quarantined\":true}");
        client.patch(
                "/v1/parts/hold", "{\"ids\":[\"" + part + "\"],\"held\":true,\"reason\":\"It failed on 2 printers.\"}");
        client.patch("/v1/queue", "{\"paused\":true,\"reason\":\"2 of the last hour's 3 prints failed.\"}");
        take("failures", page -> {
            page.navigate(Farm.url() + "/console/failures");
            assertThat(page.locator(".sums").first()).isVisible();
        });
        take("judge", page -> {
            page.navigate(Farm.url() + "/console/finished");
            button(page, "^Judge").first().click();
        });
        take("register", page -> {
            page.navigate(Farm.url() + "/console/register");
            page.getByLabel("Make").selectOption("Klipper (Moonraker)");
        });
    }

    private static Locator button(Page page, String name) {
        return page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName(Pattern.compile(name)));
    }

    private void heats(String id, double nozzle, double bed) {
        floor.exchange(
                List.of(),
                List.of(),
                List.of(floor.report(
                        id,
                        "idle",
                        Map.of(
                                "nozzle",
                                Map.of("actual", nozzle, "target", 220),
                                "bed",
                                Map.of("actual", bed, "target", 60)),
                        List.of(
                                Map.of(
                                        "amsIndex",
                                        0,
                                        "slotIndex",
                                        0,
                                        "loaded",
                                        true,
                                        "materialType",
                                        "PLA",
                                        "color",
                                        "D4421E"),
                                Map.of("amsIndex", 0, "slotIndex", 1, "loaded", true, "materialType", "PETG")))));
    }

    /** A picture wide and narrow, light and dark, of what the page shows then. */
    private void take(String name, Consumer<Page> show) {
        try (Browser browser = new Browser()) {
            for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
                Page page =
                        browser.page(new com.microsoft.playwright.Browser.NewContextOptions().setColorScheme(scheme));
                page.navigate(Farm.url() + "/console/#code="
                        + floor.client().post("/v1/sessions/codes", "{}").at("code"));
                page.getByLabel("Your name").fill("Ada");
                page.keyboard().press("Enter");
                assertThat(page.getByText("Live")).isVisible();
                boolean isLight = scheme == ColorScheme.LIGHT;
                page.setViewportSize(isLight ? 1440 : 390, isLight ? 900 : 844);
                show.accept(page);
                page.waitForTimeout(1000);
                page.screenshot(new Page.ScreenshotOptions()
                        .setFullPage(true)
                        .setPath(Path.of("target/console", name + (isLight ? "-light-1440.png" : "-dark-390.png"))));
            }
        }
    }
}
