package farm.gantry.api.promise;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.database.Database;
import farm.gantry.api.database.Tx;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import farm.gantry.job.PrintJob;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Tests what promises learn from prints and from people who clear beds, and that it counts at once. */
final class FarmLearnerTest {
    private final FakeAgent fakeAgent = new FakeAgent(SharedApi.newStore(), new Socket());
    private final Client client = fakeAgent.client();

    private <T> T stored(Function<Tx, T> work) {
        return SharedApi.bean(Database.class).in(fakeAgent.store().id(), work);
    }

    private String job(long seconds) {
        String job = fakeAgent.job("");
        fakeAgent.change(PrintJob.class, job, Map.of("estimatedSeconds", seconds));
        return job;
    }

    private void start(String printer, String job) {
        fakeAgent.round();
        fakeAgent.happened(printer, "jobStarted", job);
    }

    private void complete(String printer, String job) {
        fakeAgent.happened(printer, "jobCompleted", job);
    }

    private void setEndedBefore(String job, Duration time) {
        stored(tx -> tx.update(
                "update farm.\"printAttempt\" set \"endedAt\" = now() - make_interval(secs => ?)"
                        + " where \"storeId\" = ? and \"printJobId\" = ?",
                time.toSeconds(),
                fakeAgent.store().id().value(),
                job));
    }

    private boolean isClearingNoted(String job) {
        return stored(tx -> tx.one(
                "select \"bedClearedAt\" is not null from farm.\"printAttempt\""
                        + " where \"storeId\" = ? and \"printJobId\" = ?",
                rows -> rows.getBoolean(1),
                fakeAgent.store().id().value(),
                job));
    }

    private Answer promise(String job) {
        SharedApi.bean(PromiseUpdater.class).plan(fakeAgent.store().id());
        return client.get("/v1/print-jobs/" + job + "/promise");
    }

    private static Instant promisedAt(Answer promise) {
        return Instant.parse(String.valueOf(promise.at("promisedAt")));
    }

    @Test
    void clearingTimeIsLearnedFromConfirmations() {
        String printer = fakeAgent.printer("K", "");
        String last = job(60);
        assertThat(promise(last).at("workingHoursFrom")).isEqualTo("settings");
        client.patch("/v1/print-jobs/cancel", "{\"printJobIds\":[\"" + last + "\"]}");
        for (int i = 0; i < 16; i++) {
            String job = job(60);
            start(printer, job);
            complete(printer, job);
            setEndedBefore(job, Duration.ofMinutes(20));
            fakeAgent.confirm(printer);
            assertThat(isClearingNoted(job)).isTrue();
        }
        String current = job(600);
        start(printer, current);
        String next = job(60);
        Answer promise = promise(next);
        assertThat(promise.at("workingHoursFrom")).as(promise.text()).isEqualTo("confirmations");
        assertThat(promise.at("waits[1].code")).as(promise.text()).isEqualTo("bed");
        Instant free = Instant.parse(String.valueOf(promise.at("waits[0].until")));
        assertThat(Instant.parse(String.valueOf(promise.at("waits[1].until"))))
                .isBetween(free.plusSeconds(360), free.plusSeconds(1200));
        Answer whatIf = client.post("/v1/plan/what-if", "{}");
        assertThat(whatIf.at("workingHoursFrom")).as(whatIf.text()).isEqualTo("confirmations");
    }

    @Test
    void timeOfTheMacroThatClearsTheBedIsLearned() {
        String printer = fakeAgent.printer("K", ", \"modelName\": \"Trident\", \"vendorName\": \"Voron\"");
        client.made("/v1/macros", """
                {"name": "push", "type": "bed_clearing", "gcode": "G1 Y220",
                 "compatibilities": [{"vendorName": "Voron", "modelName": "Trident"}]}""");
        client.patch("/v1/printers/continous-print", "{\"ids\":[\"" + printer + "\"],\"enabled\":true}");
        for (int i = 0; i < 16; i++) {
            String job = job(60);
            start(printer, job);
            complete(printer, job);
            setEndedBefore(job, Duration.ofMinutes(20));
            macroClears(printer);
            assertThat(client.get("/v1/print-jobs/" + job + "?fields=bedClearedAt")
                            .at("bedClearedAt"))
                    .isNotNull();
        }
        start(printer, job(600));
        assertThat(promisedAt(promise(job(60)))).isAfter(Instant.now().plusSeconds(600 + 900));
    }

    /** Reports that the macro on the printer is done. */
    private void macroClears(String printer) {
        Answer response = fakeAgent.exchange();
        String last = "commands[" + (response.json().get("commands").size() - 1) + "]";
        assertThat(response.at(last + ".action.type")).as(response.text()).isEqualTo("send");
        String command = String.valueOf(response.at(last + ".commandId"));
        fakeAgent.exchange(
                List.of(fakeAgent.event(printer, "commandDone", Map.of("commandId", command))),
                List.of(Map.of("commandId", command, "outcome", "taken")),
                List.of());
    }

    @Test
    void confirmationOfAnAlreadyClearBedIsNotLearnedFrom() {
        String printer = fakeAgent.printer("K", "");
        String job = job(60);
        start(printer, job);
        complete(printer, job);
        stored(tx -> tx.update(
                "update farm.printer set \"bedClear\" = true where \"storeId\" = ? and id = ?",
                fakeAgent.store().id().value(),
                printer));
        fakeAgent.confirm(printer);
        assertThat(isClearingNoted(job)).isFalse();
    }

    @Test
    void printThatEndedCountsInTheNextPromise() {
        String printer = fakeAgent.printer("K", "");
        String other = fakeAgent.printer("L", "");
        client.patch("/v1/printers/enabled", "{\"ids\":[\"" + other + "\"],\"enabled\":false}");
        String waiting = job(36_000);
        Instant before = promisedAt(promise(waiting));
        client.patch("/v1/print-jobs/" + waiting + "/reorder", "{\"newQueueOrder\":1000000}");
        for (int i = 0; i < 8; i++) {
            String job = fakeAgent.job(",\"position\":\"front\"");
            fakeAgent.change(PrintJob.class, job, Map.of("estimatedSeconds", 1000L));
            start(printer, job);
            complete(printer, job);
            fakeAgent.change(PrintJob.class, job, Map.of("actualSeconds", 2000L));
            fakeAgent.confirm(printer);
        }
        assertThat(promisedAt(promise(waiting))).isAfter(before.plusSeconds(7000));
    }

    @Test
    void remainingTimeReportedHalfwayIsStoredWithTheAttempt() {
        String printer = fakeAgent.printer("K", "");
        String job = job(3600);
        start(printer, job);
        Map<String, Object> progress =
                Map.of("jobId", job, "fileName", "a", "percent", 50, "elapsedSeconds", 2000, "remainingSeconds", 1800);
        fakeAgent.exchange(
                List.of(),
                List.of(),
                List.of(fakeAgent.report(printer, "printing", Map.of(), List.of(), Map.of("job", progress))));
        promise(job);
        complete(printer, job);
        List<Double> reported = stored(tx -> tx.one(
                "select \"reportedSeconds\", \"extrapolatedSeconds\" from farm.\"printAttempt\""
                        + " where \"storeId\" = ? and \"printJobId\" = ? and \"reportedAt\" >= \"startedAt\"",
                rows -> List.of(rows.getDouble(1), rows.getDouble(2)),
                fakeAgent.store().id().value(),
                job));
        assertThat(reported).containsExactly(1800.0, 2000.0);
    }
}
