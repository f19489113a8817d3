package farm.gantry.api.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.database.Database;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import farm.gantry.notification.EventName;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests that a change of the webhook waits for a running delivery before it locks any delivery. */
final class WebhookLockOrderTest {
    private static final String SETTINGS = "/v1/settings/notifications";

    private final SharedApi.Store store = SharedApi.newStore();
    private final Client client = Client.of(new Socket(), store.key());
    private final Database database = SharedApi.bean(Database.class);

    @BeforeEach
    void subscribe() {
        assertThat(setUp().status()).isEqualTo(201);
        client.patch(SETTINGS + "/webhook/events", "{\"onPrinterOnline\":true}");
        database.in(store.id(), tx -> {
            SharedApi.bean(Webhooks.class).emit(tx, EventName.onPrinterOnline, null, null);
            return tx;
        });
    }

    private Answer setUp() {
        return client.post(
                SETTINGS,
                "{\"channel\":\"webhook\",\"data\":{\"webhookUrl\":\"http://127.0.0.1:9/x\",\"apiKey\":\""
                        + "k".repeat(32) + "\"}}");
    }

    @Test
    void disablingAWebhookDoesNotDeadlock() throws Exception {
        waitsForTheSetting(() -> client.patch(SETTINGS + "/webhook", "{\"enabled\":false}"), 200);
    }

    @Test
    void enablingAWebhookDoesNotDeadlock() throws Exception {
        client.patch(SETTINGS + "/webhook", "{\"enabled\":false}");
        waitsForTheSetting(() -> client.patch(SETTINGS + "/webhook", "{\"enabled\":true}"), 200);
    }

    @Test
    void repeatedWebhookSetupDoesNotDeadlock() throws Exception {
        client.patch(SETTINGS + "/webhook", "{\"enabled\":false}");
        waitsForTheSetting(this::setUp, 201);
    }

    @Test
    void repeatingADeliveryDoesNotDeadlock() throws Exception {
        Object id = client.get(SETTINGS + "/webhook/deliveries").at("[0].id");
        waitsForTheSetting(() -> client.post(SETTINGS + "/webhook/deliveries/" + id + "/redeliver", ""), 201);
    }

    private void waitsForTheSetting(Supplier<Answer> change, int status) throws Exception {
        CompletableFuture<Answer> changed = database.in(store.id(), tx -> {
            tx.query(
                    "select id from farm.\"notificationSetting\" where \"storeId\" = ? for update",
                    rows -> rows.next(),
                    store.id().value());
            CompletableFuture<Answer> begun = CompletableFuture.supplyAsync(change);
            SharedApi.awaitBlocked(tx);
            tx.query(
                    "select id from farm.\"webhookDelivery\" where \"storeId\" = ? for update nowait",
                    rows -> rows.next(),
                    store.id().value());
            return begun;
        });
        assertThat(changed.get(5, TimeUnit.MINUTES).status()).isEqualTo(status);
    }
}
