package farm.gantry.api.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.database.Database;
import farm.gantry.api.database.ExpiredRows;
import farm.gantry.api.database.Secrets;
import farm.gantry.api.database.Tables;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.Eventually;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import farm.gantry.api.fixture.StreamClient;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.queue.WorkLease;
import farm.gantry.api.queue.WorkLoop;
import farm.gantry.notification.EventName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests webhook deliveries, from the event to the receiver, with all failures. */
final class WebhookDeliveriesTest {
    private static final String API_KEY = "k".repeat(32);
    private static final String SETTINGS = "/v1/settings/notifications";

    private final SharedApi.Store store = SharedApi.newStore();
    private final Client client = Client.of(new Socket(), store.key());
    private final SettableClock clock = new SettableClock();
    private final Webhooks webhooks = new Webhooks(
            SharedApi.bean(Database.class),
            SharedApi.bean(Tables.class),
            SharedApi.bean(WebhookRows.class),
            SharedApi.bean(ChannelOutbox.class),
            SharedApi.bean(RecordReader.class),
            clock,
            Optional.empty());
    private final WebhookFailures failures =
            new WebhookFailures(SharedApi.bean(Tables.class), SharedApi.bean(WebhookRows.class), clock);
    private final WebhookDeliveries deliveries = new WebhookDeliveries(
            SharedApi.bean(Database.class),
            new HeldDeliveries(SharedApi.bean(Tables.class), SharedApi.bean(WebhookRows.class), webhooks, clock),
            SharedApi.bean(WebhookRows.class),
            SharedApi.bean(ExpiredRows.class),
            failures,
            webhooks,
            new WebhookSender(
                    webhooks,
                    SharedApi.bean(Secrets.class),
                    new DeliveryClient(SharedApi.bean(PinnedHttpClient.class), clock)),
            SharedApi.bean(WorkLease.class),
            clock);
    private final LocalReceiver receiver = newReceiver();
    private @Nullable String signingSecret;

