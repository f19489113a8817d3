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
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Tests the console's views of failures: releasing quarantined printers and parts, and checking print quality. */
final class ConsoleFailuresTest extends ConsoleVisit {
    private final FakeAgent fakeAgent = new FakeAgent(store, new Socket());
    private final String printer = fakeAgent.printer("Ada 1", "");
    private final String part = ReadyParts.uploaded(store, client);

    private String ended(String kind) {
        String job = fakeAgent.jobOf(part, "");
        fakeAgent.confirm(printer);
        fakeAgent.round();
        fakeAgent.happened(printer, "jobStarted", job);
        fakeAgent.happened(printer, kind, job);
        return job;
    }

    @Test
    void quarantineIsReleasedAndFailureRatesAreShown() {
        ended("jobCompleted");
        ended("jobFailed");
        String ids = "{\"ids\":[\"%s\"],\"%s\":true,\"reason\":\"%s\"}";
        client.patch("/v1/printers/quarantine", ids.formatted(printer, "quarantined", "It smells."));
        client.patch("/v1/parts/hold", ids.formatted(part, "held", "It comes loose."));
        client.patch("/v1/queue", "{\"paused\":true,\"reason\":\"Fire drill.\"}");
        fakeAgent.confirm(printer);
        Page page = visit("");
        assertThat(page.locator(".tile")).containsText("Fault");
        assertThat(page.locator(".tile")).containsText("In quarantine: It smells.");
        page.getByRole(AriaRole.LINK, named("Queue")).click();
        assertThat(page.locator(".stopped")).containsText("Fire drill.");
        button(page, "Resume").click();
        says(page, "Queue resumed");
        assertThat(client.get("/v1/queue").at("paused")).isEqualTo(false);

        page.getByRole(AriaRole.LINK, named("Failures")).click();
        button(page, "Pause the queue").click();
        assertThat(page.locator(".stopped")).isVisible();
        button(page, "Undo").click();
        says(page, "Queue resumed");
        button(page, "Pause the queue").click();
        assertThat(page.locator(".stopped")).isVisible();
        assertThat(page.locator(".sums").first()).containsText("50 %");
        assertThat(page.locator(".failures")).containsText("It comes loose.");
        opensToAll(page);
        tabTo(page, button(page, "Release Ada 1"));
        page.keyboard().press("Enter");
        says(page, "Ada 1 is released");
        assertThat(button(page, "Release Ada 1")).hasCount(0);
        button(page, Pattern.compile("^Release ")).click();
        assertThat(button(page, Pattern.compile("^Release "))).hasCount(0);
        assertThat(client.get("/v1/printers/" + printer).at("quarantinedAt")).isNull();
        assertThat(client.get("/v1/parts/" + part).at("heldAt")).isNull();
    }

    @Test
    void keptFinishTimesAreShownByProvider() {
        String job = fakeAgent.jobOf(part, "");
        fakeAgent.change(PrintJob.class, job, Map.of("estimatedSeconds", 3600L));
        SharedApi.bean(PromiseUpdater.class).plan(store.id());
        fakeAgent.confirm(printer);
        fakeAgent.round();
        fakeAgent.happened(printer, "jobStarted", job);
        fakeAgent.happened(printer, "jobCompleted", job);
        Page page = visit("failures");
        Locator report = page.locator(".kept");
        assertThat(report)
                .containsText("Of 1 job, 100 % were done by the likely time (50 % is ideal)"
                        + " and 100 % by the latest time (90 % is ideal).");
        assertThat(report.getByRole(AriaRole.ROW).last()).containsText("Klipper (Moonraker)1100 %100 %");
        opensToAll(page);
    }

    /** The queue and the finished work used to count jobs, so that a retry erased the failure. */
    @Test
    void failureCountsAfterItsJobIsRetried() {
        ended("jobCompleted");
        String failed = ended("jobFailed");
        client.patch("/v1/print-jobs/retry", "{\"printJobIds\":[\"" + failed + "\"]}");
        Page page = visit("queue");
        assertThat(page.locator(".day")).containsText("1 failed (50 % succeeded)");
        page.getByRole(AriaRole.LINK, named("Finished work")).click();
        assertThat(page.locator(".rates")).containsText("50 %");
    }

    @Test
    void rejectedPieceOfAFinishedPrintIsReprinted() {
        String job = ended("jobCompleted");
        Page page = visit("finished");
        button(page, Pattern.compile("^Check quality of ")).click();
        page.getByLabel("Good").fill("3");
        page.getByLabel("Rejected").fill("-1");
        page.getByLabel("Why").fill("Warped.");
        button(page, "Save").click();
        assertThat(page.locator(".field.wrong")).containsText("Rejected");
        opensToAll(page);
        page.getByLabel("Rejected").fill("1");
        page.getByLabel("Why").press("Enter");
        Locator row = page.locator(".row");
        assertThat(row).containsText("3 good, 1 rejected: Warped.");
        assertThat(row).containsText("Another job prints the rejected pieces again");
        List<String> again = client.get("/v1/print-jobs?replacesJobId=" + job).each("id");
        assertThat(again).hasSize(1);
        opensToAll(page);
    }
}
