package farm.gantry.api.deliver;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.Answer;
import farm.gantry.api.Client;
import farm.gantry.api.Farm;
import farm.gantry.api.Socket;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.queue.Loop;
import farm.gantry.api.store.Database;
import farm.gantry.api.store.Secrets;
import farm.gantry.api.store.Tables;
import farm.gantry.api.store.WebhookRows;
import farm.gantry.notification.EventName;
import io.micronaut.serde.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** From an event to somebody's webhook, and everything that may go wrong on the way. */
final class WebhookDeliveriesTest {
    private static final String API_KEY = "k".repeat(32);
    private static final String SETTINGS = "/v1/settings/notifications";

    private final Farm.Store store = Farm.newStore();
    private final Client client = Client.of(new Socket(), store.key());
    private final SettableClock clock = new SettableClock();
    private final Webhooks webhooks = new Webhooks(
            Farm.bean(Tables.class),
            Farm.bean(WebhookRows.class),
            Farm.bean(RecordReader.class),
            Farm.bean(ObjectMapper.class),
            clock);
    private final WebhookDeliveries deliveries = new WebhookDeliveries(
            Farm.bean(Database.class),
            Farm.bean(Tables.class),
            Farm.bean(WebhookRows.class),
            webhooks,
            Farm.bean(Secrets.class),
            Farm.bean(PinnedHttpPost.class),
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
        Farm.bean(Database.class).in(store.id(), tx -> {
            webhooks.emit(tx, EventName.onPrinterOnline, null, null);
            return tx;
        });
    }

    private void emitAndDeliver(int times) {
        for (int i = 0; i < times; i++) {
            emit();
        }
        while (deliveries.deliver(store.id()) > 0) {
            assertThat(receiver.received()).isNotEmpty();
        }
    }

    private Answer log() {
        return client.get(SETTINGS + "/webhook/deliveries");
    }

    @Test
    void whateverADeliveryThrowsIsAnAttempt() {
        emit();
        Farm.bean(Database.class).in(store.id(), tx -> {
            tx.update("""
                    update farm."notificationSetting" set data = jsonb_set(data::jsonb, '{webhookUrl}', ?::jsonb)::json
                    where "storeId" = ?""", "\"http://127.0.0.1:70000/\"", store.id().value());
            return tx;
        });
        deliveries.deliver(store.id());
        assertThat(log().at("[0].attempts[0].error")).asString().contains("port out of range");
        assertThat(log().at("[0].status")).isEqualTo("pending");
        assertThat(client.get(SETTINGS).at("[0].failureCount24h")).hasToString("1");
    }

    @Test
    void aDeliverySaysWhatHappenedAndProvesWhoSaysIt() throws Exception {
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
    void aPrinterIsToldAsItsOwnRouteAnswersItWithoutItsSecrets() {
        Answer made = client.with("content-type", "application/json")
                .send(
                        "PUT",
                        "/v1/printers",
                        Client.utf8(
                                "[{\"name\":\"p\",\"nozzleDiameter\":\"0.4\",\"metadata\":"
                                        + "{\"provider\":\"vendorP\",\"nozzle_diameter\":0.4,\"password\":\"s3cret-of-the-printer\"}}]"));
        String id = made.each("id").getFirst();
        Farm.bean(Database.class).in(store.id(), tx -> {
            webhooks.emit(tx, EventName.onPrinterOnline, id, Farm.unknownId());
            return tx;
        });
        deliveries.deliver(store.id());
        Client viewer = client.keyed(
                String.valueOf(client.post("/v1/api-keys", "{\"name\":\"v\",\"permissions\":[\"printer.view\"]}")
                        .at("key")));
        String body = receiver.received().getFirst().body();
        assertThat(body)
                .contains("\"data\":{\"printer\":"
                        + viewer.get("/v1/printers/" + id).text() + ",\"printJob\":null}")
                .contains("********")
                .doesNotContain("s3cret");
    }

    @Test
    void onlyWhatIsSubscribedToIsTold() {
        Farm.bean(Database.class).in(store.id(), tx -> {
            webhooks.emit(tx, EventName.onPrinterOffline, null, null);
            return tx;
        });
        assertThat(deliveries.deliver(store.id())).isZero();
        assertThat(log().each("id")).isEmpty();
    }

    @Test
    void anEventOfATransactionThatFailsNeverHappened() {
        try {
            Farm.bean(Database.class).in(store.id(), tx -> {
                webhooks.emit(tx, EventName.onPrinterOnline, null, null);
                throw new IllegalStateException("rolled back");
            });
        } catch (IllegalStateException e) {
            assertThat(deliveries.deliver(store.id())).isZero();
        }
        assertThat(log().each("id")).isEmpty();
    }

    @Test
    void aCrashBetweenClaimAndAnswerDeliversAgainUnderTheSameId() {
        emit();
        var claimed = deliveries.claim(store.id());
        claimed.forEach((each, webhook) -> deliveries.attempt(webhook, each.id(), each.body()));
        assertThat(deliveries.deliver(store.id())).as("somebody else has it").isZero();
        clock.pass(Duration.ofSeconds(61));
        assertThat(deliveries.deliver(store.id())).isEqualTo(1);
        assertThat(receiver.received()).hasSize(2);
        assertThat(receiver.received().get(1).header("webhook-id"))
                .isEqualTo(receiver.received().get(0).header("webhook-id"));
        assertThat(receiver.received().get(1).body())
                .isEqualTo(receiver.received().get(0).body());
        assertThat(log().at("[0].status")).isEqualTo("delivered");
    }

    @Test
    void aFailureIsTriedAgainLaterAndLater() {
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
            assertThat(deliveries.deliver(store.id())).isEqualTo(1);
            assertThat(log().at("[0].status")).isEqualTo("pending");
            Duration until =
                    Duration.between(clock.instant(), Instant.parse(String.valueOf(log().at("[0].nextAttemptAt"))));
            assertThat(until)
                    .isBetween(
                            wait.multipliedBy(79).dividedBy(100),
                            wait.multipliedBy(121).dividedBy(100));
            assertThat(deliveries.deliver(store.id())).isZero();
            clock.pass(until);
        }
        assertThat(deliveries.deliver(store.id())).isEqualTo(1);
        assertThat(log().at("[0].status")).isEqualTo("failed");
        assertThat(log().at("[0].attempts[6].statusCode")).isEqualTo(500);
        clock.pass(Duration.ofDays(30));
        assertThat(deliveries.deliver(store.id())).isZero();
        assertThat(receiver.received()).hasSize(7);
    }