    private static LocalReceiver newReceiver() {
        try {
            return new LocalReceiver();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @BeforeEach
    void subscribe() {
        Answer made = subscribe(receiver.url());
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        signingSecret = String.valueOf(made.at("data.signingSecret"));
        assertThat(client.patch(SETTINGS + "/webhook/events", "{\"onPrinterOnline\":true}")
                        .status())
                .isEqualTo(200);
    }

    private Answer subscribe(String url) {
        return client.post(
                SETTINGS,
                "{\"channel\":\"webhook\",\"data\":{\"webhookUrl\":\"" + url + "\",\"apiKey\":\"" + API_KEY + "\"}}");
    }

    @AfterEach
    void close() {
        receiver.close();
    }

    private void emit() {
        SharedApi.bean(Database.class).in(store.id(), tx -> {
            webhooks.emit(tx, EventName.onPrinterOnline, null, null);
            return tx;
        });
    }

    private void emit(int times) {
        for (int i = 0; i < times; i++) {
            emit();
        }
    }

    private void emitOf(String printerId) {
        SharedApi.bean(Database.class).in(store.id(), tx -> {
            webhooks.emit(tx, EventName.onPrinterOnline, printerId, null);
            return tx;
        });
    }

    private int deliver() {
        try {
            return deliveries.deliver(store.id());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void emitAndDeliver(int times) {
        emit(times);
        while (deliver() > 0) {
            assertThat(receiver.received()).isNotEmpty();
        }
    }

    private Answer log() {
        return client.get(SETTINGS + "/webhook/deliveries");
    }

    @Test
    void internalExceptionDoesNotCountAsAFailureOfTheReceiver() {
        emit();
        SharedApi.bean(Database.class).in(store.id(), tx -> {
            tx.update("""
                    update farm."notificationSetting" set data = jsonb_set(data::jsonb, '{webhookUrl}', ?::jsonb)::json
                    where "storeId" = ?""", "\"http://127.0.0.1:70000/\"", store.id().value());
            return tx;
        });
        deliver();
        assertThat(log().at("[0].attempts[0].error")).asString().contains("port out of range");
        assertThat(log().at("[0].status")).isEqualTo("pending");
        assertThat(client.get(SETTINGS).at("[0].failureCount24h")).hasToString("0");
    }

    @Test
    void deliveryContainsTheEventAndIsSigned() throws Exception {
        emitAndDeliver(1);
        assertThat(receiver.received()).hasSize(1);
        LocalReceiver.Received got = receiver.received().getFirst();
        assertThat(got.path()).isEqualTo("/hook?a=b%20c");
        assertThat(got.header("content-type")).isEqualTo("application/json");
        assertThat(got.header("x-api-key")).isEqualTo(API_KEY);
        assertThat(got.header("host")).isEqualTo("127.0.0.1:" + receiver.port());
        assertThat(Answer.at(Answer.tree(Client.utf8(got.body())), "event")).isEqualTo("onPrinterOnline");
        assertThat(Answer.at(Answer.tree(Client.utf8(got.body())), "data.printer"))
                .isNull();
        assertThat(got.header("webhook-timestamp"))
                .isEqualTo(Long.toString(clock.instant().getEpochSecond()));
        Mac mac = Mac.getInstance("HmacSHA256");
        byte[] secret =
                Base64.getDecoder().decode(Objects.requireNonNull(signingSecret).substring("whsec_".length()));
        mac.init(new SecretKeySpec(secret, "HmacSHA256"));
        String signed = got.header("webhook-id") + "." + got.header("webhook-timestamp") + "." + got.body();
        assertThat(got.header("webhook-signature"))
                .isEqualTo("v1,"
                        + Base64.getEncoder().encodeToString(mac.doFinal(signed.getBytes(StandardCharsets.UTF_8))));
        assertThat(log().at("[0].status")).isEqualTo("delivered");
        assertThat(log().at("[0].attempts[0].statusCode")).isEqualTo(204);
        assertThat(log().at("[0].id")).isEqualTo(got.header("webhook-id"));
    }

    @Test
    void printerInAnEventEqualsItsRouteWithoutSecrets() {
        Answer made = client.with("content-type", "application/json")
                .send(
                        "PUT",
                        "/v1/printers",
                        Client.utf8(
                                "[{\"name\":\"p\",\"nozzleDiameter\":\"0.4\",\"metadata\":"
                                        + "{\"provider\":\"vendorP\",\"nozzle_diameter\":0.4,\"password\":\"s3cret-of-the-printer\"}}]"));
        String id = made.each("id").getFirst();
        SharedApi.bean(Database.class).in(store.id(), tx -> {
            webhooks.emit(tx, EventName.onPrinterOnline, id, SharedApi.unknownId());
            return tx;
        });
        deliver();
        Client viewer = client.permitted("printer.view");
        String body = receiver.received().getFirst().body();
        assertThat(body)
                .contains("\"data\":{\"printer\":"
                        + viewer.get("/v1/printers/" + id).text() + ",\"printJob\":null}")
                .contains("********")
                .doesNotContain("s3cret");
    }

    @Test
    void onlySubscribedEventsAreDelivered() {
        SharedApi.bean(Database.class).in(store.id(), tx -> {
            webhooks.emit(tx, EventName.onPrinterOffline, null, null);
            return tx;
        });
        assertThat(deliver()).isZero();
        assertThat(log().each("id")).isEmpty();
    }

    @Test
    void eventOfARolledBackTransactionIsNotDelivered() {
        try {
            SharedApi.bean(Database.class).in(store.id(), tx -> {
                webhooks.emit(tx, EventName.onPrinterOnline, null, null);
                throw new IllegalStateException("rolled back");
            });
        } catch (IllegalStateException e) {
            assertThat(deliver()).isZero();
        }
        assertThat(log().each("id")).isEmpty();
    }

    @Test
    void deliveryIsRepeatedWithTheSameIdAfterACrash() {
        emit();
        WebhookDeliveries.Claim claim = deliveries.recordAndClaim(store.id(), List.of(), 10);
        claim.deliveries().forEach(each -> deliveries.attempt(claim, each));
        assertThat(deliver()).as("leased by another consumer").isZero();
        clock.pass(Duration.ofSeconds(61));
        assertThat(deliver()).isEqualTo(1);
        assertThat(receiver.received()).hasSize(2);
        assertThat(receiver.received().get(1).header("webhook-id"))
                .isEqualTo(receiver.received().get(0).header("webhook-id"));
        assertThat(receiver.received().get(1).body())
                .isEqualTo(receiver.received().get(0).body());
        assertThat(log().at("[0].status")).isEqualTo("delivered");
    }

    @Test
    void failedDeliveryIsRetriedWithBackoff() {
        receiver.answerWith(500);
        emit();
        List<Duration> waits = List.of(
                Duration.ofMinutes(1),
                Duration.ofMinutes(5),
                Duration.ofMinutes(30),
                Duration.ofHours(2),
                Duration.ofHours(5),
                Duration.ofHours(10));
        for (Duration wait : waits) {
            assertThat(deliver()).isEqualTo(1);
            assertThat(log().at("[0].status")).isEqualTo("pending");
            Duration until =
                    Duration.between(clock.instant(), Instant.parse(String.valueOf(log().at("[0].nextAttemptAt"))));
            assertThat(until)
                    .isBetween(
                            wait.multipliedBy(79).dividedBy(100),
                            wait.multipliedBy(121).dividedBy(100));
            assertThat(deliver()).isZero();
            clock.pass(until);
        }
        assertThat(deliver()).isEqualTo(1);
        assertThat(log().at("[0].status")).isEqualTo("failed");
        assertThat(log().at("[0].attempts[6].statusCode")).isEqualTo(500);
        clock.pass(Duration.ofDays(30));
        assertThat(deliver()).isZero();
        assertThat(receiver.received()).hasSize(7);
    }

    @Test
    void tenthFailureInADayDisablesTheWebhookAndHoldsEvents() {
        receiver.answerWith(302);
        emitAndDeliver(9);
        assertThat(client.get(SETTINGS).at("[0].enabled")).isEqualTo(true);
        assertThat(client.get(SETTINGS).at("[0].failureCount24h")).isEqualTo(9);
        emitAndDeliver(1);
        Answer disabled = client.get(SETTINGS);
        assertThat(disabled.at("[0].enabled")).isEqualTo(false);
        assertThat(disabled.at("[0].failureCount24h")).isEqualTo(10);
        assertThat(disabled.at("[0].disabledReason")).asString().contains("10", "302");
        assertThat(receiver.received())
                .as("redirects are not followed")
                .hasSize(10)
                .allMatch(got -> got.path().startsWith("/hook"));
        emit();
        clock.pass(Duration.ofHours(1));
        assertThat(deliver()).isZero();
        assertThat(log().each("status")).containsOnly("held").hasSize(11);
        receiver.answerWith(200);
        Answer enabled = client.patch(SETTINGS + "/webhook", "{\"enabled\":true}");
        assertThat(enabled.at("enabled")).isEqualTo(true);
        assertThat(enabled.at("disabledReason")).isNull();
        assertThat(enabled.at("failureCount24h")).isEqualTo(0);
        while (deliver() > 0) {
            assertThat(receiver.received()).isNotEmpty();
        }
        assertThat(log().each("status")).containsOnly("delivered").hasSize(11);
    }

    @Test
    void failuresOfYesterdayDoNotCount() {
        receiver.answerWith(500);
        emitAndDeliver(9);
        clock.pass(Duration.ofHours(25));
        receiver.answerWith(200);
        while (deliver() > 0) {
            assertThat(receiver.received()).isNotEmpty();
        }
        receiver.answerWith(500);
        emitAndDeliver(1);
        assertThat(client.get(SETTINGS).at("[0].enabled")).isEqualTo(true);
    }

    @Test
    void heldEventsAreDiscardedAfterThreeDays() {
        client.patch(SETTINGS + "/webhook", "{\"enabled\":false}");
        emit();
        assertThat(log().at("[0].status")).isEqualTo("held");
        clock.pass(Duration.ofHours(73));
        assertThat(deliver()).isZero();
        assertThat(log().at("[0].status")).isEqualTo("discarded");
        client.patch(SETTINGS + "/webhook", "{\"enabled\":true}");
        assertThat(deliver()).isZero();
    }

    @Test
    void deliveryCanBeRepeatedOnRequest() {
        emitAndDeliver(1);
        String id = log().each("id").getFirst();
        assertThat(client.post(SETTINGS + "/webhook/deliveries/" + id + "/redeliver", "{}")
                        .at("status"))
                .isEqualTo("pending");
        clock.pass(Duration.ofMinutes(10));
        assertThat(deliver()).isEqualTo(1);
        assertThat(receiver.received().get(1).header("webhook-id")).isEqualTo(id);
        assertThat(client.post(SETTINGS + "/webhook/deliveries/" + SharedApi.unknownId() + "/redeliver", "{}")
                        .status())
                .isEqualTo(404);
    }

    @Test
    void unreachableReceiverIsAFailureWithAReason() {
        receiver.close();
        emit();
        assertThat(deliver()).isEqualTo(1);
        assertThat(log().at("[0].attempts[0].statusCode")).isNull();
        assertThat(log().at("[0].attempts[0].error")).asString().contains("Connect");
    }

    @Test
    void workerIsWokenByTheCommit() throws InterruptedException {
        CountDownLatch looked = new CountDownLatch(1);
        try (WorkLoop loop = WorkLoop.start("webhooks", webhooks.signal(), Duration.ofHours(1), () -> {
            deliver();
            looked.countDown();
        })) {
            assertThat(loop).isNotNull();
            assertThat(looked.await(60, TimeUnit.SECONDS)).isTrue();
            emit();
            assertThat(receiver.next()).isNotNull();
        }
    }

    @Test
    void eventsAreDeliveredInOrderPerPrinter() throws Exception {
        String first = printer("first");
        String second = printer("second");
        receiver.hold(got -> got.body().contains(first));
        emitOf(first);
        emitOf(first);
        emitOf(first);
        emitOf(second);
        Thread delivering = Thread.ofVirtual().start(this::deliver);
        Eventually.until(
                "the receiver got the delivery",
                () -> receiver.received().stream().anyMatch(got -> got.body().contains(second)));
        Eventually.until(
                "the log shows the delivery", () -> log().each("status").contains("delivered"));
        assertThat(receiver.received().stream().filter(got -> got.body().contains(first)))
                .as("the second request waits for the first")
                .hasSize(1);
        receiver.hold(_ -> false);
        delivering.join();
        assertThat(receiver.received().stream()
                        .filter(got -> got.body().contains(first))
                        .map(got -> got.header("webhook-id")))
                .containsExactlyElementsOf(idsInOrder(first));
        assertThat(log().each("status")).containsOnly("delivered").hasSize(4);
    }

    @Test
    void failedAttemptDoesNotBlockLaterEventsOfItsPrinter() {
        String printer = printer("p");
        receiver.answerWith(500);
        emitOf(printer);
        assertThat(deliver()).isEqualTo(1);
        receiver.answerWith(200);
        emitOf(printer);
        assertThat(deliver()).isEqualTo(1);
        assertThat(log().each("status")).containsExactly("pending", "delivered");
    }

    private String printer(String name) {
        Answer made = client.send(
                "PUT",
                "/v1/printers",
                Client.utf8("[{\"name\":\"" + name + "\",\"nozzleDiameter\":\"0.4\",\"metadata\":"
                        + "{\"provider\":\"vendorP\",\"nozzle_diameter\":0.4,\"password\":\"s\"}}]"));
        return made.each("id").getFirst();
    }

    private List<String> idsInOrder(String printer) {
        return SharedApi.bean(Database.class)
                .in(
                        store.id(),
                        tx -> tx.query(
                                """
                                select string_agg(id, ',' order by sequence) from farm."webhookDelivery"
                                where "storeId" = ? and "entityId" = ?""",
                                rows -> rows.next() && rows.getString(1) != null
                                        ? List.of(rows.getString(1).split(","))
                                        : List.of(),
                                store.id().value(),
                                printer));
    }

    @Test
    void retryAfterPausesDeliveriesForAtMostAnHour() {
        receiver.answerWith(503, Map.of("Retry-After", "1200"), "");
        emitAndDeliver(1);
        assertThat(untilNext()).isEqualTo(Duration.ofMinutes(20));
        clock.pass(Duration.ofMinutes(20));
        receiver.answerWith(429, Map.of("Retry-After", "86400"), "");
        assertThat(deliver()).isEqualTo(1);
        assertThat(untilNext()).isEqualTo(Duration.ofHours(1));
    }

    private Duration untilNext() {
        return Duration.between(clock.instant(), Instant.parse(String.valueOf(log().at("[0].nextAttemptAt"))));
    }

    @Test
    void storeHasAtMostEightConcurrentAttempts() {
        emit(20);
        WebhookDeliveries.Claim claim = claim();
        assertThat(claim.deliveries()).hasSize(8);
        assertThat(claim().deliveries()).as("another process").isEmpty();
        List<AttemptResult> attempted = claim.deliveries().stream()
                .limit(3)
                .map(each -> deliveries.attempt(claim, each))
                .toList();
        assertThat(deliveries.recordAndClaim(store.id(), attempted, 64).deliveries())
                .hasSize(3);
        clock.pass(Duration.ofSeconds(61));
        assertThat(claim().deliveries()).as("after a crash of all").hasSize(8);
    }

    /** Claims the due deliveries, as a process without a limit of attempts would. */
    private WebhookDeliveries.Claim claim() {
        return deliveries.recordAndClaim(store.id(), List.of(), 64);
    }

    @Test
    void burstIsHeldBackDuringRetryAfter() {
        receiver.answerWith(429, Map.of("Retry-After", "120"), "");
        emit(30);
        Instant retryAt = clock.instant().plusSeconds(120);
        assertThat(deliver()).isEqualTo(8);
        Answer setting = client.get(SETTINGS);
        assertThat(setting.at("[0].enabled")).isEqualTo(true);
        assertThat(setting.at("[0].failureCount24h")).isEqualTo(8);
        assertThat(Instant.parse(String.valueOf(setting.at("[0].pausedUntil")))).isEqualTo(retryAt);
        assertThat(nextAttempt()).as("next wakeup").contains(retryAt);
        clock.pass(Duration.ofSeconds(119));
        assertThat(deliver()).isZero();
        clock.pass(Duration.ofSeconds(1));
        receiver.answerWith(204);
        assertThat(deliver()).isEqualTo(30);
        assertThat(log().each("status")).containsOnly("delivered").hasSize(30);
        assertThat(client.get(SETTINGS).at("[0].pausedUntil")).isNull();
    }

    private Optional<Instant> nextAttempt() {
        return SharedApi.bean(Database.class).in(store.id(), SharedApi.bean(WebhookRows.class)::nextAttempt);
    }

    @Test
    void unreachableReceiverGetsOneAttemptAtATimeUntilSuccess() {
        receiver.answerWith(503);
        emit(1);
        assertThat(deliver()).isEqualTo(1);
        emit(20);
        assertThat(deliver()).as("for a minute").isZero();
        clock.pass(Duration.ofMinutes(1));
        WebhookDeliveries.Claim lost = claim();
        assertThat(lost.deliveries()).hasSize(1);
        assertThat(claim().deliveries()).as("another process").isEmpty();
        clock.pass(Duration.ofSeconds(61));
        WebhookDeliveries.Claim probe = claim();
        assertThat(probe.deliveries()).as("after a crash").hasSize(1);
        receiver.answerWith(500);
        WebhookDeliveries.Claim next = recordedAndClaimed(probe);
        assertThat(next.deliveries()).as("after a failure without Retry-After").hasSize(1);
        receiver.answerWith(503);
        assertThat(recordedAndClaimed(next).deliveries())
                .as("after one that does")
                .isEmpty();
        receiver.answerWith(204);
        clock.pass(Duration.ofMinutes(2));
        WebhookDeliveries.Claim last = claim();
        assertThat(last.deliveries()).hasSize(1);
        assertThat(recordedAndClaimed(last).deliveries()).as("after a success").hasSize(8);
    }

    private WebhookDeliveries.Claim recordedAndClaimed(WebhookDeliveries.Claim claim) {
        List<AttemptResult> attempted = claim.deliveries().stream()
                .map(each -> deliveries.attempt(claim, each))
                .toList();
        return deliveries.recordAndClaim(store.id(), attempted, 64);
    }

    @Test
    void earlierSuccessDoesNotEndThePause() {
        emit(3);
        WebhookDeliveries.Claim claim = claim();
        AttemptResult good = deliveries.attempt(claim, claim.deliveries().get(0));
        receiver.answerWith(429);
        AttemptResult refused = deliveries.attempt(claim, claim.deliveries().get(1));
        emit(1);
        deliveries.recordAndClaim(store.id(), List.of(refused, good), 0);
        assertThat(claim().deliveries()).isEmpty();
    }

    @Test
    void manualRedeliveryEndsThePause() {
        receiver.answerWith(503, Map.of("Retry-After", "3600"), "");
        emitAndDeliver(1);
        receiver.answerWith(204);
        assertThat(deliver()).isZero();
        String id = log().each("id").getFirst();
        assertThat(client.post(SETTINGS + "/webhook/deliveries/" + id + "/redeliver", "{}")
                        .status())
                .isEqualTo(201);
        clock.pass(Duration.ofMinutes(10)); // the route goes by another clock
        assertThat(deliver()).isEqualTo(1);
        assertThat(log().at("[0].status")).isEqualTo("delivered");
    }

    @Test
    void goneReceiverDisablesTheWebhookAtOnce() {
        receiver.answerWith(410);
        emitAndDeliver(1);
        emit();
        Answer disabled = client.get(SETTINGS);
        assertThat(disabled.at("[0].enabled")).isEqualTo(false);
        assertThat(disabled.at("[0].disabledReason")).isEqualTo("the receiver responded with 410 Gone");
        assertThat(log().each("status")).containsExactly("held", "held");
    }

    @Test
    void logContainsTheReceiversResponseOrConnectionError() {
        receiver.answerWith(500, Map.of(), "no space left: " + "x".repeat(5000));
        emitAndDeliver(1);
        assertThat(log().at("[0].attempts[0].errorClass")).isEqualTo("status");
        assertThat(log().at("[0].attempts[0].responseBody"))
                .asString()
                .startsWith("no space left: x")
                .hasSize(1024);
        receiver.close();
        clock.pass(Duration.ofMinutes(2));
        assertThat(deliver()).isEqualTo(1);
        assertThat(log().at("[0].attempts[1].errorClass")).isEqualTo("connect");
        assertThat(log().at("[0].attempts[1].responseBody")).isNull();
    }

    @Test
    void burstOfFailuresDisablesTheWebhookOnce() throws Exception {
        receiver.answerWith(500);
        emit(50);
        try (StreamClient events = StreamClient.open(store.key(), "?events=channelChanged")) {
            events.until(event -> event.name().equals("ready"));
            deliver();
            StreamClient.Event disabled =
                    events.until(event -> event.at("enabled").equals("false"));
            assertThat(disabled.at("disabledReason")).contains("within 24 hours", "500");
            Answer setting = client.get(SETTINGS);
            assertThat(setting.at("[0].enabled")).isEqualTo(false);
            assertThat(setting.at("[0].warning")).isNull();
            emit();
            deliver();
            assertThat(client.get(SETTINGS).at("[0].disabledReason")).hasToString(disabled.at("disabledReason"));
            assertThat(receiver.received()).as("and running work").hasSizeBetween(10, 17);
            assertThat(log().each("status")).containsOnly("held").hasSize(51);
        }
    }

    @Test
    void failuresOfAReplacedUrlDoNotCountForTheNewOne() {
        receiver.answerWith(500);
        for (int i = 0; i < 12; i++) {
            emit();
        }
        WebhookDeliveries.Claim claim = deliveries.recordAndClaim(store.id(), List.of(), 12);
        List<AttemptResult> attempted = claim.deliveries().stream()
                .map(each -> deliveries.attempt(claim, each))
                .toList();
        assertThat(subscribe(receiver.url() + "&new=1").status()).isEqualTo(201);
        deliveries.recordAndClaim(store.id(), attempted, 0);
        assertThat(client.get(SETTINGS).at("[0].enabled")).isEqualTo(true);
        assertThat(client.get(SETTINGS).at("[0].failureCount24h")).hasToString("0");
        assertThat(log().each("status")).containsOnly("pending");
    }

    @Test
    void fifthFailureWarnsInStreamAndSettings() throws Exception {
        receiver.answerWith(500);
        try (StreamClient events = StreamClient.open(store.key(), "?events=channelChanged")) {
            events.until(event -> event.name().equals("ready"));
            emitAndDeliver(4);
            assertThat(client.get(SETTINGS).at("[0].warning")).isNull();
            emitAndDeliver(1);
            StreamClient.Event warned = events.until(event -> "5".equals(event.at("failureCount24h")));
            assertThat(warned.name()).isEqualTo("channelChanged");
            assertThat(warned.at("enabled")).isEqualTo("true");
            assertThat(warned.at("warning"))
                    .isEqualTo("5 deliveries failed within 24 hours; at 10 the channel is disabled");
            assertThat(client.get(SETTINGS).at("[0].warning")).hasToString(warned.at("warning"));
            clock.pass(Duration.ofHours(25));
            SharedApi.bean(Database.class).in(store.id(), tx -> {
                failures.recount(tx, webhooks.lockWebhook(tx).orElseThrow());
                return tx;
            });
            assertThat(events.next().at("warning")).as("a day later").isEqualTo("null");
        }
    }

    @Test
    void heldEventsAreKeptUntilReplayed() {
        client.patch(SETTINGS + "/webhook", "{\"enabled\":false}");
        emit();
        emit();
        assertThat(client.patch(SETTINGS + "/webhook", "{\"enabled\":true,\"held\":\"keep\"}")
                        .status())
                .isEqualTo(200);
        assertThat(deliver()).isZero();
        assertThat(log().each("status")).containsExactly("held", "held");
        String later = Instant.now().plusSeconds(3600).toString();
        assertThat(replay("{\"from\":\"" + later + "\"}").at("count")).hasToString("0");
        assertThat(replay("{\"from\":\"2020-01-01T00:00:00Z\",\"to\":\"" + later + "\"}")
                        .at("count"))
                .hasToString("2");
        assertThat(deliver()).isEqualTo(2);
        assertThat(replay("{\"from\":\"2020-01-01T00:00:00Z\"}").at("count"))
                .as("delivered events are replayed only when named")
                .hasToString("0");
        assertThat(replay("{\"from\":\"2020-01-01T00:00:00Z\",\"statuses\":[\"delivered\"]}")
                        .at("count"))
                .hasToString("2");
        assertThat(deliver()).isEqualTo(2);
        assertThat(receiver.received().stream()
                        .map(got -> got.header("webhook-id"))
                        .distinct())
                .as("with their former ids")
                .hasSize(2);
        Answer refused = replay("{\"from\":\"2020-01-01T00:00:00Z\",\"statuses\":[\"pending\"]}");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.at("details[0].path")).isEqualTo("statuses");
    }

    private Answer replay(String body) {
        clock.pass(Duration.ofMinutes(10));
        return client.post(SETTINGS + "/webhook/deliveries/replay", body);
    }

    @Test
    void eventDuringReenablingIsDelivered() {
        client.patch(SETTINGS + "/webhook", "{\"enabled\":false}");
        SharedApi.bean(Database.class).in(store.id(), tx -> {
            webhooks.emit(tx, EventName.onPrinterOnline, null, null);
            return client.patch(SETTINGS + "/webhook", "{\"enabled\":true}");
        });
        assertThat(deliver()).isEqualTo(1);
        assertThat(log().each("status")).containsExactly("delivered");
    }

    @Test
    void heldEventsCanBeDiscarded() {
        client.patch(SETTINGS + "/webhook", "{\"enabled\":false}");
        emit();
        assertThat(client.post(SETTINGS + "/webhook/deliveries/discard", "{}").at("count"))
                .hasToString("1");
        client.patch(SETTINGS + "/webhook", "{\"enabled\":true}");
        assertThat(deliver()).isZero();
        assertThat(log().each("status")).containsExactly("discarded");
        client.patch(SETTINGS + "/webhook", "{\"enabled\":false}");
        emit();
        client.patch(SETTINGS + "/webhook", "{\"enabled\":true,\"held\":\"discard\"}");
        assertThat(log().each("status")).containsExactly("discarded", "discarded");
    }

    @Test
    void logIsRetainedForAMonth() {
        emitAndDeliver(1);
        clock.pass(Duration.ofDays(29));
        deliveries.deleteOld();
        assertThat(log().each("id")).hasSize(1);
        clock.pass(Duration.ofDays(2));
        emit();
        deliveries.deleteOld();
        assertThat(log().each("status")).as("undelivered events").containsExactly("pending");
    }

    @Test
    void noEventIsLostOrChangedByACrash() throws Exception {
        int seeds = Integer.getInteger("webhook.seeds", 5);
        for (int seed = 0; seed < seeds; seed++) {
            dieAndGoOn(new Random(seed), seed);
        }
    }

    /** Delivers a few events of three printers by processes that end at random steps. */
    private void dieAndGoOn(Random random, int seed) throws InterruptedException {
        List<String> printers = List.of(printer("a"), printer("b"), printer("c"));
        for (int i = 0; i < 12; i++) {
            emitOf(printers.get(random.nextInt(3)));
        }
        int before = receiver.received().size();
        List<AttemptResult> attempted = List.of();
        for (int step = 0; step < 40; step++) {
            WebhookDeliveries.Claim claim = deliveries.recordAndClaim(store.id(), attempted, 1 + random.nextInt(4));
            attempted = new ArrayList<>();
            for (WebhookRows.ClaimedDelivery each : claim.deliveries()) {
                boolean isDead = random.nextInt(4) == 0;
                AttemptResult sent = isDead && random.nextBoolean() ? null : deliveries.attempt(claim, each);
                if (sent != null && !isDead) {
                    attempted.add(sent);
                }
            }
            clock.pass(Duration.ofSeconds(random.nextInt(40)));
        }
        deliveries.recordAndClaim(store.id(), attempted, 0);
        clock.pass(Duration.ofMinutes(2));
        deliver();
        List<LocalReceiver.Received> got =
                receiver.received().subList(before, receiver.received().size());
        for (String printer : printers) {
            assertThat(got.stream()
                            .filter(each -> each.body().contains(printer))
                            .map(each -> each.header("webhook-id"))
                            .distinct())
                    .as("each event of a printer in order, seed " + seed)
                    .containsExactlyElementsOf(idsInOrder(printer));
        }
        assertThat(got.stream()
                        .map(each -> each.header("webhook-id") + each.body())
                        .distinct())
                .as("one id, one body, seed " + seed)
                .hasSize(12);
        assertThat(log().each("status")).as("seed " + seed).containsOnly("delivered");
    }
}
