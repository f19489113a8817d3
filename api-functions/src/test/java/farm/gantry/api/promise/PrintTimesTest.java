package farm.gantry.api.promise;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the parts of a print's time, from its start command to its clear bed, and what is learned from them. */
final class PrintTimesTest {
    private static final Map<String, ?> HEATED = Map.of("heatingSeconds", 240);

    private final FakeAgent fakeAgent = new FakeAgent(SharedApi.newStore(), new Socket());
    private final Client client = fakeAgent.client();
    private final Instant now = Instant.now();

    private String job(long estimated) {
        String job = fakeAgent.job(",\"position\":\"front\"");
        fakeAgent.change(PrintJob.class, job, Map.of("estimatedSeconds", estimated));
        return job;
    }

    private void happened(Duration ago, String printer, String kind, String job, Map<String, ?> more) {
        fakeAgent.happenedAt(now.minus(ago), printer, kind, job, more);
    }

    /** Prints a job from the first to the second of these times ago. */
    private void print(String printer, String job, Duration started, Duration ended, Map<String, ?> more) {
        fakeAgent.round();
        happened(started, printer, "jobStarted", job, Map.of());
        happened(ended, printer, "jobCompleted", job, more);
        fakeAgent.confirm(printer);
    }

    /** Returns the seconds until the job is done, as the median of estimates. */
    private long promisedSeconds(String job) {
        SharedApi.bean(PromiseUpdater.class).plan(fakeAgent.store().id());
        Answer promise = client.get("/v1/print-jobs/" + job + "/promise");
        assertThat(promise.at("promisedAt")).as(promise.text()).isNotNull();
        return Duration.between(Instant.now(), Instant.parse(String.valueOf(promise.at("promisedAt"))))
                .toSeconds();
    }

    @Test
    void timeOfAPrintIsStoredInParts() {
        String printer = fakeAgent.printer("K", "");
        String job = job(3600);
        fakeAgent.round();
        happened(Duration.ofHours(2), printer, "jobStarted", job, Map.of());
        happened(Duration.ofMinutes(100), printer, "jobPaused", job, Map.of());
        assertThat(fakeAgent.stored(job).at("pausedAt")).isNotNull();
        happened(Duration.ofMinutes(70), printer, "jobResumed", job, Map.of());
        assertThat(fakeAgent.stored(job).at("pausedAt")).isNull();
        happened(Duration.ofMinutes(40), printer, "jobPaused", job, Map.of());
        happened(Duration.ofMinutes(30), printer, "jobCompleted", job, HEATED);
        fakeAgent.confirm(printer);
        Answer ended =
                client.get("/v1/print-jobs/" + job + "?fields=heatingSeconds,pausedSeconds,actualSeconds,bedClearedAt");
        assertThat(ended.at("heatingSeconds")).as(ended.text()).hasToString("240");
        assertThat(ended.at("pausedSeconds")).hasToString(String.valueOf(40 * 60));
        assertThat(ended.at("actualSeconds"))
                .as("of a printer that counts nothing")
                .hasToString(String.valueOf(46 * 60));
        assertThat(ended.at("bedClearedAt")).isNotNull();
    }

    @Test
    void printersOwnTimeIsKept() {
        String printer = fakeAgent.printer("K", "");
        String job = job(3600);
        print(
                printer,
                job,
                Duration.ofHours(2),
                Duration.ofMinutes(30),
                Map.of("heatingSeconds", 240, "elapsedSeconds", 5000));
        assertThat(fakeAgent.stored(job).at("actualSeconds")).hasToString("5000");
    }

    @Test
    void pauseOverNightDoesNotChangeEstimates() {
        String printer = fakeAgent.printer("K", ",\"modelName\":\"Trident\"");
        String waiting = job(3600);
        for (int i = 0; i < 20; i++) {
            String job = job(1000);
            fakeAgent.round();
            happened(Duration.ofHours(14), printer, "jobStarted", job, Map.of());
            happened(Duration.ofHours(14).minusSeconds(500), printer, "jobPaused", job, Map.of());
            happened(Duration.ofHours(2), printer, "jobResumed", job, Map.of());
            happened(
                    Duration.ofHours(2).minusSeconds(500),
                    printer,
                    "jobCompleted",
                    job,
                    Map.of("elapsedSeconds", 1000));
            fakeAgent.confirm(printer);
        }
        assertThat(promisedSeconds(waiting)).isBetween(3400L, 3800L);
    }

    @ParameterizedTest
    @ValueSource(strings = {",\"modelName\":\"Trident\"", ""})
    void heatingIsLearnedOfPrintersThatCountNoTime(String model) {
        String printer = fakeAgent.printer("K", model);
        String waiting = job(3600);
        for (int i = 0; i < 40; i++) {
            print(printer, job(1000), Duration.ofSeconds(2000), Duration.ofSeconds(760), HEATED);
        }
        assertThat(promisedSeconds(waiting)).isBetween(3700L, 3980L);
    }

    @Test
    void speedOfASimulatedPrinterIsLearned() {
        String printer = fakeAgent.printer("K", ",\"modelName\":\"Trident\"");
        String waiting = job(36_000);
        for (int i = 0; i < 40; i++) {
            Map<String, ?> times = Map.of("heatingSeconds", 4, "elapsedSeconds", 6000);
            print(printer, job(6000), Duration.ofSeconds(304), Duration.ofSeconds(200), times);
        }
        assertThat(promisedSeconds(waiting)).as("60 times as fast").isBetween(500L, 1200L);
        fakeAgent.round();
        happened(Duration.ofSeconds(304), printer, "jobStarted", waiting, Map.of());
        Map<String, Object> halfway = Map.of(
                "jobId",
                waiting,
                "fileName",
                "a",
                "percent",
                50,
                "elapsedSeconds",
                18_000,
                "remainingSeconds",
                18_000,
                "heatingSeconds",
                4);
        fakeAgent.exchange(
                List.of(),
                List.of(),
                List.of(fakeAgent.report(printer, "printing", Map.of(), List.of(), Map.of("job", halfway))));
        assertThat(promisedSeconds(waiting)).as("half-way").isBetween(150L, 800L);
    }

    @Test
    void pausedPrintDoesNotProgress() {
        String printer = fakeAgent.printer("K", "");
        String job = job(36_000);
        fakeAgent.round();
        happened(Duration.ofSeconds(20_000), printer, "jobStarted", job, Map.of());
        happened(Duration.ofHours(5), printer, "jobPaused", job, Map.of());
        assertThat(promisedSeconds(job)).isBetween(28_000L, 38_000L);
    }
}
