package farm.gantry.local;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.Id;
import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tests the API with an agent whose messages are duplicated, late or lost. */
@ExtendWith(SharedFarm.class)
@Execution(ExecutionMode.CONCURRENT)
class LinkTest {
    private final Farm farm;
    private final String session = Id.random(16);
    private final AtomicLong sequence = new AtomicLong();
    private FarmApiClient agent = new FarmApiClient("", "");
    private String printer = "";
    private String device = "";

    LinkTest(Farm farm) {
        this.farm = farm;
    }

    /** Pairs an agent that this test simulates by requests, with one idle printer. */
    @BeforeEach
    void pair() throws IOException {
        String code = FarmRequests.text(farm.api().post("/v1/agents/pairing-codes", Map.of()), "code");
        Map<String, String> hello = Map.of("code", code, "name", "wire", "version", "1", "platform", "test");
        JsonNode paired = farm.api().post("/v1/agents/pair", hello);
        agent = farm.api().withAuthorization("AgentToken " + FarmRequests.text(paired, "token"));
        printer = farm.register("on the wire", List.of(), 1, FarmRequests.text(paired, "agentId"));
        device = FarmRequests.text(farm.api().get("/v1/printers/" + printer), "deviceId");
        exchange(request(List.of(), List.of(), List.of(report("idle"))));
    }

    @Test
    void repeatedExchangeIsIdempotent() throws Exception {
        String job = sent();
        Map<String, Object> request =
                request(List.of(event("jobStarted", job, 1), event("jobCompleted", job, 1)), List.of(), List.of());
        long acknowledged = exchange(request).get("ackSequence").getLongValue();
        JsonNode before = printer();
        farm.api().patch("/v1/printers/confirm-ready", Map.of("ids", List.of(printer), "ready", true));
        assertThat(exchange(request).get("ackSequence").getLongValue()).isEqualTo(acknowledged);
        JsonNode after = printer();
        assertThat(before.get("lifetimeJobCount").getIntValue()).isEqualTo(1);
        assertThat(after.get("lifetimeJobCount").getIntValue()).isEqualTo(1);
        assertThat(after.get("confirmedReady").getBooleanValue()).isTrue();
        assertThat(FarmRequests.text(farm.job(job), "status")).isEqualTo("Completed");
    }

    @Test
    void duplicateCommandAcknowledgementIsProcessedOnce() throws Exception {
        String job = sent();
        JsonNode command = exchange(request(List.of(), List.of(), List.of()))
                .get("commands")
                .get(0);
        Map<String, Object> ack = Map.of("commandId", FarmRequests.text(command, "commandId"), "outcome", "taken");
        Map<String, Object> request = request(List.of(), List.of(ack, ack), List.of());
        assertThat(exchange(request).get("commands").size()).isZero();
        assertThat(exchange(request).get("commands").size()).isZero();
        assertThat(FarmRequests.text(farm.job(job), "status")).isEqualTo("Sending-to-printer");
    }

    @Test
    void completionWithoutAStartEventCompletesTheJob() throws Exception {
        String job = sent();
        exchange(request(List.of(event("jobCompleted", job, 1)), List.of(), List.of()));
        JsonNode done = farm.job(job);
        assertThat(FarmRequests.text(done, "status")).isEqualTo("Completed");
        assertThat(done.get("completedAt").isNull()).isFalse();
        assertThat(printer().get("printingJobId").isNull()).isTrue();
    }

    @Test
    void eventOfAnOldAttemptDoesNotChangeTheNewAttempt() throws Exception {
        String job = sent();
        exchange(request(List.of(event("jobFailed", job, 1)), List.of(), List.of()));
        farm.controlJob("retry", job);
        confirm();
        farm.awaitJob(job, "Sending-to-printer");
        exchange(request(
                List.of(event("jobStarted", job, 1), event("jobCompleted", job, 1), event("jobCancelled", job, 1)),
                List.of(),
                List.of()));
        JsonNode second = farm.job(job);
        assertThat(FarmRequests.text(second, "status")).isEqualTo("Sending-to-printer");
        assertThat(second.get("attempt").getIntValue()).isEqualTo(2);
        assertThat(FarmRequests.text(printer(), "printingJobId")).isEqualTo(job);
        exchange(request(List.of(event("jobStarted", job, 2)), List.of(), List.of()));
        assertThat(FarmRequests.text(farm.job(job), "status")).isEqualTo("Printing");
    }

    @Test
    void lateCancellationEndsOnlyTheOldAttempt() throws Exception {
        String job = sent();
        exchange(request(List.of(event("jobStarted", job, 1)), List.of(), List.of()));
        farm.controlJob("cancel", job);
        farm.controlJob("retry", job);
        assertThat(FarmRequests.text(farm.job(job), "status")).isEqualTo("Pending");
        exchange(request(List.of(event("jobCancelled", job, 1)), List.of(), List.of()));
        assertThat(FarmRequests.text(farm.job(job), "status")).isEqualTo("Pending");
        assertThat(printer().get("printingJobId").isNull())
                .as("the printer is free")
                .isTrue();
        confirm();
        JsonNode again = farm.awaitJob(job, "Sending-to-printer");
        assertThat(again.get("attempt").getIntValue()).isEqualTo(2);
    }

