package farm.gantry.api.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.fixture.Answer;
import farm.gantry.notification.EventName;
import farm.gantry.notification.NotificationChannel.Kind;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Tests which messages notification channels get, and when they are sent. */
final class ChannelDeliveriesTest {
    static final List<ServiceRequest> SERVICES = ServiceRequest.ALL;

    private static final ServiceRequest GOTIFY = ServiceRequest.of(Kind.gotify);

    /** The keys of the example in RFC 8291. */
    private static final String WEB_PUSH = """
            {"url": "BASE/push", "token": "BTBZMqHH6r4Tts7J_aSIgg",
             "publicKey": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
             "vapidPublicKey": "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8",
             "vapidKey": "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"}""";

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

    private String channel(String more) {
        return channel(GOTIFY, more);
    }

    private String channel(ServiceRequest service, String more) {
        return farm.channel(service, "http://127.0.0.1:" + receiver.port(), more);
    }

    private List<String> received() {
        return receiver.received().stream().map(LocalReceiver.Received::body).toList();
    }

    @ParameterizedTest
    @FieldSource("SERVICES")
    void deletedChannelsWaitingMessagesAreNotSent(ServiceRequest service) {
        String channel = channel(service, "");
        farm.emit(EventName.onPrinterOffline, null);
        assertThat(farm.client.delete(ChannelFixture.CHANNELS + "/" + channel).status())
                .isEqualTo(200);
        assertThat(farm.deliver()).isZero();
        assertThat(receiver.received()).isEmpty();
    }

    @ParameterizedTest
    @FieldSource("SERVICES")
    void channelDeletedDuringAnAttemptStaysDeleted(ServiceRequest service) {
        String channel = channel(service, "");
        farm.emit(EventName.onPrinterOffline, null);
        List<ChannelDeliveries.Claim> claims = farm.claim();
        farm.client.delete(ChannelFixture.CHANNELS + "/" + channel);
        List<ChannelDeliveries.ChannelAttempt> attempted =
                claims.stream().map(farm.deliveries::attempt).toList();
        assertThat(farm.deliveries.recordAndClaim(farm.store.id(), attempted, true))
                .isEmpty();
        assertThat(farm.read(channel).status()).isEqualTo(404);
    }

    @Test
    void disabledChannelDropsItsMessages() {
        String channel = channel("");
        farm.emit(EventName.onPrinterOffline, null);
        patch(channel, "{\"enabled\": false}");
        farm.emit(EventName.onPrinterOnline, null);
        patch(channel, "{\"enabled\": true}");
        assertThat(farm.deliver()).isZero();
        assertThat(farm.log(channel).each("status")).containsExactly("discarded");
    }

    private Answer patch(String channel, String body) {
        Answer changed = farm.client.patch(ChannelFixture.CHANNELS + "/" + channel, body);
        assertThat(changed.status()).as(changed.text()).isEqualTo(200);
        return changed;
    }

    @Test
    void templateIsUsedInMessagesCountsAndDigestsButNotInTests() {
        String channel =
                channel(", \"template\": {\"title\": \"Halle 2\", \"text\": \"{printer} ist nicht erreichbar\"}");
        String printer = farm.printer("Voron", "[]");
        farm.emit(EventName.onPrinterOffline, printer);
        farm.emit(EventName.onPrinterOffline, printer);
        assertThat(farm.deliver()).isEqualTo(1);
        assertThat(received().getLast())
                .contains("\"title\":\"Halle 2\"", "Voron ist nicht erreichbar (2 times within a minute)");
        farm.client.post(ChannelFixture.CHANNELS + "/" + channel + "/test", "{}");
        assertThat(received().getLast()).contains("\"title\":\"Test from Gantry\"");
        patch(channel, "{\"template\": {\"text\": \"{printer} fehlt\"}, " + quiet(Duration.ofHours(2)) + "}");
        farm.clock.pass(Duration.ofMinutes(2));
        farm.emit(EventName.onPrinterOffline, printer);
        farm.emit(EventName.onPrinterOnline, printer);
        assertThat(farm.deliver()).as("during the quiet hours").isZero();
        farm.clock.pass(Duration.ofHours(2));
        assertThat(farm.deliver()).isEqualTo(1);
        assertThat(received().getLast()).contains("2 notifications during quiet hours", "Voron fehlt (2 times)");
        assertThat(patch(channel, "{\"template\": null}").at("template")).isNull();
    }

