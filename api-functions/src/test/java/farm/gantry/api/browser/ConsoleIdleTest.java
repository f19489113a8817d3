package farm.gantry.api.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests how often a page that nobody touches asks the farm. */
@Tag("long")
final class ConsoleIdleTest extends ConsoleVisit {
    private static final int MAX_REQUESTS = 10;
    private static final int STEP_MILLIS = 2500;
    private static final String BARRIER = "/v1/web-init?barrier";

    private final FakeAgent fakeAgent = new FakeAgent(store, new Socket());
    private final PicturedFarm farm = new PicturedFarm(store, fakeAgent);

    /** Lets a minute of the page's clock pass, and waits for answers in between, because they start the next timers. */
    @Test
    void eachViewSendsAtMostTenRequestsAMinute() {
        PicturedFarm.Library library = farm.library();
        String order = farm.orders();
        String printer = farm.printerWithSpool();
        List<String> many = new ArrayList<>();
        for (String view : List.of(
                "",
                "queue",
                "print",
                "parts",
                "parts/" + library.solid(),
                "orders",
                "orders/" + order,
                "setup",
                "settings",
                "deliveries",
                "keys",
                "slicers",
                "primitives",
                "spools",
                "filament",
                "finished",
                "failures",
                "printers/" + printer,
                "wall")) {
            Page page = browser().page();
            page.clock().install();
            visit(page, view);
            assertThat(page.locator("h1").first()).isAttached();
            page.clock().runFor(STEP_MILLIS);
            page.evaluate("path => fetch(path)", BARRIER);
            List<String> sent = new CopyOnWriteArrayList<>();
            page.onRequest(request -> {
                if (request.url().contains("/v1/") && !request.url().endsWith(BARRIER)) {
                    sent.add(request.url().replace(SharedApi.url(), ""));
                }
            });
            for (int passed = 0; passed < 60_000; passed += STEP_MILLIS) {
                page.clock().runFor(STEP_MILLIS);
                page.evaluate("path => fetch(path)", BARRIER);
            }
            if (sent.size() > MAX_REQUESTS) {
                many.add("/" + view + ": " + sent.size() + " " + sent);
            }
            page.context().close();
        }
        assertThat(many).isEmpty();
    }
}