    @Test
    void endOfAnOldAttemptFreesItsPrinterAfterARetryElsewhere() throws Exception {
        String job = sentTagged(Map.of("user.tags", "either"));
        exchange(request(List.of(event("jobStarted", job, 1)), List.of(), List.of()));
        farm.controlJob("cancel", job);
        farm.controlJob("retry", job);
        try (FarmPrinter other = farm.addPrinter("elsewhere", "either")) {
            other.confirmBed();
            farm.awaitJob(job, "Completed");
            assertThat(FarmRequests.text(printer(), "printingJobId")).isEqualTo(job);
            exchange(request(List.of(event("jobCancelled", job, 1)), List.of(), List.of()));
            assertThat(printer().get("printingJobId").isNull())
                    .as("the printer is free")
                    .isTrue();
            assertThat(FarmRequests.text(farm.job(job), "status")).isEqualTo("Completed");
        }
    }

    @Test
    void rejectedPrintReturnsToPendingAndFreesThePrinter() throws Exception {
        String job = sent();
        JsonNode command = exchange(request(List.of(), List.of(), List.of()))
                .get("commands")
                .get(0);
        Map<String, Object> ack = Map.of(
                "commandId", FarmRequests.text(command, "commandId"), "outcome", "refused", "message", "not today");
        exchange(request(List.of(), List.of(ack), List.of()));
        JsonNode again = farm.job(job);
        assertThat(FarmRequests.text(again, "status")).isEqualTo("Pending");
        assertThat(FarmRequests.text(again, "errorMessage")).isEqualTo("not today");
        assertThat(printer().get("printingJobId").isNull()).isTrue();
    }

    @Test
    void invalidCharactersInAPrinterMessageAreReplaced() throws Exception {
        String job = sent();
        Map<String, Object> failed = event("jobFailed", job, 1);
        failed.put("message", "heater\0fault");
        exchange(request(List.of(failed), List.of(), List.of()));
        assertThat(FarmRequests.text(farm.job(job), "errorMessage")).isEqualTo("heater?fault");
    }

    @Test
    void printersOfADeletedAgentGoOffline() throws Exception {
        assertThat(printer().get("isOnline").getBooleanValue()).isTrue();
        farm.api().delete("/v1/agents/" + FarmRequests.text(printer(), "proxyClientId"));
        assertThat(printer().get("isOnline").getBooleanValue()).isFalse();
        assertThat(printer().get("isAvailable").getBooleanValue()).isFalse();
    }

    /** Returns a job that was sent to the printer. */
    private String sent() throws IOException {
        return sentTagged(Map.of("printer.id", printer));
    }

    private String sentTagged(Map<String, String> tags) throws IOException {
        if (tags.containsKey("user.tags")) {
            farm.api().patch("/v1/printers/" + printer, Map.of("tags", List.of(tags.get("user.tags"))));
        }
        confirm();
        String part = farm.readyGcode("wire", 60);
        exchange(request(List.of(), List.of(), List.of())); // an agent without requests counts as lost
        String job = farm.build(part, 1, tags).getFirst();
        farm.awaitJob(job, "Sending-to-printer");
        return job;
    }

    private void confirm() throws IOException {
        farm.api().patch("/v1/printers/confirm-ready", Map.of("ids", List.of(printer), "ready", true));
    }

    private JsonNode printer() throws IOException {
        return farm.api().get("/v1/printers/" + printer);
    }

    private JsonNode exchange(Map<String, Object> request) throws IOException {
        return agent.post("/v1/agents/link?wait=0", request);
    }

    private Map<String, Object> request(List<?> events, List<?> acks, List<?> reports) {
        return Map.of(
                "session", session, "sequence", sequence.get(), "reports", reports, "events", events, "acks", acks);
    }

    private Map<String, Object> event(String kind, String job, int attempt) {
        Map<String, Object> event = new HashMap<>();
        event.put("sequence", sequence.incrementAndGet());
        event.put("at", Instant.now().toString());
        event.put("deviceId", device);
        event.put("kind", kind);
        event.put("jobId", job);
        event.put("attempt", attempt);
        event.put("elapsedSeconds", 60);
        return event;
    }

    private Map<String, Object> report(String status) {
        String now = Instant.now().toString();
        Map<String, Object> state = Map.of(
                "connection",
                "online",
                "status",
                status,
                "temperatures",
                Map.of(),
                "filamentSlots",
                List.of(),
                "errors",
                List.of(),
                "at",
                now);
        return Map.of("deviceId", device, "at", now, "state", state);
    }
}
