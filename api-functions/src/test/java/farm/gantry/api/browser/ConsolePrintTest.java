package farm.gantry.api.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.FilePayload;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.ReadyParts;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import farm.gantry.api.fixture.Uploads;
import farm.gantry.printer.BedSize;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Tests the print form: the settings of a print, the queued jobs, and the suitable printers. */
final class ConsolePrintTest extends ConsoleVisit {
    private final FakeAgent fakeAgent = new FakeAgent(store, new Socket());

    private String ready(String type, String rest) {
        String part = client.made("/v1/parts", new Uploads(client).part("a." + type, type, rest));
        ReadyParts.change(store, part, "processingStatus", null);
        return part;
    }

    private Page wish(String part) {
        Page page = visit("print?part=" + part);
        assertThat(page.locator(".outcome")).containsText("1 job");
        return page;
    }

    private Answer queued() {
        return client.get("/v1/print-jobs?sort=queueOrder");
    }

    @Test
    void platesMaterialsPriorityAndPrintersAreChosen() {
        fakeAgent.printer("Ada 1", ", \"tags\": [\"petg\"]");
        String material = client.made(
                "/v1/materials",
                "{\"name\":\"PETG\",\"brand\":\"Acme\",\"type\":\"PETG\",\"tags\":[],"
                        + "\"filamentSystemProfileId\":null,\"filamentUserProfileId\":null}");
        String part = ReadyParts.project(store, client, "gcode3mf", "");
        Page page = visit("print?part=" + part);
        assertThat(page.locator(".outcome")).containsText("2 jobs");
        page.getByLabel("two").fill("0");
        page.getByLabel("three").fill("4");
        page.locator(".chooser summary").click();
        assertThat(Objects.requireNonNull(
                                page.locator(".chooser .swatch").last().boundingBox())
                        .width)
                .isGreaterThanOrEqualTo(12);
        page.locator(".chooser input[value='materialId " + material + "']").check();
        page.keyboard().press("Escape");
        page.getByRole(AriaRole.COMBOBOX, named("Priority")).selectOption("low");
        page.getByRole(AriaRole.COMBOBOX, named("Printer")).selectOption("user.tags =petg");
        page.getByLabel("Label").fill("fair");
        page.getByLabel("Copies").fill("2");
        assertThat(page.locator(".outcome")).containsText("8 jobs");
        button(page, "Print × 2").click();
        assertThat(page.locator(".queue .row")).containsText("8 jobs");
        assertThat(queued().each("extensions.3mf.plateId")).hasSize(8).containsOnly("3");
        assertThat(queued().each("priority")).containsOnly("1000");
        assertThat(queued().each("label")).containsOnly("fair");
        assertThat(queued().at("[0].materialAssignments.0[0].materialId")).isEqualTo(material);
        assertThat(queued().at("[0].requiredPrinterTags")).asString().contains("=petg");
    }

    @Test
    void parametersAreSetAndErrorsNameTheirField() {
        String part = ready("stl", """
                , "parameters": [
                  {"name": "width", "type": "number", "default": 10, "min": 5, "max": 20, "group": "Size",
                   "description": "of the lid"},
                  {"name": "kind", "type": "string", "default": "flat", "options": [{"value": "flat"}, {"value": "deep", "label": "Deep"}]},
                  {"name": "lid", "type": "boolean", "default": true},
                  {"name": "logo", "type": "file"}]""");
        Page page = wish(part);
        assertThat(page.locator("fieldset").first()).containsText("Size");
        Locator width = page.getByLabel("width");
        width.fill("99");
        assertThat(width).hasAttribute("aria-invalid", "true");
        assertThat(page.locator("label", new Page.LocatorOptions().setHasText("width")))
                .containsText("must be at most 20");
        assertThat(page.locator(".outcome")).containsText("1 field to correct");
        assertThat(button(page, "Print × 1")).isDisabled();
        opensToAll(page);
        width.fill("12");
        page.getByLabel("kind").selectOption("deep");
        page.getByLabel("lid", new Page.GetByLabelOptions().setExact(true)).uncheck();
        page.getByLabel("logo").setInputFiles(new FilePayload("logo.svg", "image/svg+xml", Client.utf8("<svg/>")));
        assertThat(page.locator("form")).containsText("logo.svg");
        assertThat(page.locator(".outcome")).containsText("1 job");
        button(page, "Print × 1").click();
        assertThat(page.locator(".queue .row")).hasCount(1);
        assertThat(queued().at("[0].parameterOverrides"))
                .asString()
                .contains("width", "12", "deep", "logo.svg")
                .contains("lid");
    }

