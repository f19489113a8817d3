package farm.gantry.api.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Response;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.BoundingBox;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.ReadyParts;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import farm.gantry.api.promise.PromiseUpdater;
import farm.gantry.job.JobStatus;
import farm.gantry.job.PrintJob;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests the console's queue: its order, jobs that wait for a person, and finished jobs. */
final class ConsoleQueueTest extends ConsoleVisit {
    private final FakeAgent fakeAgent = new FakeAgent(store, new Socket());
    private final String part = ReadyParts.uploaded(store, client);

    private String waiting(String label, int quantity) {
        return fakeAgent.jobOf(
                part,
                ", \"tags\": {\"user.tags\": \"nowhere\"}, \"quantity\": %d, \"label\": \"%s\""
                        .formatted(quantity, label));
    }

    /** Creates three, one and two jobs of three parts. */
    private void furnish() {
        waiting("first", 3);
        waiting("second", 1);
        waiting("third", 2);
    }

    private static Locator rows(Page page) {
        return page.locator(".row .what > p:first-of-type");
    }

    private static void stand(Page page, String... labels) {
        Pattern[] patterns = new Pattern[labels.length];
        for (int i = 0; i < labels.length; i++) {
            patterns[i] = Pattern.compile(labels[i]);
        }
        assertThat(rows(page)).hasText(patterns);
    }

    private List<String> inOrder(String field) {
        return client.get("/v1/print-jobs?status=Pending&sort=queueOrder").each(field);
    }

    private static Locator handle(Page page, String label) {
        return page.locator(".row", new Page.LocatorOptions().setHasText(label)).locator(".handle");
    }

    private static void isReordered(Page page, Runnable does) {
        Response answer = page.waitForResponse(each -> each.url().endsWith("/bulk-reorder"), does);
        assertThat(answer.status()).isEqualTo(200);
    }

    private static void drag(Page page, String from, String to, boolean drop) {
        BoundingBox target = Objects.requireNonNull(
                page.locator(".row", new Page.LocatorOptions().setHasText(to)).boundingBox());
        handle(page, from).hover();
        page.mouse().down();
        page.mouse().move(target.x + 30, target.y + 30);
        page.mouse().move(target.x + 30, target.y + 4);
        assertThat(page.locator(".row[data-drop]")).hasCount(1);
        if (drop) {
            page.mouse().up();
        }
    }

    @Test
    void draggedRowMovesWithoutLosingOrDuplicatingJobs() {
        furnish();
        List<String> places = inOrder("queueOrder");
        Page page = visit("queue");
        stand(page, "first", "second", "third");
        isReordered(page, () -> drag(page, "third", "first", true));
        stand(page, "third", "first", "second");
        assertThat(inOrder("label")).containsExactly("third", "third", "first", "first", "first", "second");
        assertThat(inOrder("queueOrder")).isEqualTo(places);
        page.reload();
        stand(page, "third", "first", "second");
    }

    @Test
    void longQueueDrawsOnlyTheRowsNearTheScreen() {
        for (int i = 1; i <= 50; i++) {
            waiting("row " + i + ".", 1);
        }
        Page page = visit("queue");
        Locator last = page.getByText("row 50.");
        assertThat(page.getByText("row 1.")).isVisible();
        assertThat(last).hasCount(0);
        page.evaluate("() => scrollTo(0, document.body.scrollHeight)");
        assertThat(last).isVisible();
        assertThat(page.getByText("row 1.")).hasCount(0);
    }

    @Test
    void rejectedMoveIsShownAndReverted() {
        furnish();
        Page page = visit("queue");
        stand(page, "first", "second", "third");
        page.route("**/bulk-reorder", route -> route.abort());
        drag(page, "third", "first", true);
        says(page, "Not moved, and put back");
        stand(page, "first", "second", "third");
        page.unroute("**/bulk-reorder");
        drag(page, "third", "first", false);
        page.keyboard().press("Escape");
        page.mouse().up();
        assertThat(page.locator(".row[data-held]")).hasCount(0);
        stand(page, "first", "second", "third");
        assertThat(inOrder("label")).containsExactly("first", "first", "first", "second", "third", "third");
    }

