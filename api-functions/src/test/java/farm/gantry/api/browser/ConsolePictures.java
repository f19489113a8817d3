package farm.gantry.api.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.SelectOption;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import farm.gantry.api.promise.PromiseUpdater;
import java.awt.Color;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Takes screenshots of the console in light and dark mode, in the sizes of a desktop, a tablet and a phone, and writes them to
 * {@code target/console}. Run it with {@code mvn -o -q -Pquick -pl api-functions -am test
 * -Dsurefire.failIfNoSpecifiedTests=false -Dtest=ConsolePictures}.
 */
final class ConsolePictures {
    private final SharedApi.Store store = SharedApi.newStore();
    private final FakeAgent fakeAgent = new FakeAgent(store, new Socket());
    private final PicturedFarm farm = new PicturedFarm(store, fakeAgent);

    @Test
    void takePicturesOfTheFleetAndItsQueue() {
        farm.fleet();
        farm.queue();
        take("fleet", "", page -> assertThat(page.locator(".tile")).hasCount(27));
        take("queue", "queue", page -> {
            ConsoleVisit.button(page, Pattern.compile("^Why")).first().click();
            assertThat(page.locator(".why").first()).isVisible();
        });
        take("queue-order", "queue", page -> {
            page.locator(".handle").nth(1).focus();
            page.keyboard().press("Enter");
            page.keyboard().press("ArrowDown");
        });
        take("finished", "finished", page -> assertThat(page.locator(".row")).hasCount(1));
        take("print", "print", page -> page.getByText("Print …").first().click());
        take("setup", "setup", page -> page.getByText("Pair an agent").click());
        take("register", "register", page -> page.getByLabel("Provider").selectOption("Klipper (Moonraker)"));
    }

    @Test
    void takePicturesOfPrinting() {
        String part = farm.projectWithParameters();
        take("wish", "print?part=" + part, page -> {
            assertThat(page.locator(".takers")).containsText("Free now");
            page.getByText("cannot").click();
            page.getByLabel("width").fill("40");
            assertThat(page.locator(".outcome")).containsText("to correct");
            page.getByLabel("Copies").fill("3");
        });
    }

    @Test
    void takePicturesOfAPrinter() {
        String id = farm.printerWithSpool();
        take("printer", "printers/" + id, page -> {
            page.evaluate("() => { const real = Date.now; let ahead = 0; Date.now = () => real() + ahead;"
                    + " window.later = (by) => { ahead += by; }; }");
            for (int i = 0; i < 40; i++) {
                page.evaluate("() => later(60000)");
                double nozzle = i < 6 ? 25 + 32 * i : 218 + i % 3;
                farm.heat(id, nozzle, Math.min(60, 22 + 4 * i));
                assertThat(page.locator(".facts.across").first()).containsText(Math.round(nozzle) + " °C");
            }
            page.locator("details.settings summary").click();
            page.waitForTimeout(5500);
        });
        take("spools", "spools", page -> {
            page.locator(".spool input").first().check();
            assertThat(page.locator(".label")).isVisible();
        });
    }

    @Test
    void takePicturesOfTheLibraryAndOrders() {
        PicturedFarm.Library library = farm.library();
        String order = farm.orders();
        take("parts", "parts");
        take(
                "part",
                "parts/" + library.solid(),
                page -> page.getByText("Show in 3-D").click());
        take(
                "layers",
                "parts/" + library.layered(),
                page -> page.getByText("Show layers").click());
        take("skus", "skus");
        take("sku", "skus/" + library.sku());
        take("orders", "orders");
        take("order", "orders/" + order);
        take("deliveries", "deliveries");
        farm.channels();
        take("channels", "channels");
        take("channel", "channels", page -> page.getByText("New channel").click());
        take("keys", "keys", page -> page.getByText("New key").click());
        take("slicers", "slicers", page -> page.getByText("Create a key").click());
        take("primitives", "primitives");
    }

