package farm.gantry.api.browser;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.database.Database;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.Host;
import farm.gantry.api.fixture.ReadyParts;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.query.ListQuery;
import farm.gantry.notification.WebhookDelivery;
import java.util.List;

/** A store that sells a lamp of two parts: two feet, and a shade of two plates, one of which is printed twice. */
public record LampStore(SharedApi.Store store, Client client) {
    /** The number of jobs of one lamp. */
    public static final int JOBS = 2 + 1 + 2;

    public static LampStore open(Host host) {
        SharedApi.Store store = SharedApi.newStore();
        LampStore lampStore = new LampStore(store, Client.of(host, store.key()));
        String foot = ReadyParts.uploaded(store, lampStore.client);
        String shade = ReadyParts.project(store, lampStore.client, "gcode3mf", "");
        lampStore.sku(
                "LAMP-1",
                linked(foot, "foot", 2, ""),
                linked(shade, "shade", 1, ",\"extensions\":{\"3mf\":{\"plateQuantities\":{\"2\":1,\"3\":2}}}"));
        return lampStore;
    }

    public static String linked(String part, String label, int quantity, String rest) {
        return "{\"partId\":\"" + part + "\",\"label\":\"" + label + "\",\"quantity\":" + quantity
                + ",\"parameters\":[],\"exposedParameters\":[]" + rest + "}";
    }

    public String sku(String sku, String... linkedParts) {
        return client.made(
                "/v1/skus",
                "{\"sku\":\"" + sku + "\",\"title\":\"Lamp\",\"linkedParts\":[" + String.join(",", linkedParts) + "]}");
    }

    /** Returns the response to an order of this many lamps; {@code more} are further members of the order. */
    public Answer ordered(int lamps, String more) {
        return ordered("{\"order\":{\"orderNumber\":\"1042\"" + more + "},\"items\":[" + lamps(lamps) + "]}");
    }

    public static String lamps(int quantity) {
        return "{\"externalSku\":\"LAMP-1\",\"quantity\":" + quantity + "}";
    }

    public Answer ordered(String body) {
        Answer answer = client.post("/v1/orders", body);
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        return answer;
    }

    public String order(int lamps) {
        return String.valueOf(ordered(lamps, "").at("order.id"));
    }

    public Answer of(String order) {
        return client.get("/v1/orders/" + order);
    }

    public String item(String order) {
        return String.valueOf(of(order).at("items[0].id"));
    }

    /** Queues the jobs that the order still needs. */
    public Answer print(String order) {
        Answer printed = client.post("/v1/orders/print", "{\"orderIds\":[\"" + order + "\"]}");
        assertThat(printed.status()).as(printed.text()).isEqualTo(201);
        return printed;
    }

    public void resize(String order, int lamps) {
        assertThat(client.patch("/v1/orders/items/" + item(order), "{\"quantity\":" + lamps + "}")
                        .status())
                .isEqualTo(200);
    }

    public List<String> jobs(String order, String filter) {
        return client.get("/v1/print-jobs?sort=queueOrder&orderId=" + order + filter)
                .each("id");
    }

    /** Returns the progress as numbers: wanted, queued, printing, done, failed. */
    public String progress(String order) {
        Answer now = of(order);
        return "%s %s %s %s %s"
                .formatted(
                        now.at("progress.wanted"),
                        now.at("progress.queued"),
                        now.at("progress.printing"),
                        now.at("progress.done"),
                        now.at("progress.failed"));
    }

    public void settings(String json) {
        assertThat(client.patch("/v1/settings/store", json).status()).isEqualTo(200);
    }

    public String integration(String settings) {
        return client.made("/v1/integrations", "{\"type\":\"market1\",\"name\":\"m\",\"settings\":" + settings + "}");
    }

    /** Subscribes to all events of orders. */
    public void subscribe() {
        client.post(
                "/v1/settings/notifications",
                "{\"channel\":\"webhook\",\"data\":{\"webhookUrl\":\"http://127.0.0.1:9/\",\"apiKey\":\""
                        + "k".repeat(40) + "\"}}");
        client.patch(
                "/v1/settings/notifications/webhook/events",
                "{\"onOrderCreatedManual\":true,\"onOrderCreatedRetail\":true,\"onOrderCancelled\":true,"
                        + "\"onOrderClosed\":true,\"onOrdersAutoPrinted\":true}");
    }

    /** Returns the webhook's deliveries, oldest first. */
    public List<WebhookDelivery> deliveries() {
        Table<WebhookDelivery> table = SharedApi.bean(Tables.class).of(WebhookDelivery.class);
        return SharedApi.bean(Database.class).in(store.id(), tx -> table.find(tx, ListQuery.all(table.columns())));
    }

    public List<String> events() {
        return deliveries().stream().map(each -> each.event().name()).toList();
    }
}
