package farm.gantry.api;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.notification.WebhookDelivery;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a store does about prints that fail, and what a person then releases. */
final class FailurePolicyTest {
    private final OrderDesk desk = OrderDesk.open(new Socket());
    private final Floor floor = new Floor(desk.store(), new Socket());
    private final Client client = desk.client();

    @BeforeEach
    void subscribe() {
        desk.subscribe();
        client.patch(
                "/v1/settings/notifications/webhook/events",
                "{\"onOrderCreatedManual\":false,\"onJobRetried\":true,\"onPrinterQuarantined\":true,\"onPartHeld\":true,"
                        + "\"onQueuePaused\":true}");
    }

    private void policy(String json) {
        desk.settings("{\"failurePolicy\":{\"retriesElsewhere\":0" + json + "}}");
    }

    private String part(String name) {
        String part = ReadyParts.uploaded(desk.store(), client);
        client.patch("/v1/parts/" + part, "{\"name\":\"" + name + "\"}");
        return part;
    }

    /** Has the job start on the printer, which is the only one with a clear bed, and end so. */
    private void ended(String printer, String job, String kind) {
        floor.confirm(printer);
        floor.round();
        assertThat(floor.stored(job).at("assignedPrinterId")).isEqualTo(printer);
        floor.happened(printer, "jobStarted", job);
        floor.happened(printer, kind, job);
    }

    private String replacementOf(String job) {
        List<String> ids = client.get("/v1/print-jobs?replacesJobId=" + job).each("id");
        assertThat(ids).hasSize(1);
        return ids.getFirst();
    }

    private Object check(String job, String printer, String code) {
        Answer answer = client.get("/v1/print-jobs/" + job + "/matching-troubleshoot");
        for (int i = 0; ; i++) {
            Object found = answer.at("printers." + printer + "[" + i + "].code");
            assertThat(found).as(code + " in " + answer.text()).isNotNull();
            if (code.equals(found)) {
                return String.valueOf(answer.at("printers." + printer + "[" + i + "].passed"));
            }
        }
    }

    private List<String> told() {
        return desk.deliveries().stream().map(each -> each.event().name()).toList();
    }

    private String lastBody() {
        WebhookDelivery last = desk.deliveries().getLast();
        return String.valueOf(last.body());
    }

    @Test
    void aJobThatFailedIsTriedOnAnotherPrinterFirst() {
        desk.settings("{\"failurePolicy\":{\"retriesElsewhere\":2}}");
        String first = floor.printer("First", "");
        String job = floor.job("");
        ended(first, job, "jobFailed");
        String again = replacementOf(job);
        assertThat(floor.stored(job).at("policyReason")).isEqualTo("Job " + again + " takes its place.");
        assertThat(String.valueOf(floor.stored(again).at("policyReason")))
                .contains("Takes the place of job " + job, "failed on First", "Retry 1 of 2, on another printer");
        assertThat(told()).containsExactly("onJobRetried");
        assertThat(client.patch("/v1/print-jobs/retry", "{\"printJobIds\":[\"" + job + "\"]}")
                        .text())
                .as("another makes it already")
                .isEqualTo("[]");
        assertThat(lastBody()).contains(again, "Retry 1 of 2");

        floor.confirm(first);
        String second = floor.printer("Second", ", \"enabled\": false");
        client.patch("/v1/printers/enabled", "{\"ids\":[\"" + second + "\"],\"enabled\":true}");
        assertThat(check(again, first, "failed-there")).isEqualTo("false");
        assertThat(check(again, second, "failed-there")).isEqualTo("true");
        floor.round();
        assertThat(floor.stored(again).at("assignedPrinterId"))
                .as("the least recently used, and not the one on which it failed")
                .isEqualTo(second);
        floor.happened(second, "jobStarted", again);
        floor.happened(second, "jobFailed", again);

        String last = replacementOf(again);
        assertThat(floor.stored(last).at("failedPrinterIds")).isEqualTo(List.of(first, second));
        assertThat(check(last, first, "failed-there"))
                .as("it failed on all, on this one first")
                .isEqualTo("true");
        assertThat(check(last, second, "failed-there")).isEqualTo("false");
        ended(first, last, "jobFailed");
        assertThat(client.get("/v1/print-jobs?replacesJobId=" + last).each("id"))
                .isEmpty();
        assertThat(floor.stored(last).at("policyReason"))
                .asString()
                .contains(
                        "Takes the place of job " + again,
                        "Retry 2 of 2",
                        "It is not made again: it was tried 3 times.");
    }

    @Test
    void theOnlyPrinterThatCanPrintItIsTriedAgain() {
        desk.settings("{\"failurePolicy\":{\"retriesElsewhere\":1}}");
        String only = floor.printer("Only", "");
        floor.printer("Other", ", \"enabled\": false");
        String job = floor.job("");
        ended(only, job, "jobFailed");
        ended(only, replacementOf(job), "jobCompleted");
    }