    /** A row whose job leaves the queue while it is dragged is not moved back into it. */
    @Test
    void rowThatLeftTheQueueIsNotMoved() {
        furnish();
        Page page = visit("queue");
        stand(page, "first", "second", "third");
        drag(page, "second", "first", false);
        client.patch(
                "/v1/print-jobs/cancel", "{\"printJobIds\":[\"" + inOrder("id").get(3) + "\"]}");
        stand(page, "first", "third");
        page.mouse().move(300, 300);
        page.mouse().up();
        stand(page, "first", "third");
        assertThat(inOrder("label")).containsExactly("first", "first", "first", "third", "third");
    }

    @Test
    void rowIsMovedByKeyboard() {
        furnish();
        Page page = visit("queue");
        stand(page, "first", "second", "third");
        tabTo(page, handle(page, "first"));
        isReordered(page, () -> page.keyboard().press("Alt+ArrowDown"));
        stand(page, "second", "first", "third");
        assertThat(handle(page, "first")).isFocused();
        assertThat(page.locator("[aria-live=assertive]")).containsText("place 2 of 3");
        page.keyboard().press("Enter");
        assertThat(handle(page, "first")).hasAttribute("aria-pressed", "true");
        page.keyboard().press("ArrowDown");
        assertThat(page.locator("[aria-live=assertive]")).containsText("place 3 of 3");
        page.keyboard().press("Escape");
        assertThat(page.locator("[aria-live=assertive]")).containsText("Moved back");
        page.keyboard().press(" ");
        page.keyboard().press("ArrowDown");
        isReordered(page, () -> page.keyboard().press(" "));
        stand(page, "second", "third", "first");
        assertThat(handle(page, "first")).isFocused();
        assertThat(inOrder("label")).containsExactly("second", "third", "third", "first", "first", "first");
        assertThat(inOrder("id")).doesNotHaveDuplicates().hasSize(6);
    }

    @Test
    void selectedJobsAreSetToIdlePriority() {
        furnish();
        Page page = visit("queue");
        page.locator(".row input").first().check();
        page.locator(".bulk").getByText("Only when idle").click();
        says(page, "3 jobs printed only when a printer is idle");
        assertThat(page.locator("section").last()).containsText("Only when idle");
        stand(page, "second", "third", "first");
        assertThat(client.get("/v1/print-jobs?priority=1000").each("label")).containsExactly("first", "first", "first");
        page.getByLabel("Select all: Waiting", new Page.GetByLabelOptions().setExact(true))
                .check();
        page.locator(".bulk").getByText("Cancel").click();
        says(page, "3 jobs cancelled");
        stand(page, "first");
    }

    private void change(String job, Map<String, ? extends @Nullable Object> changes) {
        fakeAgent.change(PrintJob.class, job, changes);
    }

    @Test
    void jobsWaitingForApprovalAreShown() {
        String printer = fakeAgent.printer("Ada 1", "");
        String job = waiting("careful", 1);
        change(
                job,
                Map.of(
                        "status",
                        JobStatus.WAITING_FOR_APPROVAL,
                        "assignedPrinterId",
                        printer,
                        "layerCount",
                        212,
                        "estimatedSeconds",
                        5400,
                        "materialMapping",
                        Map.of("0", Map.of("amsIndex", 0, "slotIndex", 1))));
        Page page = visit("queue");
        Locator details = page.locator(".details");
        assertThat(details).containsText("Ada 1");
        assertThat(details).containsText("212 layers");
        assertThat(details).containsText("1 from A2");
        assertThat(details.getByText("G-code")).hasAttribute("href", Pattern.compile("^http.*"));
        page.getByLabel(Pattern.compile("^Approve: ")).click();
        says(page, "1 job approved");
        assertThat(fakeAgent.status(job)).isNotEqualTo("Waiting-for-approval");
    }

    @Test
    void failedJobsAreRetriedOrDismissedAndHistoryIsShown() {
        String failed = waiting("bad", 2);
        List<String> both = inOrder("id");
        both.forEach(id -> change(id, Map.of("status", JobStatus.Failed, "errorMessage", "Spaghetti was seen")));
        String done = waiting("good", 1);
        change(done, Map.of("status", JobStatus.Completed, "printingCompletedAt", "2026-01-02T00:00:00Z"));
        Page page = visit("queue");
        assertThat(page.locator(".row")).containsText("Spaghetti was seen (2 jobs)");
        page.getByRole(AriaRole.LINK, named("Finished work")).click();
        assertThat(page.locator(".row")).hasCount(3);
        opensToAll(page);
        button(page, "Failed").click();
        assertThat(page.locator(".row")).hasCount(2);
        page.getByLabel(Pattern.compile("^Retry: ")).first().click();
        says(page, "queued again");
        assertThat(page.locator(".row")).hasCount(1);
        page.getByRole(AriaRole.LINK, named("Queue")).click();
        page.getByLabel(Pattern.compile("^Dismiss: ")).click();
        says(page, "1 job dismissed");
        stand(page, "bad");
        assertThat(both.stream().map(fakeAgent::status)).containsExactlyInAnyOrder("Pending", "Failed");
        assertThat(both).contains(failed);
    }

