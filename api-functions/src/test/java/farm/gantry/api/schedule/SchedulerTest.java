package farm.gantry.api.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.browser.LampStore;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Tables;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.Eventually;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import farm.gantry.api.queue.WorkLoop;
import farm.gantry.job.PrintJob;
import farm.gantry.printer.Printer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests which jobs are assigned to free printers and which keep waiting. */
final class SchedulerTest {
    private final FakeAgent fakeAgent = new FakeAgent(SharedApi.newStore(), new Socket());
    private final Client client = fakeAgent.client();

    private void awaitStatus(String job, String status) {
        Eventually.until(job + " is " + status, () -> fakeAgent.status(job).equals(status));
    }

    @Test
    void lowPriorityJobWaitsWhenTheStoreSaysSo() {
        client.patch("/v1/settings/store", "{\"processLowPriorityJobs\":false}");
        fakeAgent.printer("one", "");
        fakeAgent.printer("two", "");
        String idle = fakeAgent.job(",\"priority\":1000");
        String urgent = fakeAgent.job("");
        try (WorkLoop _ = SharedApi.bean(Scheduler.class).start()) {
            awaitStatus(urgent, "Sending-to-printer");
            assertThat(fakeAgent.status(idle)).isEqualTo("Pending");
            client.patch("/v1/settings/store", "{\"processLowPriorityJobs\":true}");
            awaitStatus(idle, "Sending-to-printer");
        }
    }

    @Test
    void lowPriorityJobIsPlacedOnlyWhenNoOtherCanBe() {
        String idle = fakeAgent.job(",\"priority\":1000");
        String urgent = fakeAgent.job("");
        fakeAgent.printer("one", "");
        fakeAgent.round();
        assertThat(fakeAgent.status(urgent)).isEqualTo("Sending-to-printer");
        fakeAgent.printer("two", "");
        fakeAgent.round();
        assertThat(fakeAgent.status(idle)).isEqualTo("Sending-to-printer");
    }

    @Test
    void jobBehindManyUnplaceableJobsGetsAPrinter() {
        String printer = fakeAgent.printer("one", "");
        for (int build = 0; build < 2; build++) {
            fakeAgent.job(", \"quantity\": 500, \"tags\": {\"user.tags\": \"nowhere\"}");
        }
        String last = fakeAgent.job("");
        fakeAgent.round();
        assertThat(fakeAgent.status(last)).isEqualTo("Sending-to-printer");
        assertThat(fakeAgent.stateOf(printer).at("printingJobId")).isEqualTo(last);
        assertThat(client.get("/v1/part-builds/" + fakeAgent.stored(last).at("partBuildId"))
                        .at("status"))
                .isEqualTo("sending-to-printer");
    }

    @Test
    void repeatedRoundChangesNothing() {
        String printer = fakeAgent.printer("one", "");
        String job = fakeAgent.job("");
        fakeAgent.round();
        fakeAgent.round();
        assertThat(fakeAgent.stored(job).at("attempt")).isEqualTo(1);
        assertThat(fakeAgent.stateOf(printer).at("printingJobId")).isEqualTo(job);
        assertThat(fakeAgent.exchange().json().get("commands").size()).isEqualTo(1);
    }

    private String throttled(String conditions) {
        String group = client.made(
                "/v1/printer-throttle-groups",
                "{\"name\":\"fuse\",\"enabled\":true,\"maxConcurrentStarts\":1,\"fallbackTimeoutSeconds\":600,"
                        + "\"temperatureToleranceC\":2,\"releaseConditions\":{" + conditions + "}}");
        return ", \"throttleGroupId\": \"" + group + "\"";
    }

    /** Queues a job that waits on its printer until another printer of the throttle group is warm. */
    private String readyBehindAnother() {
        String grouped = throttled("");
        fakeAgent.printer("a", grouped);
        fakeAgent.printer("b", grouped);
        fakeAgent.job("");
        String ready = fakeAgent.job("");
        fakeAgent.round();
        assertThat(fakeAgent.status(ready)).isEqualTo("Ready-for-printer");
        return ready;
    }