    @Test
    void theTenthFailureInADayDisablesTheWebhookAndEventsAreHeldForReplay() {
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
        assertThat(deliveries.deliver(store.id())).isZero();
        assertThat(log().each("status")).containsOnly("held").hasSize(11);
        receiver.answerWith(200);
        Answer enabled = client.patch(SETTINGS + "/webhook", "{\"enabled\":true}");
        assertThat(enabled.at("enabled")).isEqualTo(true);
        assertThat(enabled.at("disabledReason")).isNull();
        assertThat(enabled.at("failureCount24h")).isEqualTo(0);
        while (deliveries.deliver(store.id()) > 0) {
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
        while (deliveries.deliver(store.id()) > 0) {
            assertThat(receiver.received()).isNotEmpty();
        }
        receiver.answerWith(500);
        emitAndDeliver(1);
        assertThat(client.get(SETTINGS).at("[0].enabled")).isEqualTo(true);
    }

    @Test
    void whatIsHeldForThreeDaysIsDiscarded() {
        client.patch(SETTINGS + "/webhook", "{\"enabled\":false}");
        emit();
        assertThat(log().at("[0].status")).isEqualTo("held");
        clock.pass(Duration.ofHours(73));
        assertThat(deliveries.deliver(store.id())).isZero();
        assertThat(log().at("[0].status")).isEqualTo("discarded");
        client.patch(SETTINGS + "/webhook", "{\"enabled\":true}");
        assertThat(deliveries.deliver(store.id())).isZero();
    }

    @Test
    void aDeliveryCanBeAskedForAgain() {
        emitAndDeliver(1);
        String id = log().each("id").getFirst();
        assertThat(client.post(SETTINGS + "/webhook/deliveries/" + id + "/redeliver", "{}")
                        .at("status"))
                .isEqualTo("pending");
        clock.pass(Duration.ofSeconds(5));
        assertThat(deliveries.deliver(store.id())).isEqualTo(1);
        assertThat(receiver.received().get(1).header("webhook-id")).isEqualTo(id);
        assertThat(client.post(SETTINGS + "/webhook/deliveries/" + Farm.unknownId() + "/redeliver", "{}")
                        .status())
                .isEqualTo(404);
    }

    @Test
    void aReceiverOutOfReachIsAFailureWithAReason() {
        receiver.close();
        emit();
        assertThat(deliveries.deliver(store.id())).isEqualTo(1);
        assertThat(log().at("[0].attempts[0].statusCode")).isNull();
        assertThat(log().at("[0].attempts[0].error")).asString().contains("Connect");
    }

    @Test
    void theWorkerIsWokenByTheCommit() throws InterruptedException {
        CountDownLatch looked = new CountDownLatch(1);
        try (Loop loop = Loop.start("webhooks", webhooks.signal(), Duration.ofHours(1), () -> {
            deliveries.deliverDue();
            looked.countDown();
        })) {
            assertThat(loop).isNotNull();
            assertThat(looked.await(60, TimeUnit.SECONDS)).isTrue();
            emit();
            assertThat(receiver.next()).isNotNull();
        }
    }
}
