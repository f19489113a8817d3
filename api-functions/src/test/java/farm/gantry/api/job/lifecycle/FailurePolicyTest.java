package farm.gantry.api.job.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.browser.LampStore;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.ReadyParts;
import farm.gantry.api.fixture.Socket;
import farm.gantry.notification.WebhookDelivery;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests a store's failure policy: retries, quarantine, and the release by a person. */
final class FailurePolicyTest {
    private final LampStore lampStore = LampStore.open(new Socket());
    private final FakeAgent fakeAgent = new FakeAgent(lampStore.store(), new Socket());
    private final Client client = lampStore.client();

    @BeforeEach
    void subscribe() {
        lampStore.subscribe();
        client.patch(
                "/v1/settings/notifications/webhook/events",
                "{\"onOrderCreatedManual\":false,\"onJobRetried\":true,\"onPrinterQuarantined\":true,\"onPartHeld\":true,"
                        + "\"onQueuePaused\":true}");
    }

    private void policy(String json) {
        lampStore.settings("{\"failurePolicy\":{\"retriesElsewhere\":0" + json + "}}");
    }

    private String part(String name) {
        String part = ReadyParts.uploaded(lampStore.store(), client);
        client.patch("/v1/parts/" + part, "{\"name\":\"" + name + "\"}");
        return part;
    }

    /** Starts the job on the printer, the only one with a clear bed, and ends it with this event. */
    private void ended(String printer, String job, String kind) {
        fakeAgent.confirm(printer);
        fakeAgent.round();
        assertThat(fakeAgent.stored(job).at("assignedPrinterId")).isEqualTo(printer);
        fakeAgent.happened(printer, "jobStarted", job);
        fakeAgent.happened(printer, kind, job);
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
        return lampStore.deliveries().stream().map(each -> each.event().name()).toList();
    }

    private String lastBody() {
        WebhookDelivery last = lampStore.deliveries().getLast();
        return String.valueOf(last.body());
    }

    @Test
    void failedJobIsRetriedOnAnotherPrinterFirst() {
        lampStore.settings("{\"failurePolicy\":{\"retriesElsewhere\":2}}");
        String first = fakeAgent.printer("First", "");
        String job = fakeAgent.job("");
        ended(first, job, "jobFailed");
        String again = replacementOf(job);
        assertThat(fakeAgent.stored(job).at("policyReason")).isEqualTo("Job " + again + " replaces it.");
        assertThat(String.valueOf(fakeAgent.stored(again).at("policyReason")))
                .contains("Replaces job " + job, "failed on First", "Retry 1 of 2, on another printer");
        assertThat(told()).containsExactly("onJobRetried");
        assertThat(client.patch("/v1/print-jobs/retry", "{\"printJobIds\":[\"" + job + "\"]}")
                        .text())
                .as("another job prints it already")
                .isEqualTo("[]");
        assertThat(lastBody()).contains(again, "Retry 1 of 2");

        fakeAgent.confirm(first);
        String second = fakeAgent.printer("Second", ", \"enabled\": false");
        client.patch("/v1/printers/enabled", "{\"ids\":[\"" + second + "\"],\"enabled\":true}");
        assertThat(check(again, first, "failed-there")).isEqualTo("false");
        assertThat(check(again, second, "failed-there")).isEqualTo("true");
        fakeAgent.round();
        assertThat(fakeAgent.stored(again).at("assignedPrinterId"))
                .as("the least recently used, and not the one on which it failed")
                .isEqualTo(second);
        fakeAgent.happened(second, "jobStarted", again);
        fakeAgent.happened(second, "jobFailed", again);

        String last = replacementOf(again);
        assertThat(fakeAgent.stored(last).at("failedPrinterIds")).isEqualTo(List.of(first, second));
        assertThat(check(last, first, "failed-there"))
                .as("it failed on all, on this one first")
                .isEqualTo("true");
        assertThat(check(last, second, "failed-there")).isEqualTo("false");
        ended(first, last, "jobFailed");
        assertThat(client.get("/v1/print-jobs?replacesJobId=" + last).each("id"))
                .isEmpty();
        assertThat(fakeAgent.stored(last).at("policyReason"))
                .asString()
                .contains("Replaces job " + again, "Retry 2 of 2", "It is not retried: it failed 3 times.");
    }