    private static Map<String, ?> bed(double actual) {
        return Map.of("bed", Map.of("actual", actual, "target", 60));
    }

    @Test
    void startsOfAGroupWaitUntilTheFirstIsWarm() {
        String grouped = throttled("\"bed\":{\"mode\":\"percent-of-target\",\"percent\":90}");
        List<String> printers = List.of(
                fakeAgent.printer("a", grouped), fakeAgent.printer("b", grouped), fakeAgent.printer("c", grouped));
        List<String> jobs = printers.stream()
                .map(printer -> fakeAgent.job(", \"tags\": {\"printer.id\": \"" + printer + "\"}"))
                .toList();
        fakeAgent.round();
        assertThat(jobs.stream().map(fakeAgent::status))
                .containsExactly("Sending-to-printer", "Ready-for-printer", "Ready-for-printer");
        assertThat(fakeAgent.stateOf(printers.get(1)).at("printingJobId")).isEqualTo(jobs.get(1));
        assertThat(client.get("/v1/print-jobs/" + jobs.get(1) + "/matching-details")
                        .at("details." + printers.get(1) + ".reasonCode"))
                .isEqualTo("throttled");

        fakeAgent.happened(printers.get(0), "jobStarted", jobs.get(0));
        fakeAgent.exchange(
                List.of(), List.of(), List.of(fakeAgent.report(printers.get(0), "printing", bed(40), List.of())));
        fakeAgent.round();
        assertThat(fakeAgent.status(jobs.get(1))).isEqualTo("Ready-for-printer");
        fakeAgent.exchange(
                List.of(), List.of(), List.of(fakeAgent.report(printers.get(0), "printing", bed(53), List.of())));
        fakeAgent.round();
        assertThat(jobs.stream().map(fakeAgent::status))
                .containsExactly("Printing", "Sending-to-printer", "Ready-for-printer");

        fakeAgent.roundAt(Instant.now().plusSeconds(601));
        assertThat(fakeAgent.status(jobs.get(2))).isEqualTo("Sending-to-printer");
    }

    @Test
    void eventOfACancelledJobShowsThePrintersNewState() {
        LampStore subscribed = new LampStore(fakeAgent.store(), client);
        subscribed.subscribe();
        client.patch("/v1/settings/notifications/webhook/events", "{\"onJobCancelled\":true}");
        String waiting = readyBehindAnother();
        client.patch("/v1/print-jobs/cancel", "{\"printJobIds\":[\"" + waiting + "\"]}");
        assertThat(subscribed.events()).containsExactly("onJobCancelled");
        assertThat(String.valueOf(subscribed.deliveries().getFirst().body()))
                .contains("printingJobId=null", "isAvailable=true");
    }

    @Test
    void nextStartIsMadeWhenAStartTimesOut() {
        String grouped = throttled("\"duration\":{\"seconds\":1}");
        fakeAgent.printer("a", grouped);
        fakeAgent.printer("b", grouped);
        String job = fakeAgent.job(",\"quantity\":2");
        Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        SchedulingRound.Outcome round = SharedApi.bean(Database.class)
                .in(
                        fakeAgent.store().id(),
                        tx -> SharedApi.bean(SchedulingRound.class).run(tx, now));
        assertThat(fakeAgent.status(job)).isEqualTo("Sending-to-printer");
        assertThat(round.next()).isEqualTo(now.plusSeconds(1));
    }