    @Test
    void matchingPrintersAndReasonsOfOthersAreShown() {
        fakeAgent.printer("Ada 1", "");
        String busy = fakeAgent.printer("Bob 2", "");
        fakeAgent.exchange(List.of(), List.of(), List.of(fakeAgent.report(busy, "printing", "other.gcode", null, 1)));
        String dirty = fakeAgent.printer("Cleo 3", "");
        client.patch("/v1/printers/confirm-ready", "{\"ids\":[\"" + dirty + "\"],\"ready\":false}");
        String offline = fakeAgent.printer("Aaron", "");
        fakeAgent.exchange(List.of(fakeAgent.event(offline, "printerOffline", Map.of())), List.of(), List.of());
        String small = fakeAgent.printer("Dora 4", "");
        fakeAgent.change(farm.gantry.printer.Printer.class, small, Map.of("bedSize", new BedSize(50, 50, 50)));
        String part = ready("gcode", "");
        ReadyParts.change(store, part, "size", new BedSize(100, 100, 100));
        Page page = wish(part);
        Locator takers = page.locator(".takers");
        assertThat(takers).containsText("Free now: Ada 1");
        assertThat(takers)
                .containsText(
                        "Next: Cleo 3 once its bed is cleared, Bob 2 after its current print, Aaron not reachable");
        assertThat(takers).containsText("1 printer cannot");
        takers.locator("summary").click();
        assertThat(takers).containsText("Too small: Dora 4");
        opensToAll(page);
        page.getByRole(AriaRole.COMBOBOX, named("Printer")).selectOption("printer.id =" + small);
        assertThat(takers).containsText("No printer can take it");
    }

    /** Two of three jobs wait for the one printer, so that all are done after three prints. */
    @Test
    void finishTimeIsThatOfThePlan() {
        fakeAgent.printer("Ada 1", "");
        String part = ready("gcode", "");
        ReadyParts.change(store, part, "slicingEstimate", ReadyParts.estimate());
        List<String> requests = new CopyOnWriteArrayList<>();
        Page page = browser().page();
        page.onRequest(request -> {
            if (request.url().endsWith("/v1/plan/what-if")) {
                requests.add(request.postData());
            }
        });
        visit(page, "print?part=" + part);
        page.getByLabel("Copies").fill("3");
        assertThat(page.locator(".planned")).containsText("Likely done");
        assertThat(page.locator(".planned")).containsText("(90 %)");
        assertThat(requests).last().asString().contains("\"quantity\":3", part);
        assertThat(page.locator(".printform")).not().containsText("About");
    }

    @Test
    void repeatedButtonPressQueuesJobsOnce() {
        Page page = wish(ready("gcode", ""));
        page.route("**/v2/builds", route -> {
            String key = Objects.requireNonNull(route.request().headers().get("idempotency-key"));
            Answer first = client.with("idempotency-key", key)
                    .post("/v2/builds", route.request().postData());
            assertThat(first.status()).isEqualTo(201);
            route.abort();
        });
        button(page, "Print × 1").click();
        assertThat(page.locator(".outcome")).containsText("cannot be reached");
        page.unroute("**/v2/builds");
        page.getByLabel("Label").fill("x");
        page.getByLabel("Label").fill("");
        assertThat(page.locator(".outcome")).containsText("1 job");
        button(page, "Print × 1").click();
        assertThat(page.locator(".queue .row")).hasCount(1);
        assertThat(queued().each("id")).hasSize(1);
    }

    /** The page must not learn that the part is no longer ready, because it would then offer no print. */
    @Test
    void buttonPressAfterAnErrorSendsANewRequest() {
        String part = ready("gcode", "");
        Page page = visit("");
        page.route("**/v1/stream", route -> route.abort());
        page.navigate(SharedApi.url() + "/console/print?part=" + part);
        assertThat(page.locator(".outcome")).containsText("1 job");
        ReadyParts.change(store, part, "processingStatus", "failed");
        button(page, "Print × 1").click();
        assertThat(page.locator(".outcome .problem")).isVisible();
        assertThat(queued().each("id")).isEmpty();
        ReadyParts.change(store, part, "processingStatus", null);
        button(page, "Print × 1").click();
        assertThat(page.locator(".queue .row")).hasCount(1);
    }
}
