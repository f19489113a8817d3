package farm.gantry.api;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.queue.Loop;
import farm.gantry.api.schedule.Scheduler;
import farm.gantry.printer.Printer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is given to free printers, and what is left waiting. */
final class SchedulerTest {
    private final Floor floor = new Floor(Farm.newStore(), new Socket());
    private final Client client = floor.client();

    private void awaitStatus(String job, String status) {
        long patience = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!floor.status(job).equals(status)) {
            assertThat(System.nanoTime()).as(floor.status(job)).isLessThan(patience);
        }
    }

    @Test
    void whatMayWaitIsLeftWaitingWhereTheStoreSaysSo() {
        client.patch("/v1/settings/store", "{\"processLowPriorityJobs\":false}");
        floor.printer("one", "");
        floor.printer("two", "");
        String idle = floor.job(",\"priority\":1000");
        String urgent = floor.job("");
        try (Loop _ = Farm.bean(Scheduler.class).start()) {
            awaitStatus(urgent, "Sending-to-printer");
            assertThat(floor.status(idle)).isEqualTo("Pending");
            client.patch("/v1/settings/store", "{\"processLowPriorityJobs\":true}");
            awaitStatus(idle, "Sending-to-printer");
        }
    }

    @Test
    void whatMayWaitIsPlacedOnlyWhenNothingElseCanBe() {
        String idle = floor.job(",\"priority\":1000");
        String urgent = floor.job("");
        floor.printer("one", "");
        floor.round();
        assertThat(floor.status(urgent)).isEqualTo("Sending-to-printer");
        floor.printer("two", "");
        floor.round();
        assertThat(floor.status(idle)).isEqualTo("Sending-to-printer");
    }

    @Test
    void aRoundThatIsRunAgainChangesNothing() {
        String printer = floor.printer("one", "");
        String job = floor.job("");
        floor.round();
        floor.round();
        assertThat(floor.stored(job).at("attempt")).isEqualTo(1);
        assertThat(floor.stateOf(printer).at("printingJobId")).isEqualTo(job);
        assertThat(floor.exchange().json().get("commands").size()).isEqualTo(1);
    }

    private String throttled(String conditions) {
        String group = client.made(
                "/v1/printer-throttle-groups",
                "{\"name\":\"fuse\",\"enabled\":true,\"maxConcurrentStarts\":1,\"fallbackTimeoutSeconds\":600,"
                        + "\"temperatureToleranceC\":2,\"releaseConditions\":{" + conditions + "}}");
        return ", \"throttleGroupId\": \"" + group + "\"";
    }

    private static Map<String, ?> bed(double actual) {
        return Map.of("bed", Map.of("actual", actual, "target", 60));
    }

    @Test
    void startsOfAGroupWaitUntilTheFirstIsWarmLongestWaitingFirst() {
        String grouped = throttled("\"bed\":{\"mode\":\"percent-of-target\",\"percent\":90}");
        List<String> printers =
                List.of(floor.printer("a", grouped), floor.printer("b", grouped), floor.printer("c", grouped));
        List<String> jobs = printers.stream()
                .map(printer -> floor.job(", \"tags\": {\"printer.id\": \"" + printer + "\"}"))
                .toList();
        floor.round();
        assertThat(jobs.stream().map(floor::status))
                .containsExactly("Sending-to-printer", "Ready-for-printer", "Ready-for-printer");
        assertThat(floor.stateOf(printers.get(1)).at("printingJobId")).isEqualTo(jobs.get(1));
        assertThat(client.get("/v1/print-jobs/" + jobs.get(1) + "/matching-details")
                        .at("details." + printers.get(1) + ".reasonCode"))
                .isEqualTo("throttled");

        floor.happened(printers.get(0), "jobStarted", jobs.get(0));
        floor.exchange(List.of(), List.of(), List.of(floor.report(printers.get(0), "printing", bed(40), List.of())));
        floor.round();
        assertThat(floor.status(jobs.get(1))).isEqualTo("Ready-for-printer");
        floor.exchange(List.of(), List.of(), List.of(floor.report(printers.get(0), "printing", bed(53), List.of())));
        floor.round();
        assertThat(jobs.stream().map(floor::status))
                .containsExactly("Printing", "Sending-to-printer", "Ready-for-printer");

        floor.roundAt(Instant.now().plusSeconds(601));
        assertThat(floor.status(jobs.get(2))).isEqualTo("Sending-to-printer");
    }

    @Test
    void aStartThatEndsBeforeItIsWarmGivesItsPlaceBack() {
        String grouped = throttled("");
        String one = floor.printer("a", grouped);
        floor.printer("b", grouped);
        String first = floor.job("");
        String second = floor.job("");
        floor.round();
        assertThat(floor.status(second)).isEqualTo("Ready-for-printer");
        floor.happened(one, "jobFailed", first);
        floor.round();
        assertThat(floor.status(second)).isEqualTo("Sending-to-printer");
    }

    @Test
    void aHeldJobGoesBackToTheQueueWhenItsPrinterBecomesUnfit() {
        String grouped = throttled("");
        floor.printer("a", grouped);
        String second = floor.printer("b", grouped);
        floor.job("");
        String held = floor.job("");
        floor.round();
        assertThat(floor.stored(held).at("assignedPrinterId")).isEqualTo(second);
        floor.change(Printer.class, second, Map.of("isOnline", false));
        floor.round();
        assertThat(floor.status(held)).isEqualTo("Pending");
        assertThat(floor.stateOf(second).at("printingJobId")).isNull();
        assertThat(floor.stateOf(second).at("confirmedReady")).isEqualTo(true);
    }
}
