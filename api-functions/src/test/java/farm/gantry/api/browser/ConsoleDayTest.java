package farm.gantry.api.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.FilePayload;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.ReadyParts;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Tests an operator's day in the console: from an empty farm to a printed order, with a failure in between. */
final class ConsoleDayTest extends ConsoleVisit {

    private static Locator tile(Page page, String name) {
        return page.locator(".tile", new Page.LocatorOptions().setHasText(name));
    }

    private static void goTo(Page page, String view) {
        page.getByRole(AriaRole.LINK, named(view)).click();
    }

    private static void clearBed(Page page, String name) {
        goTo(page, "Fleet");
        assertThat(tile(page, name)).containsText("Clear the bed");
        page.mouse().move(0, 0); // tiles stay where they are under a pointer
        tile(page, name).focus();
        page.keyboard().press("c");
        says(page, name + ": bed cleared");
    }

    private static Map<String, Object> prints(FakeAgent fakeAgent, String printer, int percent) {
        Map<String, ?> job = Map.of("fileName", "vase.gcode", "percent", percent, "remainingSeconds", 600);
        return fakeAgent.report(printer, "printing", Map.of(), List.of(), Map.of("job", job));
    }

    private String isSent(FakeAgent fakeAgent, LampStore lampStore, String order) {
        fakeAgent.round();
        return lampStore.jobs(order, "&status=sending-to-printer").getFirst();
    }

    @Test
    void orderIsPrintedFromAnEmptyFarm() {
        Page page = visit("");
        assertThat(page.getByText("No printer is registered yet")).isVisible();
        goTo(page, "Setup");
        assertThat(page.getByText("No agent is paired yet")).isVisible();
        button(page, "Pair an agent …").click();
        String command = page.locator(".pairing code").textContent();
        FakeAgent fakeAgent = new FakeAgent(store, new Socket(), command.replaceAll(".* ", ""));
        assertThat(page.locator(".setup")).containsText("version 1");
        String ada = fakeAgent.printer("Ada 1", "");
        String bob = fakeAgent.printer("Bob 2", "");
        client.patch("/v1/printers/confirm-ready", "{\"ids\":[\"%s\",\"%s\"],\"ready\":false}".formatted(ada, bob));

        goTo(page, "Print");
        page.locator("input[type=file]")
                .setInputFiles(new FilePayload("vase.gcode", "text/plain", Client.utf8("G28\n")));
        assertThat(page.locator(".partrow p[role=status]")).containsText("read");
        String part = client.get("/v1/parts").each("id").getFirst();
        ReadyParts.change(store, part, "processingStatus", null);
        assertThat(button(page, "Print …")).isVisible();
        LampStore lampStore = new LampStore(store, client);
        lampStore.sku("VASE", LampStore.linked(part, "vase", 1, ""));
        String order = String.valueOf(lampStore
                .ordered("{\"order\":{\"orderNumber\":\"1042\"},\"items\":[{\"externalSku\":\"VASE\",\"quantity\":2}]}")
                .at("order.id"));

        goTo(page, "Orders");
        page.locator(".order h2 a").click();
        button(page, "Queue remaining items").click();
        says(page, "2 jobs queued");
        goTo(page, "Queue");
        page.getByText("Why").first().click();
        assertThat(page.locator(".why")).containsText("bed");
        clearBed(page, "Ada 1");
        String first = isSent(fakeAgent, lampStore, order);
        fakeAgent.happened(ada, "jobStarted", first);
        fakeAgent.exchange(List.of(), List.of(), List.of(prints(fakeAgent, ada, 12)));
        assertThat(tile(page, "Ada 1")).containsText("12 %");

        Map<String, ?> fault = Map.of("errors", List.of(Map.of("code", "7", "message", "The filament ran out")));
        fakeAgent.happened(ada, "jobFailed", first);
        fakeAgent.exchange(List.of(), List.of(), List.of(fakeAgent.report(ada, "error", Map.of(), List.of(), fault)));
        assertThat(page.locator(".tile").first()).containsText("Ada 1");
        assertThat(page.locator(".tile").first()).containsText("The filament ran out");
        goTo(page, "Queue");
        page.getByLabel(Pattern.compile("^Retry: ")).first().click();
        says(page, "queued again");

        fakeAgent.exchange(List.of(), List.of(), List.of(fakeAgent.report(ada, "idle")));
        for (String name : List.of("Ada 1", "Bob 2")) {
            clearBed(page, name);
            String printer = name.equals("Ada 1") ? ada : bob;
            String job = isSent(fakeAgent, lampStore, order);
            fakeAgent.happened(printer, "jobStarted", job);
            fakeAgent.exchange(List.of(), List.of(), List.of(prints(fakeAgent, printer, 99)));
            assertThat(tile(page, name)).containsText("99 %");
            fakeAgent.happened(printer, "jobCompleted", job);
            fakeAgent.exchange(List.of(), List.of(), List.of(fakeAgent.report(printer, "finished")));
            assertThat(tile(page, name)).containsText("Print finished");
        }
        goTo(page, "Orders");
        assertThat(page.locator(".order, .empty").first()).isVisible();
        page.navigate(SharedApi.url() + "/console/orders/" + order);
        assertThat(page.locator(".orders")).containsText("2 of 2 printed");
        assertThat(client.get("/v1/audit-logs?entityType=printer&limit=100").each("sessionName"))
                .contains("Ada");
    }
}
