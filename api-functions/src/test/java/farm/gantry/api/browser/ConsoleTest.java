package farm.gantry.api.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.Cookie;
import com.microsoft.playwright.options.FilePayload;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.ReadyParts;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests the console in a real browser, as an operator uses it. */
@Tag("console")
final class ConsoleTest {
    private static @Nullable Browser browser;

    private final SharedApi.Store store = SharedApi.newStore();
    private final FakeAgent fakeAgent = new FakeAgent(store, new Socket());

    @BeforeAll
    static void open() {
        browser = new Browser();
    }

    @AfterAll
    static void close() {
        if (browser != null) {
            browser.close();
        }
    }

    private static Browser browser() {
        return Objects.requireNonNull(browser);
    }

    @AfterEach
    void assertNoBrowserErrors() {
        assertThat(browser().complaints()).isEmpty();
    }

    private String link() {
        return SharedApi.url() + "/console/#code="
                + fakeAgent.client().post("/v1/sessions/codes", "{}").at("code");
    }

    private Page signedIn(Page page) {
        page.navigate(link());
        page.getByLabel("Your name").fill("Ada");
        page.getByRole(AriaRole.BUTTON, named("Sign in")).click();
        assertThat(page.getByText("Live")).isVisible();
        page.mouse().move(0, 0); // tiles stay where they are under a pointer
        return page;
    }

    private Page signedIn() {
        return signedIn(browser().page());
    }

    private static Page.GetByRoleOptions named(String name) {
        return new Page.GetByRoleOptions().setName(name).setExact(true);
    }

    private static Locator tiles(Page page) {
        return page.locator(".tile h2");
    }

    private void report(String printer, String status, Map<String, ?> more) {
        fakeAgent.exchange(List.of(), List.of(), List.of(fakeAgent.report(printer, status, Map.of(), List.of(), more)));
    }

    private static Map<String, Object> progress(int percent, int left) {
        return Map.of(
                "job",
                Map.of(
                        "fileName",
                        "bracket.gcode",
                        "percent",
                        percent,
                        "currentLayer",
                        9,
                        "totalLayers",
                        20,
                        "elapsedSeconds",
                        600,
                        "remainingSeconds",
                        left));
    }

    private String printer(String name, String more) {
        return fakeAgent.printer(name, more);
    }

    private String bedToClear(String name) {
        String id = printer(name, "");
        fakeAgent.client().patch("/v1/printers/confirm-ready", "{\"ids\":[\"" + id + "\"],\"ready\":false}");
        return id;
    }

    /** Registers one printer in each state that matters to an operator. */
    private void furnish() {
        String voron = ", \"vendorName\": \"Voron\", \"modelName\": \"Trident\", \"tags\": [\"petg\"]";
        report(printer("Ada 1", voron), "printing", progress(20, 3000));
        report(printer("Bob 2", ""), "printing", progress(90, 300));
        printer("Cleo 3", "");
        bedToClear("Dora 4");
        bedToClear("Emil 5");
        report(
                printer("Finn 6", voron),
                "error",
                Map.of("errors", List.of(Map.of("code", "E1", "message", "Nozzle too cold"))));
    }

    @Test
    void signInLinkWorksOnceAndIsRemovedFromTheAddress() {
        String link = link();
        Page page = browser().page();
        page.navigate(link);
        assertThat(page.getByLabel("Your name")).isVisible();
        assertThat(page.url()).isEqualTo(SharedApi.url() + "/console/");
        page.getByLabel("Your name").fill("Ada");
        page.getByRole(AriaRole.BUTTON, named("Sign in")).click();
        assertThat(page.getByText("No printer is registered yet")).isVisible();
        assertThat(page.locator(".who")).hasText("Ada");
        Cookie cookie = page.context().cookies().getFirst();
        assertThat(cookie.httpOnly).isTrue();
        assertThat(String.valueOf(
                        page.evaluate("() => JSON.stringify([localStorage, sessionStorage, document.cookie])")))
                .isEqualTo("[{\"gantry.name\":\"Ada\"},{},\"\"]");
        page.reload();
        assertThat(page.locator(".who")).hasText("Ada");
        Page other = browser().page();
        other.navigate(link);
        other.getByLabel("Your name").fill("Eve");
        other.getByRole(AriaRole.BUTTON, named("Sign in")).click();
        assertThat(other.getByRole(AriaRole.ALERT)).containsText("create a new one");
        page.getByRole(AriaRole.BUTTON, named("Sign out")).click();
        assertThat(page.getByLabel("API key")).isVisible();
        assertThat(page.context().cookies()).isEmpty();
    }