    @Test
    void tenthFailureInADayDisablesTheChannel() {
        String channel = channel("");
        receiver.answerWith(500, Map.of(), "broken");
        for (int i = 0; i < 9; i++) {
            farm.emit(EventName.onPrinterOffline, null);
            farm.deliver();
        }
        assertThat(farm.read(channel).at("enabled")).isEqualTo(true);
        farm.emit(EventName.onPrinterOffline, null);
        farm.deliver();
        Answer disabled = farm.read(channel);
        assertThat(disabled.at("enabled")).isEqualTo(false);
        assertThat(disabled.at("failureCount")).isEqualTo(10);
        assertThat(disabled.at("lastError"))
                .isEqualTo("The channel was disabled, because 10 attempts failed in succession within 24 hours. "
                        + "gotify responded with status 500: broken.");
        farm.clock.pass(Duration.ofHours(1));
        assertThat(farm.deliver()).isZero();
        Answer enabled = patch(channel, "{\"enabled\": true}");
        assertThat(enabled.at("lastError")).isNull();
        assertThat(enabled.at("failureCount")).isEqualTo(0);
        farm.emit(EventName.onPrinterOffline, null);
        assertThat(farm.deliver()).isEqualTo(1);
        assertThat(farm.read(channel).at("failureCount"))
                .as("failures before do not count")
                .isEqualTo(1);
    }

    @Test
    void successResetsTheCountOfFailures() {
        String channel = channel("");
        for (int i = 0; i < 3; i++) {
            receiver.answerWith(500);
            for (int j = 0; j < 9; j++) {
                farm.emit(EventName.onPrinterOffline, null);
                farm.deliver();
            }
            receiver.answerWith(204);
            farm.clock.pass(Duration.ofMinutes(5));
            assertThat(farm.deliver()).isPositive();
            assertThat(farm.read(channel).at("failureCount")).isEqualTo(0);
        }
        assertThat(farm.read(channel).at("enabled")).isEqualTo(true);
    }

    @Test
    void failuresOfYesterdayDoNotCount() {
        String channel = channel("");
        receiver.answerWith(500);
        for (int i = 0; i < 9; i++) {
            farm.emit(EventName.onPrinterOffline, null);
            farm.deliver();
        }
        farm.clock.pass(Duration.ofHours(25));
        receiver.answerWith(200);
        farm.deliver();
        assertThat(farm.read(channel).at("failureCount")).isEqualTo(0);
        assertThat(farm.read(channel).at("enabled")).isEqualTo(true);
    }

    @Test
    void goneServiceDisablesTheChannelAtOnce() {
        String channel = channel("");
        receiver.answerWith(410);
        farm.emit(EventName.onPrinterOffline, null);
        farm.deliver();
        assertThat(farm.read(channel).at("enabled")).isEqualTo(false);
        assertThat(farm.read(channel).at("lastError")).asString().contains("no longer accepts", "410");
    }

    @Test
    void messageIsDroppedAfterFiveAttempts() {
        String channel = channel("");
        receiver.answerWith(500);
        farm.emit(EventName.onPrinterOffline, null);
        for (int i = 0; i < 5; i++) {
            assertThat(farm.deliver()).isEqualTo(1);
            farm.clock.pass(Duration.ofHours(3));
        }
        assertThat(farm.deliver()).isZero();
        assertThat(farm.log(channel).at("[0].status")).isEqualTo("failed");
    }

    @ParameterizedTest
    @FieldSource("SERVICES")
    void messageIsSentAgainAfterACrash(ServiceRequest service) {
        channel(service, "");
        farm.emit(EventName.onPrinterOffline, null);
        farm.claim().forEach(farm.deliveries::attempt);
        assertThat(farm.deliver()).as("leased by the process that ended").isZero();
        farm.clock.pass(Duration.ofSeconds(61));
        assertThat(farm.deliver()).isEqualTo(1);
        assertThat(received()).hasSize(2);
    }

    @Test
    void channelSendsOneMessageAtATimeInOrder() {
        channel("");
        farm.emit(EventName.onPrinterOffline, null);
        farm.emit(EventName.onPrinterOnline, null);
        assertThat(farm.claim()).hasSize(1);
        assertThat(farm.claim()).as("another process").isEmpty();
        farm.clock.pass(Duration.ofSeconds(61));
        assertThat(farm.deliver()).isEqualTo(2);
        assertThat(received().get(0)).contains("unreachable");
        assertThat(received().get(1)).contains("reachable again");
    }