    @Test
    void aJobWaitsForABusyPrinterRatherThanForTheOneOnWhichItFailed() {
        desk.settings("{\"failurePolicy\":{\"retriesElsewhere\":1}}");
        String first = floor.printer("First", "");
        String job = floor.job("");
        ended(first, job, "jobFailed");
        String busy = floor.printer("Busy", "");
        floor.exchange(List.of(), List.of(), List.of(floor.report(busy, "printing")));
        floor.confirm(first);
        floor.round();
        assertThat(floor.status(replacementOf(job))).isEqualTo("Pending");
    }

    @Test
    void aPrinterThatFailsOftenTakesNoJobsUntilAPersonReleasesIt() {
        policy(",\"quarantine\":{\"failures\":2,\"ofLastJobs\":3}");
        String printer = floor.printer("K", "");
        String completed = floor.job("");
        String failed = floor.job("");
        String again = floor.job("");
        String waiting = floor.job("");
        ended(printer, completed, "jobCompleted");
        ended(printer, failed, "jobFailed");
        assertThat(floor.stateOf(printer).at("quarantinedAt")).isNull();
        ended(printer, again, "jobFailed");
        assertThat(floor.stateOf(printer).at("quarantineReason")).isEqualTo("2 of its last 3 prints failed.");
        assertThat(floor.stateOf(printer).at("isAvailable")).isEqualTo(false);
        assertThat(floor.stored(again).at("policyReason"))
                .isEqualTo("Printer K is in quarantine: 2 of its last 3 prints failed.");
        assertThat(told()).containsExactly("onPrinterQuarantined");
        assertThat(lastBody()).contains(printer, again, "2 of its last 3 prints failed.");

        floor.confirm(printer);
        floor.round();
        assertThat(floor.status(waiting)).isEqualTo("Pending");
        assertThat(check(waiting, printer, "quarantined")).isEqualTo("false");
        assertThat(client.patch("/v1/printers/quarantine", "{\"ids\":[\"" + printer + "\"],\"quarantined\":false}")
                        .status())
                .isEqualTo(200);
        floor.round();
        assertThat(floor.status(waiting)).isEqualTo("Sending-to-printer");
        floor.happened(printer, "jobStarted", waiting);
        floor.happened(printer, "jobFailed", waiting);
        assertThat(floor.stateOf(printer).at("quarantinedAt"))
                .as("what was before its release is forgiven")
                .isNull();
    }

    @Test
    void aStartThatWasNeverCarriedOutSpeaksAgainstItsPrinterToo() {
        policy(",\"quarantine\":{\"failures\":1,\"ofLastJobs\":1}");
        String printer = floor.printer("K", "");
        String job = floor.job("");
        floor.round();
        floor.happened(printer, "jobNotBegun", job);
        assertThat(floor.status(job)).isEqualTo("Pending");
        floor.round();
        floor.happened(printer, "jobNotBegun", job);
        assertThat(floor.status(job)).isEqualTo("Failed");
        assertThat(floor.stateOf(printer).at("quarantineReason")).isEqualTo("1 of its last 1 prints failed.");
    }

    @Test
    void aPrinterThatAPersonPutsInQuarantineGivesBackTheJobThatItHasNotBegun() {
        desk.settings("{\"requireApproval\":true}");
        String printer = floor.printer("K", "");
        String job = floor.job("");
        floor.round();
        assertThat(floor.status(job)).isEqualTo("Waiting-for-approval");
        client.patch(
                "/v1/printers/quarantine",
                "{\"ids\":[\"" + printer + "\"],\"quarantined\":true,\"reason\":\"It smells.\"}");
        client.patch("/v1/print-jobs/approve", "{\"printJobIds\":[\"" + job + "\"]}");
        floor.round();
        assertThat(floor.status(job)).isEqualTo("Pending");
        assertThat(floor.stateOf(printer).at("quarantineReason")).isEqualTo("It smells.");
    }

    @Test
    void aPartThatFailedOnSeveralPrintersIsPrintedByNobodyUntilAPersonReleasesIt() {
        policy(",\"holdPartAfterPrinters\":2");
        String part = part("Hinge");
        String good = part("Vase");
        String first = floor.printer("First", "");
        ended(first, floor.jobOf(part, ""), "jobFailed");
        ended(first, floor.jobOf(part, ""), "jobFailed");
        assertThat(client.get("/v1/parts/" + part).at("heldAt"))
                .as("it was one printer")
                .isNull();
        String second = floor.printer("Second", "");
        String last = floor.jobOf(part, "");
        ended(second, last, "jobFailed");
        assertThat(client.get("/v1/parts?heldAt.isNull=false").each("id")).containsExactly(part);
        assertThat(String.valueOf(floor.stored(last).at("policyReason")))
                .startsWith("Part Hinge is on hold: It failed on 2");
        assertThat(told()).containsExactly("onPartHeld");

        String waiting = floor.jobOf(part, "");
        String other = floor.jobOf(good, "");
        floor.confirm(first);
        floor.round();
        assertThat(floor.status(waiting)).isEqualTo("Pending");
        assertThat(floor.status(other)).isEqualTo("Sending-to-printer");
        assertThat(check(waiting, second, "part-held")).isEqualTo("false");
        assertThat(client.patch("/v1/parts/hold", "{\"ids\":[\"" + part + "\"],\"held\":false}")
                        .status())
                .isEqualTo(200);
        ended(second, waiting, "jobFailed");
        assertThat(client.get("/v1/parts/" + part).at("heldAt")).isNull();
    }

