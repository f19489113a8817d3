package farm.gantry.api.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.BoundingBox;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.ReadyParts;
import farm.gantry.api.fixture.Socket;
import farm.gantry.job.JobStatus;
import farm.gantry.job.PrintJob;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Tests that a slip of the hand costs nothing: what cannot be undone is confirmed, and the rest has an undo. */
final class ConsoleSafetyTest extends ConsoleVisit {
    private final FakeAgent fakeAgent = new FakeAgent(store, new Socket());
    private final String part = ReadyParts.uploaded(store, client);

    private String waiting(String label) {
        return fakeAgent.jobOf(
                part, ", \"tags\": {\"user.tags\": \"nowhere\"}, \"quantity\": 1, \"label\": \"%s\"".formatted(label));
    }

    private String printing() {
        String printer = fakeAgent.printer("Ada 1", "");
        String job = waiting("running");
        fakeAgent.change(
                PrintJob.class,
                job,
                Map.of(
                        "status",
                        JobStatus.Printing,
                        "assignedPrinterId",
                        printer,
                        "printingStartedAt",
                        Instant.now().minus(Duration.ofMinutes(192))));
        return job;
    }

    private static Locator row(Page page, String label) {
        return page.locator(".row", new Page.LocatorOptions().setHasText(label));
    }

    private static Locator cancel(Page page, String label) {
        return row(page, label).getByLabel(Pattern.compile("^Cancel: "));
    }

    private static void doubleClick(Page page, Locator target) {
        BoundingBox box = Objects.requireNonNull(target.boundingBox());
        page.mouse().dblclick(box.x + box.width / 2, box.y + box.height / 2);
    }

    @Test
    void doubleClickDoesNotCancelARunningPrint() {
        String job = printing();
        Page page = visit("queue");
        Locator cancel = cancel(page, "running");
        cancel.hover();
        BoundingBox before = Objects.requireNonNull(cancel.boundingBox());
        doubleClick(page, cancel);
        Locator dialog = page.locator("dialog");
        assertThat(dialog).containsText("Ada 1");
        assertThat(dialog).containsText(String.valueOf(fakeAgent.stored(job).at("partName")));
        assertThat(dialog).containsText("3 h 12");
        BoundingBox after = Objects.requireNonNull(cancel.boundingBox());
        assertThat(List.of(after.x, after.y, after.width)).isEqualTo(List.of(before.x, before.y, before.width));
        assertThat(fakeAgent.status(job)).isEqualTo("Printing");
        opensToAll(page);
        button(page, "Keep printing").click();
        assertThat(dialog).hasCount(0);
        assertThat(cancel).isFocused();
        assertThat(fakeAgent.status(job)).isEqualTo("Printing");
        cancel.click();
        confirm(page);
        says(page, "1 job cancelled");
        assertThat(button(page, "Undo")).hasCount(0);
        assertThat(fakeAgent.status(job)).isEqualTo("Cancelled");
    }

    /** The press counts at the time at which it was made, also where the page handles it late. */
    @Test
    void pressWithin600MillisecondsOfTheDialogNeverConfirms() {
        String job = printing();
        Page page = visit("queue");
        cancel(page, "running").waitFor();
        page.evaluate("""
                () => document.querySelector("[aria-label^='Cancel: ']").click()""");
        page.locator("dialog[open]").waitFor();
        page.evaluate("""
                () => {
                  const button = [...document.querySelectorAll("dialog .answers button")].at(-1);
                  button.disabled = false;
                  button.click();
                }""");
        assertThat(page.locator("dialog")).isVisible();
        assertThat(fakeAgent.status(job)).isEqualTo("Printing");
    }

    @Test
    void doubleClickCancelsOneWaitingJobAndUndoBringsItBack() {
        String first = waiting("first");
        String second = waiting("second");
        Page page = visit("queue");
        cancel(page, "first").hover();
        doubleClick(page, cancel(page, "first"));
        says(page, "1 job cancelled");
        assertThat(row(page, "first")).hasCount(0);
        assertThat(fakeAgent.status(second)).isEqualTo("Pending");
        button(page, "Undo").click();
        says(page, "Undone");
        assertThat(row(page, "first")).hasCount(1);
        assertThat(fakeAgent.status(first)).isEqualTo("Pending");
        assertThat(client.get("/v1/print-jobs?status=Pending&sort=queueOrder").each("label"))
                .containsExactly("first", "second");
    }

    @Test
    void placeAndPriorityAreRestoredByUndo() {
        waiting("first");
        waiting("second");
        List<String> before = order();
        Page page = visit("queue");
        row(page, "second").getByLabel(Pattern.compile("^Print next: ")).click();
        says(page, "moved to the front");
        assertThat(order()).isNotEqualTo(before);
        button(page, "Undo").click();
        says(page, "Undone");
        assertThat(order()).isEqualTo(before);
        row(page, "first").getByLabel(Pattern.compile("^Only when idle: ")).click();
        says(page, "only when a printer is idle");
        button(page, "Undo").click();
        says(page, "Undone");
        assertThat(client.get("/v1/print-jobs?priority=1000").each("id")).isEmpty();
    }

    private List<String> order() {
        return client.get("/v1/print-jobs?status=Pending&sort=queueOrder").each("label");
    }
}