    @ParameterizedTest
    @FieldSource("SERVICES")
    void slowServiceDoesNotDelayOtherChannels(ServiceRequest service) throws Exception {
        channel(service, "");
        try (LocalReceiver slow = new LocalReceiver()) {
            slow.hold(_ -> true);
            farm.channel(service, "http://127.0.0.1:" + slow.port(), "");
            farm.emit(EventName.onPrinterOffline, null);
            CompletableFuture<Integer> delivering = CompletableFuture.supplyAsync(farm::deliver);
            assertThat(Objects.requireNonNull(receiver.next()).body()).contains("unreachable");
            assertThat(Objects.requireNonNull(slow.next()).body()).contains("unreachable");
            farm.emit(EventName.onPrinterOnline, null);
            assertThat(Objects.requireNonNull(receiver.next()).body()).contains("reachable again");
            assertThat(slow.received()).hasSize(1);
            slow.hold(_ -> false);
            assertThat(delivering.get()).isEqualTo(4);
        }
    }

    @Test
    void channelsCostNoRequestWhileNothingHappens() throws IOException {
        try (MailServer mail = MailServer.plain()) {
            SERVICES.forEach(service -> channel(service, ""));
            farm.channel("webpush", WEB_PUSH.replace("BASE", "http://127.0.0.1:" + receiver.port()), "");
            farm.channel("email", """
                    {"host": "127.0.0.1", "port": %d, "security": "none", "sender": "farm@example.com",
                     "recipients": ["ada@example.com"]}""".formatted(mail.port()), "");
            assertThat(farm.client.get(ChannelFixture.CHANNELS).each("kind"))
                    .containsExactlyInAnyOrderElementsOf(
                            Stream.of(Kind.values()).map(Kind::name).toList());
            for (int round = 0; round < 5; round++) {
                assertThat(farm.deliver()).isZero();
                farm.clock.pass(Duration.ofHours(3));
            }
            assertThat(receiver.received()).isEmpty();
            assertThat(mail.received()).isEmpty();
            farm.emit(EventName.onPrinterOffline, null);
            assertThat(farm.deliver()).isEqualTo(Kind.values().length);
            assertThat(receiver.received()).hasSize(Kind.values().length - 1);
            assertThat(mail.received()).hasSize(1);
        }
    }

    @Test
    void repeatedEventOfAPrinterIsOneMessageWithACount() {
        String channel = channel("");
        String printer = farm.printer("Voron", "[]");
        farm.emit(EventName.onPrinterOffline, printer);
        farm.emit(EventName.onPrinterOffline, printer);
        farm.emit(EventName.onPrinterOffline, farm.printer("Trident", "[]"));
        farm.emit(EventName.onPrinterOnline, printer);
        farm.emit(EventName.onPrinterOffline, printer);
        assertThat(farm.deliver()).isEqualTo(3);
        assertThat(received().getFirst()).contains("Voron is unreachable. (2 times within a minute)");
        assertThat(farm.log(channel).each("body.count")).containsOnlyOnce("2");
        farm.emit(EventName.onPrinterOffline, printer);
        farm.emit(EventName.onPrinterOffline, printer);
        farm.clock.pass(Duration.ofSeconds(59));
        assertThat(farm.deliver()).as("within the minute").isZero();
        farm.clock.pass(Duration.ofSeconds(1));
        assertThat(farm.deliver()).isEqualTo(1);
        assertThat(received().getLast())
                .as("the last state")
                .contains("Voron is unreachable. (3 times within a minute)");
    }

    private void fault(String printer, String reason) {
        farm.emit(EventName.onPrinterHmsError, printer, null, Map.of("reason", reason));
    }

    @Test
    void faultsOfAPrinterWithDifferentCausesAreMessagesOfTheirOwn() {
        channel(", \"events\": [\"onPrinterHmsError\"]");
        String printer = farm.printer("Voron", "[]");
        for (int i = 0; i < 2; i++) {
            fault(printer, "door open");
            fault(printer, "nozzle clogged");
        }
        assertThat(farm.deliver()).isEqualTo(2);
        assertThat(received().getFirst()).contains("Reason: door open. (2 times within a minute)");
        assertThat(received().getLast()).contains("Reason: nozzle clogged. (2 times within a minute)");
        fault(printer, "fan stuck");
        assertThat(farm.deliver()).as("a new cause does not wait").isEqualTo(1);
        fault(printer, "door open");
        assertThat(farm.deliver()).as("within the minute").isZero();
    }

    private void agentOffline(String id, String name) {
        farm.emit(EventName.onAgentOffline, null, null, Map.of("agent", Map.of("id", id, "name", name)));
    }

