package farm.gantry.api.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.agent.Agent;
import farm.gantry.api.contract.SnapshotContract;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.ReadyParts;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import farm.gantry.api.link.AgentWatchdog;
import farm.gantry.notification.EventName;
import farm.gantry.notification.NotificationChannel.Kind;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that the message about a fault is updated when the fault ends. */
final class ResolvedMessagesTest {
    private static final String PATH = "/bot123:" + ServiceRequest.SECRET + "/";
    private static final String SENT =
            "{\"ok\":true,\"result\":{\"message_id\":42,\"chat\":{\"id\":-100200},\"text\":\"a\"}}";

    private final ChannelFixture farm = new ChannelFixture();
    private final LocalReceiver receiver = newReceiver();

    private static LocalReceiver newReceiver() {
        try {
            return new LocalReceiver();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @AfterEach
    void close() {
        receiver.close();
    }

    /**
     * The response of a service to a message, also to one with a picture (empty if it takes none), and the request that updates the
     * message.
     */
    record Update(Kind kind, String response, String picturedResponse, String method, String path, List<String> body) {
        @Override
        public String toString() {
            return kind.name();
        }
    }

    static final List<Update> UPDATES = List.of(
            new Update(
                    Kind.ntfy,
                    "{}",
                    "{}",
                    "POST",
                    "/",
                    List.of(
                            "\"title\":\"Resolved: Printer offline\"",
                            "\"message\":\"Völker 3 is unreachable. (ended after 10 minutes)\"",
                            "\"priority\":2")),
            new Update(
                    Kind.webhook,
                    "",
                    "",
                    "POST",
                    "/hooks/farm?key=" + ServiceRequest.SECRET,
                    List.of(
                            "\"title\":\"Resolved: Printer offline\"",
                            "\"text\":\"Völker 3 is unreachable. (ended after 10 minutes)\"",
                            "\"resolved\":true")),
            new Update(
                    Kind.discord,
                    "{\"type\":0,\"embeds\":[{\"description\":\"" + "a".repeat(2_000) + "\"}],\"id\":\"99\"}",
                    "{\"type\":0,\"attachments\":[{\"id\":\"7\"}],\"id\":\"99\"}",
                    "PATCH",
                    "/api/webhooks/1/" + ServiceRequest.SECRET + "/messages/99?thread_id=2",
                    List.of(
                            "\"title\":\"Resolved: Printer offline\"",
                            "\"description\":\"Völker 3 is unreachable. (ended after 10 minutes)\"")),
            new Update(
                    Kind.telegram,
                    SENT,
                    SENT.replace("\"text\":\"a\"", "\"photo\":[],\"caption\":\"a\""),
                    "POST",
                    PATH + "editMessageText",
                    List.of(
                            "\"message_id\":42",
                            "\"chat_id\":\"-100200\"",
                            "\"text\":\"Resolved: Printer offline\\nVölker 3 is unreachable. (ended after 10 minutes)\"")));

    static final List<Update> PICTURED = UPDATES.stream()
            .filter(update -> !update.picturedResponse().isEmpty())
            .toList();

    private String base() {
        return "http://127.0.0.1:" + receiver.port();
    }

    private String channel(Kind kind, String more) {
        return farm.channel(ServiceRequest.of(kind), base(), more);
    }

    private LocalReceiver.Received last() {
        return receiver.received().getLast();
    }

    @ParameterizedTest
    @FieldSource("UPDATES")
    void updateIsAsTheServiceDocuments(Update expected) {
        String channel = channel(expected.kind(), "");
        String printer = farm.printer("Völker 3", "[]");
        receiver.answerWith(200, Map.of(), expected.response());
        farm.emit(EventName.onPrinterOffline, printer);
        assertThat(farm.deliver()).isEqualTo(1);
        farm.clock.pass(Duration.ofMinutes(10));
        farm.resolve(EventName.onPrinterHmsError, printer);
        farm.resolve(EventName.onPrinterOffline, farm.printer("other", "[]"));
        assertThat(farm.deliver()).as("other faults ended").isZero();
        farm.resolve(EventName.onPrinterOffline, printer);
        assertThat(farm.deliver()).isEqualTo(1);
        assertThat(last().method()).isEqualTo(expected.method());
        assertThat(last().path()).isEqualTo(expected.path());
        assertThat(last().body()).contains(expected.body());
        assertThat(farm.log(channel).at("[0].status")).isEqualTo("delivered");
        assertThat(farm.log(channel).json().get(0).get("attempts").size()).isEqualTo(2);
        farm.resolve(EventName.onPrinterOffline, printer);
        assertThat(farm.deliver()).as("nothing more").isZero();
    }

    @Test
    void messageAndUpdateOfNtfyHaveTheSameSequence() {
        channel(Kind.ntfy, "");
        String printer = farm.printer("Völker 3", "[]");
        farm.emit(EventName.onPrinterOffline, printer);
        farm.deliver();
        farm.resolve(EventName.onPrinterOffline, printer);
        farm.deliver();
        assertThat(receiver.received())
                .hasSize(2)
                .extracting(each -> each.body().replaceFirst(".*\"sequence_id\":\"([a-z0-9]{24})\".*", "$1"))
                .containsOnly(farm.log(farm.client
                                .get(ChannelFixture.CHANNELS)
                                .each("id")
                                .getFirst())
                        .each("id")
                        .getFirst());
    }

    @ParameterizedTest
    @FieldSource("PICTURED")
    void pictureOfAnUpdatedMessageStays(Update expected) {
        FakeAgent agent = new FakeAgent(farm.store, new Socket());
        String printer = agent.printer("Völker 3", "");
        channel(expected.kind(), ", \"picture\": true");
        receiver.answerWith(200, Map.of(), expected.picturedResponse());
        farm.emit(EventName.onPrinterOffline, printer);
        agent.still(printer, 640, SnapshotContract.PICTURE);
        farm.clock.pass(ChannelOutbox.CAMERA_WAIT);
        assertThat(farm.deliver()).isEqualTo(1);
        farm.clock.pass(Duration.ofMinutes(10));
        farm.resolve(EventName.onPrinterOffline, printer);
        assertThat(farm.deliver()).isEqualTo(1);
        switch (expected.kind()) {
            case telegram -> {
                assertThat(last().path()).isEqualTo(PATH + "editMessageCaption");
                assertThat(last().body())
                        .contains("\"caption\":\"Resolved: Printer offline\\nV")
                        .doesNotContain("\"text\"");
            }
            case discord -> assertThat(last().body()).contains("\"image\":{\"url\":\"attachment://picture.jpg\"}");
            default -> assertThat(last().body()).contains(expected.body());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"slack", "gotify", "pushover"})
    void messageStaysAsItIsWhereTheServiceUpdatesNone(Kind kind) {
        channel(kind, "");
        String printer = farm.printer("Völker 3", "[]");
        receiver.answerWith(200, Map.of(), "{\"id\":7}");
        farm.emit(EventName.onPrinterOffline, printer);
        assertThat(farm.deliver()).isEqualTo(1);
        farm.resolve(EventName.onPrinterOffline, printer);
        assertThat(farm.deliver()).isZero();
    }

    /** Sends a message that a printer is offline, and returns the id of the printer. */
    private String sentMessage() {
        String printer = farm.printer("Völker 3", "[]");
        receiver.answerWith(200, Map.of(), SENT);
        farm.emit(EventName.onPrinterOffline, printer);
        assertThat(farm.deliver()).isEqualTo(1);
        return printer;
    }

    @Test
    void messageStaysAsItIsIfItsUpdateFails() {
        String channel = channel(Kind.telegram, "");
        farm.resolve(EventName.onPrinterOffline, sentMessage());
        receiver.answerWith(400);
        assertThat(farm.deliver()).isEqualTo(1);
        Answer read = farm.read(channel);
        assertThat(read.at("lastError")).isNull();
        assertThat(read.at("failureCount")).isEqualTo(0);
        assertThat(farm.log(channel).at("[0].status")).isEqualTo("delivered");
        farm.clock.pass(Duration.ofHours(3));
        assertThat(farm.deliver()).as("no retry").isZero();
    }

    @Test
    void messageStaysAsItIsIfTheResponseDoesNotNameIt() {
        channel(Kind.telegram, "");
        String printer = farm.printer("Völker 3", "[]");
        receiver.answerWith(200, Map.of(), "OK");
        farm.emit(EventName.onPrinterOffline, printer);
        assertThat(farm.deliver()).isEqualTo(1);
        farm.resolve(EventName.onPrinterOffline, printer);
        assertThat(farm.deliver()).isZero();
    }

    @Test
    void waitingMessageSaysThatTheFaultEnded() {
        channel(Kind.telegram, "");
        String printer = farm.printer("Völker 3", "[]");
        receiver.answerWith(500);
        farm.emit(EventName.onPrinterOffline, printer);
        assertThat(farm.deliver()).isEqualTo(1);
        farm.clock.pass(Duration.ofSeconds(73));
        farm.resolve(EventName.onPrinterOffline, printer);
        receiver.answerWith(200, Map.of(), SENT);
        assertThat(farm.deliver()).isEqualTo(1);
        assertThat(last().path()).isEqualTo(PATH + "sendMessage");
        assertThat(last().body()).contains("Resolved: Printer offline", "(ended after 73 seconds)");
        assertThat(farm.deliver()).as("nothing more").isZero();
    }

    @Test
    void faultThatEndsWhileItsMessageIsSentUpdatesIt() {
        channel(Kind.telegram, "");
        String printer = farm.printer("Völker 3", "[]");
        receiver.answerWith(200, Map.of(), SENT);
        farm.emit(EventName.onPrinterOffline, printer);
        List<ChannelDeliveries.ChannelAttempt> attempted =
                farm.claim().stream().map(farm.deliveries::attempt).toList();
        farm.resolve(EventName.onPrinterOffline, printer);
        List<ChannelDeliveries.Claim> claims = farm.deliveries.recordAndClaim(farm.store.id(), attempted, true);
        assertThat(claims).hasSize(1).allMatch(ChannelDeliveries.Claim::isUpdate);
    }

    @Test
    void newFaultIsANewMessage() {
        channel(Kind.telegram, "");
        String printer = sentMessage();
        farm.resolve(EventName.onPrinterOffline, printer);
        farm.emit(EventName.onPrinterOffline, printer);
        assertThat(farm.deliver()).isEqualTo(1);
        assertThat(last().path()).isEqualTo(PATH + "editMessageText");
        farm.clock.pass(Duration.ofMinutes(1));
        assertThat(farm.deliver()).isEqualTo(1);
        assertThat(last().path()).isEqualTo(PATH + "sendMessage");
        assertThat(last().body()).doesNotContain("Resolved", "times");
    }

    @Test
    void messageOfOtherSettingsIsNotUpdated() {
        String channel = channel(Kind.telegram, "");
        String printer = sentMessage();
        String settings = ServiceRequest.of(Kind.telegram).settings(base()).replace("-100200", "-100300");
        assertThat(farm.client
                        .patch(ChannelFixture.CHANNELS + "/" + channel, "{\"settings\": " + settings + "}")
                        .status())
                .isEqualTo(200);
        farm.resolve(EventName.onPrinterOffline, printer);
        assertThat(farm.deliver()).isZero();
    }

    @Test
    void updateOfADisabledChannelIsDropped() {
        String channel = channel(Kind.telegram, "");
        farm.resolve(EventName.onPrinterOffline, sentMessage());
        farm.client.patch(ChannelFixture.CHANNELS + "/" + channel, "{\"enabled\": false}");
        assertThat(farm.deliver()).isZero();
        assertThat(farm.log(channel).at("[0].status")).isEqualTo("delivered");
    }

    /** Delivers the message about a fault, which {@code recovery} then ends. */
    private void endsBy(String title, Runnable fault, Runnable recovery) {
        receiver.answerWith(200, Map.of(), SENT);
        fault.run();
        farm.clock.pass(Duration.ofMinutes(2));
        assertThat(farm.deliver()).as(title).isEqualTo(1);
        assertThat(last().body()).contains("\"text\":\"" + title);
        recovery.run();
        farm.clock.pass(Duration.ofMinutes(2));
        assertThat(farm.deliver()).as("end of: " + title).isEqualTo(1);
        assertThat(last().path()).isEqualTo(PATH + "editMessageText");
        assertThat(last().body()).contains("Resolved: " + title);
    }

    @Test
    void faultsOfPrintersAndAgentsEnd() {
        FakeAgent agent = new FakeAgent(farm.store, new Socket());
        String printer = agent.printer("Voron", "");
        String ofPrinters = channel(
                Kind.telegram, ", \"events\": [\"onPrinterOffline\", \"onPrinterHmsError\", \"onPrinterQuarantined\"]");
        endsBy(
                "Printer offline",
                () -> agent.exchange(List.of(agent.event(printer, "printerOffline", Map.of())), List.of(), List.of()),
                () -> agent.exchange(List.of(agent.event(printer, "printerOnline", Map.of())), List.of(), List.of()));
        endsBy(
                "Printer error",
                () -> agent.exchange(
                        List.of(agent.event(printer, "printerError", Map.of("message", "jam"))),
                        List.of(),
                        List.of(agent.report(printer, "error"))),
                () -> agent.exchange(List.of(), List.of(), List.of(agent.report(printer, "idle"))));
        endsBy(
                "Printer in quarantine",
                () -> farm.client.patch(
                        "/v1/printers/quarantine", "{\"ids\":[\"" + printer + "\"],\"quarantined\":true}"),
                () -> farm.client.patch(
                        "/v1/printers/quarantine", "{\"ids\":[\"" + printer + "\"],\"quarantined\":false}"));
        farm.client.delete(ChannelFixture.CHANNELS + "/" + ofPrinters);
        channel(Kind.telegram, ", \"events\": [\"onBedNeedsClearing\", \"onAgentOffline\"]");
        endsBy(
                "Bed needs clearing",
                () -> farm.emit(EventName.onBedNeedsClearing, printer),
                () -> farm.client.patch(
                        "/v1/printers/confirm-ready", "{\"ids\":[\"" + printer + "\"],\"ready\":true}"));
        endsBy(
                "Agent offline",
                () -> {
                    agent.change(
                            Agent.class,
                            agent.agentId(),
                            Map.of("lastSeenAt", Instant.now().minus(Duration.ofMinutes(5))));
                    SharedApi.bean(AgentWatchdog.class).checkTimeouts();
                },
                agent::exchange);
    }

    private static Map<String, Object> fault(FakeAgent agent, String printer, String status, String... messages) {
        return agent.report(
                printer,
                status,
                Map.of(),
                List.of(),
                Map.of(
                        "errors",
                        Stream.of(messages)
                                .map(message -> Map.of("message", message))
                                .toList()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"paused", "printing", "finished"})
    void faultDuringAPrintEndsWhenThePrinterReportsNoFault(String next) {
        FakeAgent agent = new FakeAgent(farm.store, new Socket());
        String printer = agent.printer("Voron", "");
        agent.exchange(List.of(), List.of(), List.of(agent.report(printer, "printing")));
        channel(Kind.telegram, ", \"events\": [\"onPrinterHmsError\"]");
        endsBy(
                "Printer error",
                () -> {
                    agent.exchange(
                            List.of(agent.event(printer, "printerError", Map.of("message", "jam"))),
                            List.of(),
                            List.of(agent.report(printer, "printing"))); // older than the event
                    agent.exchange(List.of(), List.of(), List.of(fault(agent, printer, "printing", "jam")));
                    agent.exchange(List.of(), List.of(), List.of(fault(agent, printer, "offline", "jam")));
                    agent.exchange(List.of(), List.of(), List.of(fault(agent, printer, "paused", "jam")));
                },
                () -> agent.exchange(
                        List.of(),
                        List.of(),
                        List.of(
                                next.equals("finished")
                                        ? fault(agent, printer, next, "cancelled at the printer")
                                        : agent.report(printer, next))));
    }

    @Test
    void faultThatEndedBeforeItsEventArrivedEndsWithTheNextReport() {
        FakeAgent agent = new FakeAgent(farm.store, new Socket());
        String printer = agent.printer("Voron", "");
        channel(Kind.telegram, ", \"events\": [\"onPrinterHmsError\"]");
        endsBy(
                "Printer error",
                () -> agent.exchange(
                        List.of(agent.event(printer, "printerError", Map.of("message", "jam"))),
                        List.of(),
                        List.of(agent.report(printer, "printing"))),
                () -> agent.exchange(
                        List.of(),
                        List.of(),
                        List.of(Map.of(
                                "deviceId",
                                agent.deviceOf(printer),
                                "at",
                                Instant.now().toString(),
                                "state",
                                Map.of("temperatures", Map.of("bed", Map.of("actual", 60, "target", 60)))))));
    }

    @Test
    void faultsOfJobsPartsSpoolsAndTheQueueEnd() {
        FakeAgent agent = new FakeAgent(farm.store, new Socket());
        String printer = agent.printer("Voron", "");
        String part = ReadyParts.uploaded(farm.store, farm.client);
        String job = agent.jobOf(part, "");
        agent.round();
        agent.happened(printer, "jobStarted", job);
        channel(
                Kind.telegram,
                ", \"events\": [\"onJobPaused\", \"onPartHeld\", \"onQueuePaused\", \"onFilamentLow\", \"onFilamentRunOut\"]");
        endsBy(
                "Print paused",
                () -> agent.happened(printer, "jobPaused", job),
                () -> agent.happened(printer, "jobResumed", job));
        endsBy(
                "Part on hold",
                () -> farm.client.patch("/v1/parts/hold", "{\"ids\":[\"" + part + "\"],\"held\":true}"),
                () -> farm.client.patch("/v1/parts/hold", "{\"ids\":[\"" + part + "\"],\"held\":false}"));
        endsBy(
                "Queue paused",
                () -> farm.client.patch("/v1/queue", "{\"paused\":true}"),
                () -> farm.client.patch("/v1/queue", "{\"paused\":false}"));
        String spool = spool();
        String other = spool();
        assign(printer, spool);
        endsBy("Filament used up", () -> low(EventName.onFilamentRunOut, spool), () -> assign(printer, other));
        endsBy(
                "Filament low",
                () -> low(EventName.onFilamentLow, spool),
                () -> farm.client.patch("/v1/materials/instances/" + spool, "{\"remainingGrams\":900}"));
    }

    private String spool() {
        return farm.client.made("/v1/materials/instances", "{\"materialType\":\"PLA\",\"remainingGrams\":100}");
    }

    private void assign(String printer, String spool) {
        Answer assigned = farm.client.patch("/v1/printer-slots/assign", """
                {"printerIds": ["%s"], "slots": [{"amsIndex": 0, "slotIndex": 0}], "instanceId": "%s"}""".formatted(printer, spool));
        assertThat(assigned.status()).as(assigned.text()).isEqualTo(200);
    }

    private void low(EventName event, String spool) {
        farm.emit(event, null, null, Map.of("materialInstance", Map.of("id", spool, "name", "black")));
    }
}
