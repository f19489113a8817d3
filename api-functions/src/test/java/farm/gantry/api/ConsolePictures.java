package farm.gantry.api;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.nio.file.Path;
import java.util.ArrayList;
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
