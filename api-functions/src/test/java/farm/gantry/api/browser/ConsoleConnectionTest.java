package farm.gantry.api.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.ReadyParts;
import farm.gantry.api.fixture.Socket;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests what a person sees while the page opens, while the farm cannot be reached, and when the session ends. */
final class ConsoleConnectionTest extends ConsoleVisit {
    private final FakeAgent fakeAgent = new FakeAgent(store, new Socket());

    @Test
    void openingPageShowsNoAlarm() {
        Page page = browser().page();
        page.addInitScript("""
                window.alarms = [];
                new MutationObserver(() => document.querySelector(".fresh.stale") && alarms.push("stale"))
                    .observe(document, { subtree: true, childList: true, attributes: true });""");
        visit(page, "");
        assertThat(page.locator(".fresh.live")).isVisible();
        assertThat((List<?>) page.evaluate("() => alarms")).isEmpty();
    }

    @Test
    void viewOpensWhenTheConnectionReturns() {
        Page page = visit("");
        assertThat(page.locator(".fresh.live")).isVisible();
        page.context().setOffline(true);
        page.getByRole(AriaRole.LINK, named("Queue")).click();
        assertThat(page.locator(".empty")).containsText("This view opens when it answers");
        page.context().setOffline(false);
        assertThat(page.locator(".queue")).isVisible();
    }

    @Test
    void halfTypedFormSurvivesTheEndOfTheSession() {
        String part = ReadyParts.uploaded(store, client);
        Page page = visit("print?part=" + part);
        page.getByLabel("Label").fill("for the fair");
        client.get("/v1/sessions").each("id").forEach(id -> client.delete("/v1/sessions/" + id));
        assertThat(page.getByText("Your session has ended")).isVisible();
        assertThat(page.locator(".covered")).isHidden();
        page.getByLabel("API key").fill(store.key());
        button(page, "Sign in").click();
        assertThat(page.getByLabel("Label")).hasValue("for the fair");
        assertThat(page.locator(".fresh.live")).isVisible();
    }

    @Test
    void anotherPersonSeesNothingOfTheFirst() {
        String part = ReadyParts.uploaded(store, client);
        Page page = visit("print?part=" + part);
        page.getByLabel("Label").fill("for the fair");
        client.get("/v1/sessions").each("id").forEach(id -> client.delete("/v1/sessions/" + id));
        page.getByLabel("Your name").fill("Eve");
        page.getByLabel("API key").fill(store.key());
        button(page, "Sign in").click();
        assertThat(page.locator(".who")).hasText("Eve");
        assertThat(page.getByLabel("Label")).hasValue("");
    }

    /** A printer keeps the progress and the name of its last print. */
    @Test
    void lastPrintIsNotShownAsIfItWereLoaded() {
        String id = fakeAgent.printer("Ada 1", "");
        Map<String, ?> last = Map.of("job", Map.of("fileName", "last.gcode", "percent", 100, "remainingSeconds", 0));
        fakeAgent.exchange(List.of(), List.of(), List.of(fakeAgent.report(id, "idle", Map.of(), List.of(), last)));
        Page page = visit("");
        assertThat(page.locator(".tile")).containsText("Ready");
        assertThat(page.locator(".tile")).not().containsText("last.gcode");
        page.getByRole(AriaRole.LINK, named("Ada 1")).click();
        assertThat(page.locator(".printer h1")).hasText("Ada 1");
        assertThat(page.locator(".printer progress")).hasCount(0);
    }
}
