package farm.gantry.api.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Tests that on a phone, a tablet and a desktop each view can be read, reached and left again. */
final class ConsoleSweepTest extends ConsoleVisit {
    private static final List<Integer> WIDTHS = List.of(390, 1024, 1440);

    private final FakeAgent fakeAgent = new FakeAgent(store, new Socket());
    private final PicturedFarm farm = new PicturedFarm(store, fakeAgent);

    /** Visits each view in each width; reports controls that are cut off or too small, and pages without a title. */
    @Test
    void everyControlIsWholeAndLargeEnough() throws IOException {
        String sweep = Files.readString(Path.of("src/test/resources/console/sweep.js"));
        PicturedFarm.Library library = farm.library();
        String order = farm.orders();
        farm.queue();
        String printer = farm.printerWithSpool();
        client.post("/v1/sessions/codes", "{}");
        farm.channels();
        List<String> views = List.of(
                "",
                "queue",
                "print?part=" + library.solid(),
                "parts",
                "parts/" + library.solid(),
                "skus",
                "skus/" + library.sku(),
                "orders",
                "orders/" + order,
                "setup",
                "register",
                "settings",
                "deliveries",
                "channels",
                "keys",
                "slicers",
                "primitives",
                "spools",
                "filament",
                "finished",
                "failures",
                "whatif",
                "printers/" + printer,
                "wall");
        Page page = visit("");
        List<String> faults = new ArrayList<>();
        for (String view : views) {
            page.navigate(SharedApi.url() + "/console/" + view);
            assertThat(page.locator("h1").first()).isAttached();
            page.waitForFunction("() => !document.body.innerText.includes('Loading …')");
            for (int width : WIDTHS) {
                page.setViewportSize(width, 850);
                for (Object fault : (List<?>) Objects.requireNonNull(page.evaluate(sweep))) {
                    faults.add("/" + view + " at " + width + ": " + fault);
                }
            }
        }
        assertThat(faults).isEmpty();
    }

    @Test
    void backReturnsTheFocusToWhereItWas() {
        fakeAgent.printer("Ada 1", "");
        fakeAgent.printer("Bob 2", "");
        Page page = visit("");
        Locator tile = page.locator(".tile", new Page.LocatorOptions().setHasText("Bob 2"));
        tile.focus();
        page.keyboard().press("Enter");
        assertThat(page.locator(".printer h1")).hasText("Bob 2");
        assertThat(page).hasTitle(Pattern.compile("^Printer · "));
        page.goBack();
        assertThat(tile).isFocused();
        assertThat(page).hasTitle(Pattern.compile("^Fleet · "));
    }
}