    @Test
    void pieceIsPrintedOnceWhenAJobAndItsReplacementAreRetried() {
        lampStore.settings("{\"failurePolicy\":{\"retriesElsewhere\":1}}");
        String printer = fakeAgent.printer("Only", "");
        String job = fakeAgent.job("");
        ended(printer, job, "jobFailed");
        String again = replacementOf(job);
        client.patch("/v1/print-jobs/cancel", "{\"printJobIds\":[\"" + again + "\"]}");
        assertThat(retry(job, again)).isEqualTo("[\"" + job + "\"]");
        assertThat(retry(again)).as("its job prints again").isEqualTo("[]");
        ended(printer, job, "jobCompleted");
        assertThat(retry(again)).as("its job is printed").isEqualTo("[]");
        assertThat(fakeAgent.status(again)).isEqualTo("Cancelled");
    }

    @Test
    void jobThatFailsAgainAfterARetryIsReplacedAgain() {
        lampStore.settings("{\"failurePolicy\":{\"retriesElsewhere\":1}}");
        String printer = fakeAgent.printer("Only", "");
        String job = fakeAgent.job("");
        String build = String.valueOf(fakeAgent.stored(job).at("partBuildId"));
        ended(printer, job, "jobFailed");
        String first = replacementOf(job);
        client.patch("/v1/print-jobs/cancel", "{\"printJobIds\":[\"" + first + "\"]}");
        assertThat(retry(job)).isEqualTo("[\"" + job + "\"]");
        ended(printer, job, "jobFailed");
        assertThat(client.get("/v1/print-jobs?sort=createdAt&replacesJobId=" + job)
                        .each("status"))
                .as("of the first attempt, and of the second")
                .containsExactly("Cancelled", "Pending");
        String second = client.get("/v1/print-jobs?status=Pending&replacesJobId=" + job)
                .each("id")
                .getFirst();
        client.patch("/v1/print-jobs/cancel", "{\"printJobIds\":[\"" + second + "\"]}");
        retry(job);
        ended(printer, job, "jobCompleted");
        assertThat(client.get("/v1/part-builds/" + build).at("status")).isEqualTo("success");
    }

    @Test
    void replacementIsRetriedWhileTheOriginalStaysFailed() {
        lampStore.settings("{\"failurePolicy\":{\"retriesElsewhere\":1}}");
        String printer = fakeAgent.printer("Only", "");
        String job = fakeAgent.job("");
        ended(printer, job, "jobFailed");
        String again = replacementOf(job);
        client.patch("/v1/print-jobs/cancel", "{\"printJobIds\":[\"" + again + "\"]}");
        assertThat(retry(again, job)).isEqualTo("[\"" + again + "\"]");
        ended(printer, again, "jobCompleted");
    }

    private String retry(String... jobs) {
        return client.patch("/v1/print-jobs/retry", "{\"printJobIds\":[\"" + String.join("\",\"", jobs) + "\"]}")
                .text();
    }

    @Test
    void jobIsRetriedOnTheSamePrinterWhenNoOtherIsSuitable() {
        lampStore.settings("{\"failurePolicy\":{\"retriesElsewhere\":1}}");
        String only = fakeAgent.printer("Only", "");
        fakeAgent.printer("Other", ", \"enabled\": false");
        String job = fakeAgent.job("");
        ended(only, job, "jobFailed");
        ended(only, replacementOf(job), "jobCompleted");
    }

    @Test
    void jobWaitsForABusyPrinterInsteadOfTheOneItFailedOn() {
        lampStore.settings("{\"failurePolicy\":{\"retriesElsewhere\":1}}");
        String first = fakeAgent.printer("First", "");
        String job = fakeAgent.job("");
        ended(first, job, "jobFailed");
        String busy = fakeAgent.printer("Busy", "");
        fakeAgent.exchange(List.of(), List.of(), List.of(fakeAgent.report(busy, "printing")));
        fakeAgent.confirm(first);
        fakeAgent.round();
        assertThat(fakeAgent.status(replacementOf(job))).isEqualTo("Pending");
    }