    @Test
    void raisedGroupLimitAppliesAtOnce() {
        String grouped = throttled("");
        fakeAgent.printer("a", grouped);
        fakeAgent.printer("b", grouped);
        String first = fakeAgent.job("");
        String second = fakeAgent.job("");
        try (WorkLoop _ = SharedApi.bean(Scheduler.class).start()) {
            awaitStatus(first, "Sending-to-printer");
            awaitStatus(second, "Ready-for-printer");
            client.patch(
                    "/v1/printer-throttle-groups/" + grouped.replaceAll(".*: \"|\"", ""),
                    "{\"maxConcurrentStarts\":2}");
            awaitStatus(second, "Sending-to-printer");
        }
    }

    @Test
    void startThatEndsEarlyReleasesItsThrottleSlot() {
        String grouped = throttled("");
        String one = fakeAgent.printer("a", grouped);
        fakeAgent.printer("b", grouped);
        String first = fakeAgent.job("");
        String second = fakeAgent.job("");
        fakeAgent.round();
        assertThat(fakeAgent.status(second)).isEqualTo("Ready-for-printer");
        fakeAgent.happened(one, "jobFailed", first);
        fakeAgent.round();
        assertThat(fakeAgent.status(second)).isEqualTo("Sending-to-printer");
    }

    @Test
    void throttledJobReturnsToTheQueueWhenItsPrinterBecomesUnsuitable() {
        String grouped = throttled("");
        fakeAgent.printer("a", grouped);
        String second = fakeAgent.printer("b", grouped);
        fakeAgent.job("");
        String held = fakeAgent.job("");
        fakeAgent.round();
        assertThat(fakeAgent.stored(held).at("assignedPrinterId")).isEqualTo(second);
        fakeAgent.change(Printer.class, second, Map.of("isOnline", false));
        fakeAgent.round();
        assertThat(fakeAgent.status(held)).isEqualTo("Pending");
        assertThat(fakeAgent.stateOf(second).at("printingJobId")).isNull();
        assertThat(fakeAgent.stateOf(second).at("confirmedReady")).isEqualTo(true);
    }

    @Test
    void startWaitsForTheNewGroupOfItsPrinter() throws Exception {
        String printer = fakeAgent.printer("a", "");
        String job = fakeAgent.job("");
        try (ExecutorService other = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> round = SharedApi.bean(Database.class)
                    .in(fakeAgent.store().id(), tx -> {
                        SharedApi.bean(Tables.class).of(PrintJob.class).lock(tx, job);
                        Future<?> started = other.submit(() -> fakeAgent.round());
                        SharedApi.awaitBlocked(tx);
                        client.patch("/v1/printers/" + printer, "{\"tags\":[]" + throttled("") + "}");
                        return started;
                    });
            round.get(5, TimeUnit.MINUTES);
        }
        assertThat(fakeAgent.status(job)).isEqualTo("Ready-for-printer");
        fakeAgent.round();
        assertThat(fakeAgent.status(job)).isEqualTo("Sending-to-printer");
    }

    @Test
    void roundLocksNoPrinterWhileWaitingForAJob() throws Exception {
        String ready = readyBehindAnother();
        String free = fakeAgent.printer("c", "");
        String waiting = fakeAgent.job("");
        AtomicInteger runs = new AtomicInteger();
        Database database = SharedApi.bean(Database.class);
        Tables tables = SharedApi.bean(Tables.class);
        try (ExecutorService other = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> round = database.in(fakeAgent.store().id(), tx -> {
                tables.of(PrintJob.class).lock(tx, ready);
                Future<?> started =
                        other.submit(() -> database.in(fakeAgent.store().id(), inRound -> {
                            runs.incrementAndGet();
                            return SharedApi.bean(SchedulingRound.class).run(inRound, Instant.now());
                        }));
                SharedApi.awaitBlocked(tx);
                return tables.of(Printer.class).lock(tx, free).map(_ -> started).orElseThrow();
            });
            round.get(5, TimeUnit.MINUTES);
        }
        assertThat(runs.get()).isEqualTo(1);
        assertThat(fakeAgent.status(waiting)).isEqualTo("Sending-to-printer");
    }
}