    @Test
    void repeatedEventOfAnAgentIsOneMessageWithACount() {
        channel(", \"events\": [\"onAgentOffline\"]");
        for (int i = 0; i < 3; i++) {
            agentOffline("a", "Hall 1");
            agentOffline("b", "Hall 2");
            farm.resolve(EventName.onAgentOffline, "a");
        }
        agentOffline("c", "Hall 1");
        agentOffline("a", "Hall 1");
        assertThat(farm.deliver()).isEqualTo(3);
        assertThat(received())
                .satisfiesExactly(
                        body -> assertThat(body).contains("Hall 1", "(4 times").doesNotContain("Resolved"),
                        body -> assertThat(body).contains("Hall 2", "(3 times"),
                        body -> assertThat(body).contains("Hall 1").doesNotContain("times"));
    }

    @Test
    void eventDuringAnAttemptIsCountedInAMessageOfItsOwn() {
        channel("");
        String printer = farm.printer("Voron", "[]");
        farm.emit(EventName.onPrinterOffline, printer);
        List<ChannelDeliveries.ChannelAttempt> attempted =
                farm.claim().stream().map(farm.deliveries::attempt).toList();
        farm.emit(EventName.onPrinterOffline, printer);
        farm.deliveries.recordAndClaim(farm.store.id(), attempted, true);
        farm.clock.pass(Duration.ofSeconds(60));
        assertThat(farm.deliver()).isEqualTo(1);
        assertThat(received()).hasSize(2).allMatch(body -> !body.contains("times"));
    }

    /** Returns a member of a channel with quiet hours that began an hour ago and end after this time. */
    private String quiet(Duration left) {
        DateTimeFormatter time = DateTimeFormatter.ofPattern("HH:mm").withZone(ZoneOffset.UTC);
        Instant now = farm.clock.instant();
        return "\"quietHours\": {\"from\": \"" + time.format(now.minus(Duration.ofHours(1))) + "\", \"to\": \""
                + time.format(now.plus(left)) + "\"}";
    }

    @Test
    void messagesOfQuietHoursAreSentAsOneWhenTheyEnd() {
        String channel = channel(", " + quiet(Duration.ofHours(2)));
        String printer = farm.printer("Voron", "[]");
        for (int i = 0; i < 3; i++) {
            farm.emit(EventName.onPrinterOffline, printer);
            farm.emit(EventName.onPrinterOnline, printer);
            farm.clock.pass(Duration.ofMinutes(10));
        }
        farm.emit(EventName.onPrinterOffline, printer);
        farm.emit(EventName.onPrinterOffline, printer);
        assertThat(farm.deliver()).as("during the quiet hours").isZero();
        farm.clock.pass(Duration.ofHours(2));
        receiver.answerWith(500);
        assertThat(farm.deliver()).isEqualTo(1);
        assertThat(farm.read(channel).at("failureCount")).isEqualTo(1);
        farm.emit(EventName.onPrinterOnline, null);
        farm.clock.pass(Duration.ofSeconds(73));
        receiver.answerWith(204);
        assertThat(farm.deliver()).as("the digest, and what happened since").isEqualTo(2);
        assertThat(received().get(1))
                .isEqualTo(received().get(0))
                .contains("8 notifications during quiet hours")
                .contains("Voron is unreachable. (5 times)\\nVoron is reachable again. (3 times)");
        assertThat(farm.log(channel).each("status")).containsOnly("delivered").hasSize(8);
        assertThat(farm.deliver()).isZero();
    }

    @Test
    void digestIsSentAgainAfterACrash() {
        channel(", " + quiet(Duration.ofHours(2)));
        farm.emit(EventName.onPrinterOffline, farm.printer("a", "[]"));
        farm.emit(EventName.onPrinterOffline, farm.printer("b", "[]"));
        farm.clock.pass(Duration.ofHours(2));
        farm.claim().forEach(farm.deliveries::attempt);
        assertThat(farm.deliver()).as("leased by the process that ended").isZero();
        farm.clock.pass(Duration.ofSeconds(61));
        assertThat(farm.deliver()).isEqualTo(1);
        assertThat(received()).hasSize(2).allMatch(body -> body.contains("2 notifications during quiet hours"));
    }

    @Test
    void errorsAreSentDuringQuietHours() {
        channel(", \"events\": [\"onPrinterHmsError\", \"onPrinterHmsWarning\"], " + quiet(Duration.ofHours(2)));
        farm.emit(EventName.onPrinterHmsWarning, null);
        farm.emit(EventName.onPrinterHmsError, null);
        assertThat(farm.deliver()).isEqualTo(1);
        assertThat(received().getFirst()).contains("reports an error");
    }