    @Test
    void printerThatFailsOftenIsQuarantinedUntilReleased() {
        policy(",\"quarantine\":{\"failures\":2,\"ofLastJobs\":3}");
        String printer = fakeAgent.printer("K", "");
        String completed = fakeAgent.job("");
        String failed = fakeAgent.job("");
        String again = fakeAgent.job("");
        String waiting = fakeAgent.job("");
        ended(printer, completed, "jobCompleted");
        ended(printer, failed, "jobFailed");
        assertThat(fakeAgent.stateOf(printer).at("quarantinedAt")).isNull();
        ended(printer, again, "jobFailed");
        assertThat(fakeAgent.stateOf(printer).at("quarantineReason")).isEqualTo("2 of its last 3 prints failed.");
        assertThat(fakeAgent.stateOf(printer).at("isAvailable")).isEqualTo(false);
        assertThat(fakeAgent.stored(again).at("policyReason"))
                .isEqualTo("Printer K is in quarantine: 2 of its last 3 prints failed.");
        assertThat(told()).containsExactly("onPrinterQuarantined");
        assertThat(lastBody()).contains(printer, again, "2 of its last 3 prints failed.");

        fakeAgent.confirm(printer);
        fakeAgent.round();
        assertThat(fakeAgent.status(waiting)).isEqualTo("Pending");
        assertThat(check(waiting, printer, "quarantined")).isEqualTo("false");
        assertThat(client.patch("/v1/printers/quarantine", "{\"ids\":[\"" + printer + "\"],\"quarantined\":false}")
                        .status())
                .isEqualTo(200);
        fakeAgent.round();
        assertThat(fakeAgent.status(waiting)).isEqualTo("Sending-to-printer");
        fakeAgent.happened(printer, "jobStarted", waiting);
        fakeAgent.happened(printer, "jobFailed", waiting);
        assertThat(fakeAgent.stateOf(printer).at("quarantinedAt"))
                .as("failures before the release do not count")
                .isNull();
    }

    @Test
    void startThatNeverHappenedCountsAsAFailureOfItsPrinter() {
        policy(",\"quarantine\":{\"failures\":1,\"ofLastJobs\":1}");
        String printer = fakeAgent.printer("K", "");
        String job = fakeAgent.job("");
        fakeAgent.round();
        fakeAgent.happened(printer, "jobNotBegun", job);
        assertThat(fakeAgent.status(job)).isEqualTo("Pending");
        fakeAgent.round();
        fakeAgent.happened(printer, "jobNotBegun", job);
        assertThat(fakeAgent.status(job)).isEqualTo("Failed");
        assertThat(fakeAgent.stateOf(printer).at("quarantineReason")).isEqualTo("1 of its last 1 prints failed.");
    }

    @Test
    void quarantinedPrinterReturnsItsUnstartedJob() {
        lampStore.settings("{\"requireApproval\":true}");
        String printer = fakeAgent.printer("K", "");
        String job = fakeAgent.job("");
        fakeAgent.round();
        assertThat(fakeAgent.status(job)).isEqualTo("Waiting-for-approval");
        client.patch(
                "/v1/printers/quarantine",
                "{\"ids\":[\"" + printer + "\"],\"quarantined\":true,\"reason\":\"It smells.\"}");
        client.patch("/v1/print-jobs/approve", "{\"printJobIds\":[\"" + job + "\"]}");
        fakeAgent.round();
        assertThat(fakeAgent.status(job)).isEqualTo("Pending");
        assertThat(fakeAgent.stateOf(printer).at("quarantineReason")).isEqualTo("It smells.");
        assertThat(client.get("/v1/wall").each("state")).containsExactly("fault");
    }

    @Test
    void partThatFailsOnSeveralPrintersIsOnHoldUntilReleased() {
        policy(",\"holdPartAfterPrinters\":2");
        String part = part("Hinge");
        String good = part("Vase");
        String first = fakeAgent.printer("First", "");
        ended(first, fakeAgent.jobOf(part, ""), "jobFailed");
        ended(first, fakeAgent.jobOf(part, ""), "jobFailed");
        assertThat(client.get("/v1/parts/" + part).at("heldAt"))
                .as("it was one printer")
                .isNull();
        String second = fakeAgent.printer("Second", "");
        String last = fakeAgent.jobOf(part, "");
        ended(second, last, "jobFailed");
        assertThat(client.get("/v1/parts?heldAt.isNull=false").each("id")).containsExactly(part);
        assertThat(String.valueOf(fakeAgent.stored(last).at("policyReason")))
                .startsWith("Part Hinge is on hold: It failed on 2");
        assertThat(told()).containsExactly("onPartHeld");

        String waiting = fakeAgent.jobOf(part, "");
        String other = fakeAgent.jobOf(good, "");
        fakeAgent.confirm(first);
        fakeAgent.round();
        assertThat(fakeAgent.status(waiting)).isEqualTo("Pending");
        assertThat(fakeAgent.status(other)).isEqualTo("Sending-to-printer");
        assertThat(check(waiting, second, "part-held")).isEqualTo("false");
        assertThat(client.patch("/v1/parts/hold", "{\"ids\":[\"" + part + "\"],\"held\":false}")
                        .status())
                .isEqualTo(200);
        ended(second, waiting, "jobFailed");
        assertThat(client.get("/v1/parts/" + part).at("heldAt")).isNull();
    }

