package farm.gantry.api.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Tests the console in several tabs, and with an event stream that is cut in the middle of an event. */
final class ConsoleLiveTest extends ConsoleVisit {
    /** A script that forwards the stream, and on request cuts it in the middle of the next event. */
    private static final String BREAKABLE = """
            const real = window.fetch;
            window.streams = [];
            window.fetch = async (path, options) => {
              const response = await real(path, options);
              if (path !== "/v1/stream" || !response.ok) {
                return response;
              }
              window.streams.push(options.headers["last-event-id"] ?? "");
              const reader = response.body.getReader();
              return new Response(new ReadableStream({
                async pull(controller) {
                  const { value, done } = await reader.read();
                  if (done) {
                    controller.close();
                  } else if (window.breaks && value.length > 60) {
                    window.breaks = false;
                    controller.enqueue(value.slice(0, value.length >> 1));
                    setTimeout(() => controller.error(new TypeError("cut")), 20);
                    reader.cancel();
                  } else {
                    controller.enqueue(value);
                  }
                },
              }), { status: 200, headers: response.headers });
            };""";

    /** The interval in milliseconds at which records are requested again. */
    private static final int RECORDS_EVERY = 20_000;

    /** The timeout in milliseconds of a silent stream. */
    private static final int SILENCE = 40_000;

    private final FakeAgent fakeAgent = new FakeAgent(store, new Socket());

    private static Locator tile(Page page) {
        return page.locator(".tile");
    }

    private void reports(String printer, int percent) {
        Map<String, ?> job = Map.of("fileName", "a.gcode", "percent", percent, "remainingSeconds", 600);
        fakeAgent.exchange(
                List.of(),
                List.of(),
                List.of(fakeAgent.report(printer, "printing", Map.of(), List.of(), Map.of("job", job))));
    }

    @Test
    void streamResumesAtTheLastCompleteEventAfterACut() {
        String printer = fakeAgent.printer("Ada 1", "");
        Page page = browser().page();
        page.addInitScript(BREAKABLE);
        visit(page, "");
        reports(printer, 10);
        assertThat(tile(page)).containsText("10 %");
        page.evaluate("() => { window.same = true; window.breaks = true; }");
        reports(printer, 20);
        assertThat(tile(page)).containsText("20 %");
        // The records, which are asked for now and then, may show it before the stream continues.
        page.waitForFunction("() => window.streams.length > 1 && window.streams.at(-1) !== ''");
        assertThat(page.evaluate("() => window.same"))
                .as("it resumed without a reload")
                .isEqualTo(true);
        reports(printer, 30);
        assertThat(tile(page)).containsText("30 %");
        assertThat(page.getByText("Live")).isVisible();
    }

    @Test
    void streamIsRequestedAgainWhenNoResponseStarts() {
        fakeAgent.printer("Ada 1", "");
        Page page = browser().page();
        page.clock().install();
        visit(page, "");
        List<Route> unanswered = new ArrayList<>();
        page.route(url -> url.endsWith("/v1/stream"), route -> {
            if (unanswered.isEmpty()) {
                unanswered.add(route);
            } else {
                route.resume();
            }
        });
        page.reload();
        page.waitForCondition(() -> !unanswered.isEmpty());
        page.clock().fastForward(SILENCE);
        page.clock().fastForward(RECORDS_EVERY);
        assertThat(page.getByText("Live")).isVisible();
    }

    @Test
    void changeInOneTabIsShownInAnother() {
        String printer = fakeAgent.printer("Ada 1", "");
        client.patch("/v1/printers/confirm-ready", "{\"ids\":[\"" + printer + "\"],\"ready\":false}");
        Page one = visit("");
        Page other = one.context().newPage();
        other.clock().install();
        other.navigate(SharedApi.url() + "/console/");
        assertThat(tile(other)).containsText("Clear the bed");
        one.bringToFront();
        // By the keyboard: a pointer's press is not taken while tiles move, as they may when a tab comes to the front.
        tile(one).getByText("Mark bed as clear").press("Enter");
        assertThat(tile(one)).containsText("Ready");
        other.clock().fastForward(RECORDS_EVERY);
        assertThat(tile(other)).containsText("Ready");
        one.getByRole(AriaRole.BUTTON, named("Sign out")).click();
        assertThat(one.getByLabel("API key")).isVisible();
        other.clock().fastForward(RECORDS_EVERY);
        other.getByLabel("API key").waitFor();
        assertThat(other.locator(".tile")).hasCount(0);
    }

    @Test
    void responseAfterSignOutIsNotShownToTheNextUser() {
        fakeAgent.printer("Ada 1", "");
        SharedApi.Store next = SharedApi.newStore();
        new FakeAgent(next, new Socket()).printer("Bob 2", "");
        Page page = browser().page();
        page.clock().install();
        visit(page, "");
        assertThat(tile(page)).containsText("Ada 1");
        Predicate<String> ofRecords = url -> url.contains("/v1/printers?");
        List<Route> held = new ArrayList<>();
        page.route(ofRecords, held::add);
        page.clock().fastForward(RECORDS_EVERY);
        page.waitForCondition(() -> !held.isEmpty());
        Route late = held.getFirst();
        Answer records =
                client.get(late.request().url().substring(SharedApi.url().length()));
        assertThat(records.each("name")).containsExactly("Ada 1");
        page.getByRole(AriaRole.BUTTON, named("Sign out")).click();
        page.getByLabel("API key").waitFor();
        page.unroute(ofRecords);
        List<String> requests = new ArrayList<>();
        page.onRequest(
                request -> requests.add(request.url().substring(SharedApi.url().length())));
        page.waitForResponse(
                        response -> ofRecords.test(response.url()),
                        () -> late.fulfill(new Route.FulfillOptions()
                                .setContentType("application/json")
                                .setBody(records.text())))
                .finished();
        page.clock().fastForward(RECORDS_EVERY);
        page.getByLabel("API key").fill(next.key());
        page.getByRole(AriaRole.BUTTON, named("Sign in")).click();
        assertThat(tile(page)).hasText(new Pattern[] {Pattern.compile("Bob 2")});
        assertThat(requests.subList(0, requests.indexOf("/v1/sessions"))).isEmpty();
    }
}
