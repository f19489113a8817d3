package farm.gantry.api.printer;

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
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests the statistics of printers over a period. */
final class PrinterStatsTest {
    private final FakeAgent fakeAgent = new FakeAgent(SharedApi.newStore(), new Socket());
    private final Client client = fakeAgent.client();

    private void print(String printer, String job, String outcome) {
        fakeAgent.round();
        assertThat(fakeAgent.stored(job).at("assignedPrinterId")).isEqualTo(printer);
        fakeAgent.exchange();
        fakeAgent.happened(printer, "jobStarted", job);
        if (!outcome.isEmpty()) {
            fakeAgent.exchange(
                    List.of(fakeAgent.event(
                            printer,
                            outcome,
                            Map.of(
                                    "jobId",
                                    job,
                                    "attempt",
                                    fakeAgent.stored(job).at("attempt"),
                                    "usedGrams",
                                    12.5))),
                    List.of(),
                    List.of());
        }
    }

    @Test
    void lifetimeStatsCoverCountsAndStateOfEachPrinter() {
        String one = fakeAgent.printer("one", "");
        String two = fakeAgent.unseenPrinter("two", FakeAgent.FIRMWARE_K, "");
        String job = fakeAgent.job("");
        print(one, job, "");
        Map<String, ?> end = Map.of(
                "jobId",
                job,
                "attempt",
                fakeAgent.stored(job).at("attempt"),
                "elapsedSeconds",
                3600,
                "usedGrams",
                12.5);
        fakeAgent.exchange(List.of(fakeAgent.event(one, "jobCompleted", end)), List.of(), List.of());
        Answer stats = client.get("/v1/printers/stats/" + two + "," + one);
        assertThat(stats.status()).as(stats.text()).isEqualTo(200);
        assertThat(stats.each("printerId")).containsExactly(two, one);
        assertThat(stats.at("[0].lifetimeJobCount")).hasToString("0");
        assertThat(stats.at("[0].successRate")).isNull();
        assertThat(stats.at("[0].state.connection")).isEqualTo("offline");
        assertThat(stats.at("[1].lifetimeJobCount")).hasToString("1");
        assertThat(stats.at("[1].completed")).hasToString("1");
        assertThat(stats.at("[1].failed")).hasToString("0");
        assertThat(stats.at("[1].state.status")).isEqualTo("idle");
        assertThat(stats.at("[1].lastPrintedAt")).isNotNull();
        assertThat(stats.at("[1].isComplete")).isEqualTo(true);
        assertThat(client.get("/v1/printers/stats/" + one + "," + SharedApi.unknownId())
                        .status())
                .isEqualTo(404);
        String many = Stream.generate(SharedApi::unknownId).limit(101).collect(Collectors.joining(","));
        assertThat(client.get("/v1/printers/stats/" + many).at("details[0].message"))
                .isEqualTo("ids takes at most 100 ids");
        assertThat(client.permitted("part.view")
                        .get("/v1/printers/stats/" + one)
                        .status())
                .isEqualTo(403);
    }

    @Test
    void attemptCountsForItsPrinter() {
        String one = fakeAgent.printer("one", "");
        String job = fakeAgent.job("");
        print(one, job, "jobFailed");
        assertThat(client.patch("/v1/print-jobs/retry", "{\"printJobIds\":[\"" + job + "\"]}")
                        .status())
                .isEqualTo(200);
        fakeAgent.exchange(List.of(), List.of(), List.of(fakeAgent.report(one, "idle")));
        fakeAgent.confirm(one);
        print(one, job, "jobCompleted");
        Answer stats = client.get("/v1/printers/stats?ids=" + one);
        assertThat(stats.status()).as(stats.text()).isEqualTo(200);
        assertThat(stats.at("[0].printerId")).isEqualTo(one);
        assertThat(stats.at("[0].jobs")).hasToString("2");
        assertThat(stats.at("[0].completed")).hasToString("1");
        assertThat(stats.at("[0].failed")).hasToString("1");
        assertThat(stats.at("[0].successRate")).hasToString("0.5");
        assertThat(stats.at("[0].grams")).hasToString("25");
        Instant past = Instant.now().minus(Duration.ofDays(60));
        Answer before = client.get("/v1/printers/stats?to=" + past);
        assertThat(before.at("[0].jobs")).hasToString("0");
        assertThat(before.at("[0].successRate")).isNull();
        assertThat(before.at("[0].busyHours")).as("without a print").hasToString("0");
    }

    @Test
    void sumsAreMarkedIncompleteWhenTheWeightOfAPrintIsUnknown() {
        String one = fakeAgent.printer("one", "");
        String job = fakeAgent.job("");
        print(one, job, "");
        Map<String, ?> end =
                Map.of("jobId", job, "attempt", fakeAgent.stored(job).at("attempt"), "elapsedSeconds", 3600);
        fakeAgent.exchange(List.of(fakeAgent.event(one, "jobCompleted", end)), List.of(), List.of());
        Answer stats = client.get("/v1/printers/stats?ids=" + one);
        assertThat(stats.at("[0].completed")).hasToString("1");
        assertThat(stats.at("[0].isComplete")).isEqualTo(false);
        assertThat(client.get("/v1/printers/stats/" + one).at("[0].isComplete")).isEqualTo(false);
        assertThat(client.get("/v1/print-jobs/" + job + "/cost").at("isComplete"))
                .isEqualTo(false);
        assertThat(client.get("/v1/reports/costs").at("groups[0].isComplete")).isEqualTo(false);
    }

    @Test
    void hoursAreWithinTheRequestedPeriod() {
        String one = fakeAgent.printer("one", "");
        String job = fakeAgent.job("");
        print(one, job, "");
        Instant now = Instant.now();
        fakeAgent.change(PrintJob.class, job, Map.of("printingStartedAt", now.minus(Duration.ofHours(10))));
        Answer busy = client.get(
                "/v1/printers/stats?from=" + now.minus(Duration.ofHours(3)) + "&to=" + now.minus(Duration.ofHours(1)));
        assertThat(busy.at("[0].busyHours")).as("of a running print").hasToString("2");
        assertThat(busy.at("[0].jobs")).hasToString("0");
    }

    @Test
    void invalidPeriodIsRejectedAndUnknownPrintersAreOmitted() {
        assertThat(client.get("/v1/printers/stats?from=2030-01-01T00:00:00Z").at("details[0].path"))
                .isEqualTo("from");
        assertThat(client.get("/v1/printers/stats?from=yesterday").status()).isEqualTo(400);
        assertThat(client.get("/v1/printers/stats?from=2026-11-01&to=2026-11-02")
                        .status())
                .isEqualTo(200);
        assertThat(client.get("/v1/printers/stats?ids=" + SharedApi.unknownId() + ",x")
                        .at("details[0].path"))
                .isEqualTo("ids[1]");
        assertThat(client.get("/v1/printers/stats?to=%2B1000000000-01-01T00:00:00Z")
                        .at("details[0].path"))
                .isEqualTo("to");
        assertThat(client.get("/v1/printers/stats?from=0001-01-01T00:00:00Z&to=0001-01-02T00:00:00Z")
                        .status())
                .isEqualTo(200);
        assertThat(client.get("/v1/printers/stats?to=0001-01-01T00:00:00Z").at("details[0].path"))
                .isEqualTo("from");
        assertThat(client.get("/v1/printers/stats?ids=" + SharedApi.unknownId()).each("printerId"))
                .isEmpty();
    }
}