    @Test
    void queuePausesAfterTooManyFailuresUntilResumed() {
        policy(",\"pauseQueue\":{\"failurePercent\":50,\"ofPrints\":3}");
        String printer = fakeAgent.printer("K", "");
        ended(printer, fakeAgent.job(""), "jobFailed");
        ended(printer, fakeAgent.job(""), "jobCompleted");
        assertThat(client.get("/v1/queue").at("paused")).isEqualTo(false);
        String last = fakeAgent.job("");
        ended(printer, last, "jobFailed");
        Answer paused = client.get("/v1/queue");
        assertThat(paused.at("paused")).isEqualTo(true);
        assertThat(paused.at("reason")).isEqualTo("2 of the last hour's 3 prints failed, more than 50 %.");
        assertThat(told()).containsExactly("onQueuePaused");
        assertThat(lastBody()).contains(last, "more than 50 %");

        String waiting = fakeAgent.job("");
        fakeAgent.confirm(printer);
        fakeAgent.round();
        assertThat(fakeAgent.status(waiting)).isEqualTo("Pending");
        assertThat(check(waiting, printer, "queue-paused")).isEqualTo("false");
        assertThat(client.patch("/v1/queue", "{\"paused\":false}").at("since")).isNull();
        ended(printer, waiting, "jobFailed");
        assertThat(client.get("/v1/queue").at("paused"))
                .as("one of one, of three at least")
                .isEqualTo(false);
    }

    @Test
    void pausedQueueStartsNoAssignedJob() {
        lampStore.settings("{\"requireApproval\":true}");
        String printer = fakeAgent.printer("K", "");
        String job = fakeAgent.job("");
        fakeAgent.round();
        client.patch("/v1/queue", "{\"paused\":true,\"reason\":\"Fire drill.\"}");
        client.patch("/v1/print-jobs/approve", "{\"printJobIds\":[\"" + job + "\"]}");
        fakeAgent.round();
        assertThat(fakeAgent.status(job)).isEqualTo("Ready-for-printer");
        assertThat(fakeAgent.stateOf(printer).at("printingJobId")).isEqualTo(job);
        client.patch("/v1/queue", "{\"paused\":false}");
        fakeAgent.round();
        assertThat(fakeAgent.status(job)).isEqualTo("Sending-to-printer");
    }

    @Test
    void invalidPolicyIsRejected() {
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
    void failureRatesAreGroupedByCommonCause() {
        String part = part("Hinge");
        String first = fakeAgent.printer("First", "");
        ended(first, fakeAgent.jobOf(part, ""), "jobCompleted");
        ended(first, fakeAgent.jobOf(part, ""), "jobFailed");
        String rejected = fakeAgent.jobOf(part, "");
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
                .as("loaded filament is unknown")
                .hasToString("2");
        assertThat(client.get("/v1/printers/stats?ids=" + first).at("[0].parts"))
                .isNull();
        Answer ofPart = client.get("/v1/parts/" + part + "/stats");
        assertThat(ofPart.at("failed")).hasToString("2");
        assertThat((Double) ofPart.at("successRate")).isBetween(0.33, 0.34);
        assertThat(ofPart.at("printers[0].name")).isEqualTo("First");
        Answer report = client.get("/v1/reports/failures");
        assertThat(report.at("all.completed")).hasToString("1");
        assertThat(report.at("all.failed")).hasToString("2");
        assertThat(report.at("parts[0].name")).isEqualTo("Hinge");
        assertThat(report.at("printers[0].id")).isEqualTo(first);
        assertThat(report.at("profiles[0].completed")).hasToString("1");
        assertThat(client.get("/v1/parts/" + part + "/stats?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z")
                        .at("details[0].path"))
                .isEqualTo("from");
    }

    @Test
    void spoolCountsForItsMaterialWithoutAVariant() {
        String material =
                client.made("/v1/materials", "{\"name\":\"Plain\",\"brand\":\"b\",\"type\":\"PLA\",\"tags\":[]}");
        String spool = client.made("/v1/materials/instances", "{\"materialId\":\"" + material + "\"}");
        String printer = fakeAgent.printer("First", "");
        client.patch(
                "/v1/printer-slots/assign",
                "{\"printerIds\":[\"" + printer + "\"],\"slots\":[{\"amsIndex\":0,\"slotIndex\":0}],\"instanceId\":\""
                        + spool + "\"}");
        String part = part("Hinge");
        ReadyParts.change(lampStore.store(), part, "slicingEstimate", ReadyParts.estimate("PLA", 40));
        ended(printer, fakeAgent.jobOf(part, ",\"materials\":{\"0\":[{\"materialType\":\"PLA\"}]}"), "jobCompleted");
        Answer report = client.get("/v1/reports/failures");
        assertThat(report.at("materials[0].id")).isEqualTo(material);
        assertThat(report.at("materials[0].name")).isEqualTo("Plain");
    }
}