    @Test
    void theQueueStopsWhenTooMuchFailsAndGoesOnWhenAPersonSaysSo() {
        policy(",\"pauseQueue\":{\"failurePercent\":50,\"ofPrints\":3}");
        String printer = floor.printer("K", "");
        ended(printer, floor.job(""), "jobFailed");
        ended(printer, floor.job(""), "jobCompleted");
        assertThat(client.get("/v1/queue").at("paused")).isEqualTo(false);
        String last = floor.job("");
        ended(printer, last, "jobFailed");
        Answer paused = client.get("/v1/queue");
        assertThat(paused.at("paused")).isEqualTo(true);
        assertThat(paused.at("reason")).isEqualTo("2 of the last hour's 3 prints failed, more than 50 %.");
        assertThat(told()).containsExactly("onQueuePaused");
        assertThat(lastBody()).contains(last, "more than 50 %");

        String waiting = floor.job("");
        floor.confirm(printer);
        floor.round();
        assertThat(floor.status(waiting)).isEqualTo("Pending");
        assertThat(check(waiting, printer, "queue-paused")).isEqualTo("false");
        assertThat(client.patch("/v1/queue", "{\"paused\":false}").at("since")).isNull();
        ended(printer, waiting, "jobFailed");
        assertThat(client.get("/v1/queue").at("paused"))
                .as("one of one, of three at least")
                .isEqualTo(false);
    }

    @Test
    void aPausedQueueStartsNothingThatWasGivenToAPrinterBefore() {
        desk.settings("{\"requireApproval\":true}");
        String printer = floor.printer("K", "");
        String job = floor.job("");
        floor.round();
        client.patch("/v1/queue", "{\"paused\":true,\"reason\":\"Fire drill.\"}");
        client.patch("/v1/print-jobs/approve", "{\"printJobIds\":[\"" + job + "\"]}");
        floor.round();
        assertThat(floor.status(job)).isEqualTo("Ready-for-printer");
        assertThat(floor.stateOf(printer).at("printingJobId")).isEqualTo(job);
        client.patch("/v1/queue", "{\"paused\":false}");
        floor.round();
        assertThat(floor.status(job)).isEqualTo("Sending-to-printer");
    }

    @Test
    void aPolicyThatCannotBeIsRefused() {
        Answer refused = client.patch(
                "/v1/settings/store",
                "{\"failurePolicy\":{\"retriesElsewhere\":0,\"quarantine\":{\"failures\":3,\"ofLastJobs\":2}}}");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.at("details[0].path")).isEqualTo("failurePolicy.quarantine.failures");
        assertThat(client.patch("/v1/settings/store", "{\"failurePolicy\":{\"retriesElsewhere\":21}}")
                        .at("details[0].path"))
                .isEqualTo("failurePolicy.retriesElsewhere");
    }

    @Test
    void ratesTellWhatFailuresHaveInCommon() {
        String part = part("Hinge");
        String first = floor.printer("First", "");
        ended(first, floor.jobOf(part, ""), "jobCompleted");
        ended(first, floor.jobOf(part, ""), "jobFailed");
        String rejected = floor.jobOf(part, "");
        ended(first, rejected, "jobCompleted");
        assertThat(client.patch("/v1/print-jobs/" + rejected + "/quality", "{\"good\":0,\"rejected\":3}")
                        .status())
                .isEqualTo(200);
        Answer stats = client.get("/v1/printers/stats?details=true&ids=" + first);
        assertThat(stats.at("[0].completed")).hasToString("1");
        assertThat(stats.at("[0].failed")).hasToString("2");
        assertThat(stats.at("[0].rejected")).hasToString("3");
        assertThat(stats.at("[0].parts[0].id")).isEqualTo(part);
        assertThat(stats.at("[0].materials[0].failed"))
                .as("nobody said what is loaded")
                .hasToString("2");
        assertThat(client.get("/v1/printers/stats?ids=" + first).at("[0].parts"))
                .isNull();
        Answer ofPart = client.get("/v1/parts/" + part + "/stats");
        assertThat(ofPart.at("failed")).hasToString("2");
        assertThat((Double) ofPart.at("successRate")).isBetween(0.33, 0.34);
        assertThat(ofPart.at("printers[0].name")).isEqualTo("First");
        Answer report = client.get("/v1/reports/failures");
        assertThat(report.at("parts[0].name")).isEqualTo("Hinge");
        assertThat(report.at("printers[0].id")).isEqualTo(first);
        assertThat(report.at("profiles[0].completed")).hasToString("1");
        assertThat(client.get("/v1/parts/" + part + "/stats?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z")
                        .at("details[0].path"))
                .isEqualTo("from");
    }
}
