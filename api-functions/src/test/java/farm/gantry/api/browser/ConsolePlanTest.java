package farm.gantry.api.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.ReadyParts;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import farm.gantry.api.promise.PromiseUpdater;
import farm.gantry.job.PrintJob;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Tests promises in the console and the simulation of other printers, work or hours. */
final class ConsolePlanTest extends ConsoleVisit {
    private final LampStore lampStore = new LampStore(store, client);
    private final FakeAgent fakeAgent = new FakeAgent(store, new Socket());

    @Test
    void simulationShowsLateAndEarlierOrdersAndValidationErrors() {
        fakeAgent.printer("Ada 1", "");
        fakeAgent.printer("Bob 2", "");
        lampStore.sku("VASE", LampStore.linked(ReadyParts.uploaded(store, client), "vase", 1, ""));
        String order = String.valueOf(lampStore
                .ordered("""
                {"order": {"orderNumber": "1042", "deadline": "%s"}, "customer": {"name": "Ada"},
                 "items": [{"externalSku": "VASE", "quantity": 6}]}""".formatted(Instant.now().plusSeconds(4 * 3600)))
                .at("order.id"));
        lampStore.print(order);
        List<String> jobs = lampStore.jobs(order, "");
        jobs.forEach(job -> fakeAgent.change(PrintJob.class, job, Map.of("estimatedSeconds", 3600L)));

        Page page = visit("queue");
        page.getByRole(AriaRole.LINK, named("What if …")).click();
        button(page, "More of a part").click();
        button(page, "Without one").click();
        page.getByLabel("Other working hours").check();
        page.getByLabel("Monday from").fill("");
        tabTo(page, button(page, "Simulate"));
        page.keyboard().press("Enter");
        Locator wrong = page.locator(".field.wrong");
        assertThat(wrong).hasCount(2);
        assertThat(wrong.first()).containsText("Part");
        assertThat(wrong.last()).containsText("Without");
        assertThat(page.locator("[aria-invalid=true]")).hasAttribute("aria-label", "Monday from");
        opensToAll(page);

        button(page, "Remove part 1").click();
        page.getByLabel("Other working hours").uncheck();
        page.getByLabel("Without").selectOption("Bob 2");
        button(page, "Simulate").click();
        Locator outcome = page.locator(".outcomes");
        assertThat(outcome).containsText("none would be done earlier");
        assertThat(outcome).containsText("The whole queue is done by:");
        assertThat(outcome).containsText("Working hours: from the settings.");
        assertThat(outcome.getByRole(AriaRole.ROW).last()).containsText("1042");
        assertThat(outcome.getByRole(AriaRole.ROW).last()).containsText("would be late");

        button(page, "Remove printer 1").click();
        assertThat(outcome).hasCount(0);
        button(page, "More of a kind").click();
        page.getByLabel("Like").selectOption("Ada 1");
        page.getByLabel("How many").fill("0");
        button(page, "More of a part").click();
        page.getByRole(AriaRole.COMBOBOX, named("Part"))
                .selectOption(new com.microsoft.playwright.options.SelectOption().setIndex(1));
        page.getByLabel("Copies").fill("2");
        button(page, "Simulate").click();
        assertThat(wrong).containsText("How many");
        page.getByLabel("How many").fill("4");
        button(page, "Simulate").click();
        assertThat(outcome).containsText("2 jobs of");
        assertThat(outcome.getByRole(AriaRole.ROW).last()).containsText("earlier");
        opensToAll(page);
        assertThat(client.get("/v1/print-jobs").each("id")).hasSameElementsAs(jobs);
    }

    @Test
    void tileShowsThePromiseAndOrderShowsItsLateness() {
        String printer = fakeAgent.printer("Ada 1", "");
        lampStore.sku("VASE", LampStore.linked(ReadyParts.uploaded(store, client), "vase", 1, ""));
        lampStore.print(String.valueOf(
                lampStore.ordered("""
                {"order": {"orderNumber": "1042", "deadline": "%s"}, "customer": {"name": "Ada"},
                 "items": [{"externalSku": "VASE", "quantity": 2}]}""".formatted(Instant.now().plusSeconds(600))).at("order.id")));
        fakeAgent.round();
        String job = client.get("/v1/print-jobs?status=sending-to-printer")
                .each("id")
                .getFirst();
        fakeAgent.happened(printer, "jobStarted", job);
        fakeAgent.exchange(
                List.of(),
                List.of(),
                List.of(fakeAgent.report(
                        printer,
                        "printing",
                        Map.of(),
                        List.of(),
                        Map.of("job", Map.of("jobId", job, "fileName", "a", "percent", 1, "remainingSeconds", 7200)))));
        SharedApi.bean(PromiseUpdater.class).plan(store.id());
        Page page = visit("");
        assertThat(page.locator(".tile")).containsText("done by");
        opensToAll(page);
        page.getByRole(AriaRole.LINK, named("Orders")).click();
        assertThat(page.locator(".order")).containsText("late: done by");
        opensToAll(page);
        page.getByRole(AriaRole.LINK, named("Queue")).click();
        button(page, Pattern.compile("^Why")).click();
        assertThat(page.locator(".waits")).containsText("at the latest");
        assertThat(page.locator(".waits")).containsText("Working hours: from the settings.");
        opensToAll(page);
    }
}