    @Test
    void takePicturesOfPlans() {
        String order = farm.promises();
        SharedApi.bean(PromiseUpdater.class).plan(store.id());
        take("promised-fleet", "", page -> assertThat(page.locator(".tile")).hasCount(3));
        take("promised-queue", "queue", page -> {
            ConsoleVisit.button(page, Pattern.compile("^Why")).first().click();
            assertThat(page.locator(".waits")).isVisible();
        });
        take(
                "promised-orders",
                "orders",
                page -> assertThat(page.locator(".order")).hasCount(4));
        take(
                "order-cost",
                "orders/" + order,
                page -> assertThat(page.locator(".sums")).isVisible());
        take("filament", "filament", page -> assertThat(page.locator(".sums")).isVisible());
        take("whatif", "whatif", page -> {
            ConsoleVisit.button(page, Pattern.compile("More of a kind")).click();
            page.getByLabel("Like").selectOption("Ada 1");
            ConsoleVisit.button(page, Pattern.compile("Without one")).click();
            ConsoleVisit.button(page, Pattern.compile("More of a part")).click();
            page.getByLabel("Part").first().selectOption(new SelectOption().setIndex(1));
            page.getByLabel("Other working hours").check();
            ConsoleVisit.button(page, Pattern.compile("Simulate")).click();
            assertThat(page.locator(".field.wrong")).hasCount(1);
            ConsoleVisit.button(page, Pattern.compile("Remove printer 1")).click();
            ConsoleVisit.button(page, Pattern.compile("Simulate")).click();
            assertThat(page.locator(".outcomes table")).isVisible();
        });
        take(
                "settings",
                "settings",
                page -> assertThat(ConsoleVisit.button(page, Pattern.compile("Save")))
                        .isVisible());
    }

    @Test
    void takePicturesOfFailures() {
        farm.failures();
        take(
                "failures",
                "failures",
                page -> assertThat(page.locator(".sums").first()).isVisible());
        take(
                "judge",
                "finished",
                page -> ConsoleVisit.button(page, Pattern.compile("^Check quality"))
                        .first()
                        .click());
    }

    /** Shows a hundred printers with cameras in the fleet and on the wall display, and one on its own page. */
    @Test
    void takePicturesOfCameras() {
        List<String> printers = farm.hundredPrinters();
        List<Color> colors = List.of(Color.ORANGE, Color.CYAN, new Color(0xE6E6E6), new Color(0x2DA44E), Color.PINK);
        List<byte[]> beds = colors.stream()
                .map(color -> ConsoleStillsTest.bed(color, 320, 180))
                .toList();
        Consumer<Page> seen = page -> {
            page.waitForTimeout(2000); // until the page has asked for what it shows
            for (int i = 0; i < 70; i++) {
                fakeAgent.still(printers.get(i), 320, beds.get(i % 5));
            }
            page.waitForTimeout(4500);
        };
        take("fleet-cameras", "", seen);
        take("wall", "wall", page -> {
            assertThat(page.locator(".screen")).hasCount(100);
            seen.accept(page);
            assertThat(page.locator(".seen img").first()).isVisible();
            for (int[] size : new int[][] {{1920, 1080}, {1080, 1920}}) {
                page.setViewportSize(size[0], size[1]);
                shoot(page, "wall-" + size[0] + ".png");
            }
        });
        take("printer-camera", "printers/" + printers.getFirst(), page -> {
            page.waitForTimeout(2000);
            fakeAgent.still(printers.getFirst(), 0, ConsoleStillsTest.bed(Color.ORANGE, 1280, 720));
            page.waitForTimeout(4500);
        });
    }

    /** Takes screenshots of the view as it opens. */
    private void take(String name, String path) {
        take(name, path, _ -> {});
    }

    /** Takes screenshots of the view after these actions. */
    private void take(String name, String path, Consumer<Page> show) {
        for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
            for (int width : List.of(1440, 1024, 390)) {
                Page page = Browser.shared()
                        .page(new com.microsoft.playwright.Browser.NewContextOptions()
                                .setViewportSize(width, width > 1000 ? 900 : 844)
                                .setDeviceScaleFactor(width > 1000 ? 1 : 2)
                                .setColorScheme(scheme));
                ConsoleVisit.visit(page, fakeAgent.client(), path);
                show.accept(page);
                shoot(page, name + "-" + scheme.name().toLowerCase(Locale.ROOT) + "-" + width + ".png");
                page.context().close();
            }
        }
    }

    private static void shoot(Page page, String file) {
        page.waitForTimeout(1500);
        page.screenshot(new Page.ScreenshotOptions().setPath(Path.of("target/console", file)));
    }
}