    @Test
    void messageCollectedAloneIsSentAsItIs() {
        channel(", " + quiet(Duration.ofHours(2)));
        farm.emit(EventName.onPrinterOffline, null);
        farm.clock.pass(Duration.ofHours(2));
        assertThat(farm.deliver()).isEqualTo(1);
        assertThat(received().getFirst()).contains("Printer offline");
    }

    @Test
    void collectedMessagesAreSentWhenTheQuietHoursAreRemoved() {
        String channel = channel(", " + quiet(Duration.ofHours(2)));
        farm.emit(EventName.onPrinterOffline, farm.printer("a", "[]"));
        farm.emit(EventName.onPrinterOffline, farm.printer("b", "[]"));
        patch(channel, "{" + quiet(Duration.ofHours(3)) + "}");
        assertThat(farm.deliver()).isZero();
        patch(channel, "{\"quietHours\": null}");
        farm.clock.pass(Duration.ofMinutes(1)); // the routes have a clock of their own
        assertThat(farm.deliver()).isEqualTo(1);
        assertThat(received().getFirst()).contains("2 notifications during quiet hours");
    }

    @Test
    void repeatedEventAfterAMinuteIsAMessageOfItsOwn() {
        channel("");
        String printer = farm.printer("Voron", "[]");
        farm.emit(EventName.onPrinterOffline, printer);
        farm.clock.pass(Duration.ofSeconds(60));
        farm.emit(EventName.onPrinterOffline, printer);
        assertThat(farm.deliver()).isEqualTo(2);
    }

    @Test
    void onlyPrintersWithATagOfTheChannelAreReported() {
        channel(", \"printerTags\": [\"hall-2\", \"resin\"]");
        farm.emit(EventName.onPrinterOffline, farm.printer("inside", "[\"hall-2\"]"));
        farm.emit(EventName.onPrinterOffline, farm.printer("outside", "[\"hall-1\"]"));
        farm.emit(EventName.onPrinterOffline, null);
        assertThat(farm.deliver()).isEqualTo(1);
        assertThat(received().getFirst()).contains("inside is unreachable");
    }

    @Test
    void manyEventsOfOneChangeAreSummarised() {
        channel("");
        List<String> printers =
                IntStream.range(0, 9).mapToObj(i -> farm.printer("p" + i, "[]")).toList();
        farm.emitTogether(EventName.onPrinterOffline, printers);
        assertThat(farm.deliver()).isEqualTo(5);
        assertThat(received().getLast()).contains("5 more events of this kind occurred at the same time.");
    }

    @Test
    void onlySubscribedEventsAreSent() {
        channel(", \"printerTags\": []");
        farm.emit(EventName.onPrinterHmsError, null);
        assertThat(farm.deliver()).isZero();
    }

    @Test
    void delayInTheBodyOfAResponsePausesTheChannel() {
        String channel = channel("");
        receiver.answerWith(429, Map.of(), "{\"ok\":false,\"parameters\":{\"retry_after\":35}}");
        farm.emit(EventName.onPrinterOffline, null);
        farm.deliver();
        assertThat(Instant.parse(String.valueOf(farm.read(channel).at("pausedUntil"))))
                .isEqualTo(farm.clock.instant().plusSeconds(36));
    }

    @Test
    void messagesAreNotInTheLogOfTheWebhook() {
        farm.client.post("/v1/settings/notifications", """
                {"channel": "webhook", "data": {"webhookUrl": "%s", "apiKey": "%s"}}""".formatted(receiver.url(), "k".repeat(32)));
        farm.client.patch("/v1/settings/notifications/webhook/events", "{\"onPrinterOffline\": true}");
        String channel = channel("");
        farm.emit(EventName.onPrinterOffline, null);
        String log = "/v1/settings/notifications/webhook/deliveries";
        assertThat(farm.client.get(log).each("channelId")).containsExactly("null");
        assertThat(farm.client.post(log + "/search", "{}").json().get("data").size())
                .isEqualTo(1);
        assertThat(farm.log(channel).each("channelId")).containsExactly(channel);
        String message = farm.log(channel).each("id").getFirst();
        assertThat(farm.client.post(log + "/" + message + "/redeliver", "{}").status())
                .isEqualTo(404);
        farm.client.patch("/v1/settings/notifications/webhook", "{\"enabled\": false}");
        assertThat(farm.log(channel).each("status")).containsExactly("pending");
        assertThat(farm.deliver()).isEqualTo(1);
    }
}