    @Test
    void waitingJobShowsItsPromiseAndReasons() {
        fakeAgent.printer("K", "");
        String job = fakeAgent.jobOf(part, ", \"quantity\": 1, \"label\": \"soon\"");
        fakeAgent.change(PrintJob.class, job, Map.of("estimatedSeconds", 600L));
        SharedApi.bean(PromiseUpdater.class).plan(store.id());
        Page page = visit("queue");
        assertThat(page.locator(".row .promised")).containsText("done by");
        page.locator("button", new Page.LocatorOptions().setHasText("Why")).click();
        assertThat(page.locator(".waits li")).containsText("It prints on K until");
    }

    @Test
    void jobThatLacksFilamentIsAllowedToStartWithOnePressAndForbiddenAgain() {
        String spool = client.made("/v1/materials/instances", "{\"materialType\":\"PLA\",\"remainingGrams\":25}");
        client.patch(
                "/v1/printer-slots/assign",
                "{\"printerIds\":[\"%s\"],\"slots\":[{\"amsIndex\":0,\"slotIndex\":0}],\"instanceId\":\"%s\"}"
                        .formatted(fakeAgent.printer("K", ""), spool));
        ReadyParts.change(store, part, "slicingEstimate", ReadyParts.estimate("PLA", 40));
        String job = fakeAgent.jobOf(part, ",\"materials\":{\"0\":[{\"materialType\":\"PLA\"}]}");
        Page page = visit("queue");
        page.locator("button", new Page.LocatorOptions().setHasText("Why")).click();
        Locator reason =
                page.locator(".why li").filter(new Locator.FilterOptions().setHasText("Too little filament left"));
        Locator allow = reason.locator("button");
        assertThat(allow).hasText("Print with what is left");
        allow.click();
        assertThat(allow).hasCount(0);
        assertThat(fakeAgent.stored(job).at("allowInsufficientMaterial")).isEqualTo(true);
        page.locator("button", new Page.LocatorOptions().setHasText("Undo")).click();
        assertThat(allow).hasCount(1);
        assertThat(fakeAgent.stored(job).at("allowInsufficientMaterial")).isEqualTo(false);
    }

    @Test
    void timesAreInTheTimeZoneOfTheStoreWhichIsNamedWhereTheReadersDiffers() {
        client.patch("/v1/settings/store", "{\"timezone\":\"Asia/Tokyo\"}");
        fakeAgent.printer("K", "");
        String job = fakeAgent.jobOf(part, ", \"quantity\": 1, \"label\": \"soon\"");
        fakeAgent.change(PrintJob.class, job, Map.of("estimatedSeconds", 600L));
        SharedApi.bean(PromiseUpdater.class).plan(store.id());
        Page page = browser()
                .page(new com.microsoft.playwright.Browser.NewContextOptions()
                        .setTimezoneId("Europe/Berlin")
                        .setLocale("en-GB"));
        visit(page, "queue");
        assertThat(page.locator(".row .promised")).containsText(Pattern.compile("done by .*\\d\\d:\\d\\d GMT\\+9"));
        button(page, Pattern.compile("^Why")).click();
        assertThat(page.locator(".waits li")).containsText(Pattern.compile("until .*\\d\\d:\\d\\d GMT\\+9\\.$"));
        page.getByLabel(Pattern.compile("^Details of")).click();
        assertThat(page.locator(".details")).containsText("GMT+9");
    }

    @Test
    void pageIsAccessible() {
        furnish();
        Page page = visit("queue");
        stand(page, "first", "second", "third");
        page.getByLabel(Pattern.compile("^Details of")).first().click();
        assertThat(page.locator(".details")).containsText("Queued");
        opensToAll(page);
    }
}