    @Test
    void keyIsExchangedForASessionAndNotStored() {
        Page page = browser().page();
        page.navigate(SharedApi.url() + "/console/");
        page.getByLabel("Your name").fill("Ada");
        page.getByLabel("API key").fill(store.key());
        page.getByRole(AriaRole.BUTTON, named("Sign in")).click();
        assertThat(page.locator(".store")).hasText("A farm");
        assertThat(String.valueOf(page.evaluate("() => JSON.stringify([localStorage, sessionStorage, location.href])")
                        + page.content()))
                .doesNotContain(store.key());
    }

    @Test
    void tilesAreSortedByFaultBedAndFinishTime() {
        furnish();
        Page page = signedIn();
        assertThat(tiles(page)).hasText(new String[] {"Finn 6", "Dora 4", "Emil 5", "Bob 2", "Ada 1", "Cleo 3"});
        assertThat(page.locator(".tile").first()).containsText("Nozzle too cold");
        assertThat(page.locator(".tile").first()).containsText("Fault");
        page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName(Pattern.compile("^Printing")))
                .click();
        assertThat(tiles(page)).hasText(new String[] {"Bob 2", "Ada 1"});
        assertThat(page.url()).endsWith("/console/?state=printing");
        page.getByLabel("Search printers").fill("ada");
        assertThat(tiles(page)).hasText(new String[] {"Ada 1"});
        page.reload();
        assertThat(tiles(page)).hasText(new String[] {"Ada 1"});
    }

    @Test
    void changeIsShownWithoutReload() {
        String id = printer("Ada 1", "");
        printer("Bob 2", "");
        Page page = signedIn();
        assertThat(tiles(page)).hasText(new String[] {"Ada 1", "Bob 2"});
        page.evaluate("() => { window.same = true; }");
        report(id, "printing", progress(42, 3000));
        assertThat(page.locator(".tile").first()).containsText("42 %");
        report(printer("Cleo 3", ""), "error", Map.of());
        assertThat(tiles(page).first()).hasText("Cleo 3");
        assertThat(page.evaluate("() => window.same")).isEqualTo(true);
    }

    @Test
    void missedChangesAreShownAfterReconnectWithoutReload() {
        String id = printer("Ada 1", "");
        Page page = signedIn();
        assertThat(page.locator(".tile")).containsText("Ready");
        page.evaluate("() => { window.same = true; }");
        page.context().setOffline(true);
        assertThat(page.getByText("Reconnecting")).isVisible();
        report(id, "printing", progress(42, 3000));
        assertThat(page.locator(".tile")).containsText("Ready");
        page.context().setOffline(false);
        assertThat(page.locator(".tile")).containsText("42 %");
        assertThat(page.getByText("Live")).isVisible();
        assertThat(page.evaluate("() => window.same")).isEqualTo(true);
    }

    /** Otherwise a click could hit a printer that moved under the pointer a moment before. */
    @Test
    void tilesDoNotMoveUnderThePointer() {
        String last = printer("Cleo 3", "");
        printer("Dora 4", "");
        bedToClear("Emil 5");
        Page page = signedIn();
        assertThat(tiles(page)).hasText(new String[] {"Emil 5", "Cleo 3", "Dora 4"});
        page.getByRole(AriaRole.BUTTON, named("Mark bed as clear")).hover();
        report(last, "error", Map.of());
        assertThat(page.locator(".tile[data-state=fault]")).containsText("Cleo 3");
        page.waitForFunction("() => document.querySelector('.chip[data-state=fault]') !== null");
        assertThat(tiles(page)).hasText(new String[] {"Emil 5", "Cleo 3", "Dora 4"});
        page.mouse().move(0, 0);
        assertThat(tiles(page)).hasText(new String[] {"Cleo 3", "Emil 5", "Dora 4"});
    }

    @Test
    void bedsAreConfirmedByKeyboard() {
        furnish();
        Page page = signedIn();
        page.keyboard().press("Tab");
        assertThat(page.getByText("To the content")).isFocused();
        page.keyboard().press("Enter");
        for (int i = 0; i < 20 && page.locator(".tile:focus").count() == 0; i++) {
            page.keyboard().press("Tab");
        }
        assertThat(page.locator(".tile:focus")).containsText("Finn 6");
        page.keyboard().press("ArrowRight");
        assertThat(page.locator(".tile:focus")).containsText("Dora 4");
        page.keyboard().press("c");
        assertThat(page.locator(".tile:focus")).containsText("Ready");
        page.keyboard().press("ArrowRight");
        for (int i = 0; i < 3; i++) {
            page.keyboard().press("Tab");
        }
        assertThat(page.getByRole(AriaRole.BUTTON, named("Mark bed as clear"))).isFocused();
        page.keyboard().press("Enter");
        assertThat(page.locator(".tile", new Page.LocatorOptions().setHasText("Emil 5")))
                .containsText("Ready");
        assertThat(fakeAgent.client().get("/v1/printers?confirmedReady=false").each("name"))
                .doesNotContain("Dora 4", "Emil 5");
        assertThat(fakeAgent
                        .client()
                        .get("/v1/audit-logs?entityType=printer&sort=createdAt:desc&limit=1")
                        .at("[0].sessionName"))
                .isEqualTo("Ada");
    }

    @Test
    void manyBedsAreConfirmedTogetherAndErrorsAreShown() {
        bedToClear("Ada 1");
        String busy = bedToClear("Bob 2");
        Page page = signedIn();
        page.getByRole(AriaRole.BUTTON, named("Select all beds to clear")).click();
        page.route("**/v1/stream", route -> route.abort());
        page.route("**/v1/printers/confirm-ready", route -> {
            report(busy, "printing", progress(1, 3000));
            route.resume();
        });
        page.getByRole(AriaRole.BUTTON, named("Mark beds as clear (2)")).click();
        assertThat(page.locator(".said")).containsText("Ada 1: bed cleared");
        assertThat(page.locator(".refusal")).hasCount(1);
        assertThat(fakeAgent.client().get("/v1/printers?confirmedReady=true").each("name"))
                .containsExactly("Ada 1");
    }

    @Test
    void queueShowsWhyAJobWaitsAndMovesIt() {
        bedToClear("Ada 1");
        String first = fakeAgent.job(", \"tags\": {\"user.tags\": \"nowhere\"}, \"label\": \"first\"");
        String second = fakeAgent.job(", \"tags\": {\"user.tags\": \"nowhere\"}, \"label\": \"second\"");
        Page page = signedIn();
        page.getByRole(AriaRole.LINK, named("Queue")).click();
        Locator rows = page.locator(".row");
        assertThat(rows.first()).containsText("first");
        rows.first()
                .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Why"))
                .click();
        assertThat(page.locator(".why")).containsText("Not what the job's tags ask for 1 printer");
        rows.last()
                .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(Pattern.compile("^Print next")))
                .click();
        assertThat(page.locator(".said")).containsText("moved to the front");
        assertThat(rows.first()).containsText("second");
        rows.last()
                .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(Pattern.compile("^Cancel")))
                .click();
        assertThat(rows).hasCount(1);
        assertThat(fakeAgent.status(first)).isEqualTo("Cancelled");
        assertThat(fakeAgent.status(second)).isEqualTo("Pending");
    }

    @Test
    void printerPageIsCompleteAndEmergencyStopNeedsConfirmation() {
        String id = printer("Ada 1", ", \"modelName\": \"Trident\"");
        fakeAgent.exchange(
                List.of(),
                List.of(),
                List.of(fakeAgent.report(
                        id,
                        "printing",
                        Map.of("nozzle", Map.of("actual", 219.6, "target", 220)),
                        List.of(Map.of(
                                "amsIndex",
                                0,
                                "slotIndex",
                                1,
                                "loaded",
                                true,
                                "materialType",
                                "PETG",
                                "color",
                                "1F6FEB")),
                        progress(40, 3000))));
        Page page = signedIn();
        page.getByRole(AriaRole.LINK, named("Ada 1")).click();
        Locator printer = page.locator(".printer");
        assertThat(printer).containsText("220 °C of 220 °C");
        assertThat(printer).containsText("A2");
        assertThat(printer).containsText("PETG");
        Locator stop = page.getByRole(AriaRole.BUTTON, named("Emergency stop"));
        stop.click();
        assertThat(fakeAgent.exchange().text()).doesNotContain("emergency");
        ConsoleVisit.confirm(page);
        assertThat(page.locator(".said")).containsText("Emergency stop sent");
        assertThat(fakeAgent.exchange().text().toLowerCase(Locale.ROOT)).contains("emergency");
        page.getByRole(AriaRole.BUTTON, named("Disable")).click();
        assertThat(printer).containsText("Out of service");
        assertThat(Browser.barriers(page)).isEmpty();
    }

    @Test
    void agentIsPairedAndAnotherSessionIsSignedOut() {
        Page stranger = signedIn();
        Page page = signedIn();
        page.getByRole(AriaRole.LINK, named("Setup")).click();
        assertThat(page.locator(".setup")).containsText("version 1");
        page.getByRole(AriaRole.BUTTON, named("Pair an agent …")).click();
        assertThat(page.locator("code"))
                .containsText("sudo gantry-agent pair --api "
                        + fakeAgent.client().get("/v1/web-init").at("address"));
        assertThat(page.locator("code")).containsText(Pattern.compile("--code [A-Z]{4}-[2-9]{4}$"));
        assertThat(page.getByText("this browser")).isVisible();
        page.getByRole(AriaRole.BUTTON, named("Sign out")).last().click();
        ConsoleVisit.confirm(page);
        assertThat(page.locator(".said")).containsText("Ada is signed out");
        stranger.reload();
        assertThat(stranger.getByLabel("API key")).isVisible();
        assertThat(Browser.barriers(page)).isEmpty();
        page.setViewportSize(390, 800);
        Browser.fits(page);
    }

    @Test
    void uploadedFileBecomesAPartAndJobs() {
        Page page = signedIn();
        page.getByRole(AriaRole.LINK, named("Print")).click();
        page.locator("input[type=file]").setInputFiles(new FilePayload[] {
            new FilePayload("hinge.gcode", "text/plain", Client.utf8("G28\n")),
            new FilePayload("notes.pdf", "application/pdf", Client.utf8("no"))
        });
        Locator part = page.locator(".partrow", new Page.LocatorOptions().setHasText("hinge"));
        assertThat(part.locator("p[role=status]")).containsText("read");
        assertThat(page.locator(".uploads")).containsText("This file cannot be printed");
        ReadyParts.change(store, fakeAgent.client().get("/v1/parts").each("id").getFirst(), "processingStatus", null);
        part.getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Print …"))
                .click();
        page.getByLabel("Copies").fill("3");
        assertThat(page.locator(".outcome")).containsText("3 jobs");
        page.getByRole(AriaRole.BUTTON, named("Print × 3")).click();
        assertThat(page.locator(".queue .row")).containsText("3 jobs");
        assertThat(fakeAgent.client().get("/v1/print-jobs").each("partName"))
                .containsExactly("hinge", "hinge", "hinge");
    }

    @Test
    void pagesAreAccessible() {
        furnish();
        fakeAgent.job(", \"label\": \"one\"");
        for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
            for (int width : List.of(390, 1280)) {
                Page page = signedIn(browser()
                        .page(new com.microsoft.playwright.Browser.NewContextOptions()
                                .setViewportSize(width, 800)
                                .setColorScheme(scheme)));
                assertThat(tiles(page)).hasCount(6);
                assertThat(Browser.barriers(page))
                        .as("fleet %s %d", scheme, width)
                        .isEmpty();
                Browser.fits(page);
                page.getByRole(AriaRole.LINK, named("Queue")).click();
                assertThat(page.locator(".row")).not().hasCount(0);
                assertThat(Browser.barriers(page))
                        .as("queue %s %d", scheme, width)
                        .isEmpty();
                Browser.fits(page);
                page.getByRole(AriaRole.LINK, named("Print")).click();
                page.getByRole(AriaRole.BUTTON, named("Print …")).first().click();
                assertThat(page.locator(".outcome")).containsText("1 job");
                assertThat(Browser.barriers(page))
                        .as("print %s %d", scheme, width)
                        .isEmpty();
                Browser.fits(page);
                page.getByRole(AriaRole.BUTTON, named("Sign out")).click();
                assertThat(page.getByLabel("API key")).isVisible();
                assertThat(Browser.barriers(page))
                        .as("sign-in %s %d", scheme, width)
                        .isEmpty();
            }
        }
    }
}
