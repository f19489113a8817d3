package farm.gantry.api.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.api.apikey.WorkCallers;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import farm.gantry.api.json.RecordReader;
import io.micronaut.json.tree.JsonNode;
import java.net.URI;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the answers to MQTT brokers, with requests in the form of EMQX and mosquitto-go-auth. */
final class BrokerAccessTest {
    private final SharedApi.Store store = SharedApi.newStore();
    private final Client broker = Client.of(new Socket());

    private Answer ask(String body) {
        Answer answer = broker.post("/mqtt-access?secret=" + SharedApi.BROKER_SECRET, body);
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer;
    }

    /** Asks as both brokers do; both must understand the same answer. */
    private String connect(String user, String password) {
        Answer emqx =
                ask("{\"username\":\"" + user + "\",\"password\":\"" + password + "\",\"clientid\":\"dashboard\"}");
        assertThat(emqx.at("Ok")).as(emqx.text()).isEqualTo("allow".equals(emqx.at("result")));
        assertThat(emqx.at("is_superuser")).isEqualTo(false);
        return emqx.at("result") + " " + emqx.at("Error");
    }

    @Test
    void passwordIsAnApiKeyOfTheStore() {
        Client owner = Client.of(new Socket(), store.key());
        String user = store.id().value();
        assertThat(connect(user, store.key())).isEqualTo("allow ");
        assertThat(connect(user, store.key().replaceFirst(".$", "-"))).startsWith("deny a valid API key");
        assertThat(connect(user, "")).startsWith("deny a valid API key");
        assertThat(connect(SharedApi.newStore().id().value(), store.key())).contains("deny the user name must be");
        String limited =
                String.valueOf(owner.post("/v1/api-keys", "{\"name\":\"limited\",\"permissions\":[\"printer.view\"]}")
                        .at("key"));
        assertThat(connect(user, limited)).isEqualTo("deny the key lacks the permission queue.view");
        Answer dashboard = owner.post(
                "/v1/api-keys",
                "{\"name\":\"dashboard\",\"permissions\":[\"printer.view\",\"queue.view\",\"part.view\",\"sku.view\","
                        + "\"material.view\",\"order.view\"]}");
        assertThat(connect(user, String.valueOf(dashboard.at("key")))).isEqualTo("allow ");
        owner.patch("/v1/api-keys/" + dashboard.at("id"), "{\"active\":false}");
        assertThat(connect(user, String.valueOf(dashboard.at("key")))).startsWith("deny");
    }

    @ParameterizedTest
    @CsvSource({
        "stores/STORE/#, subscribe, 4, allow",
        "stores/STORE/entities/printers, subscribe, 1, allow",
        "stores/STORE/entities/printers, publish, 2, deny",
        "stores/STORE/entities/printers, publish, 3, deny",
        "stores/+/entities/printers, subscribe, 4, deny",
        "stores/STORE, subscribe, 4, deny",
        "'#', subscribe, 4, deny",
        "homeassistant/device/a/config, subscribe, 4, deny"
    })
    void storeReadsOnlyItsOwnTopics(String topic, String action, int acc, String result) {
        String user = store.id().value();
        String begin = "{\"username\":\"" + user + "\",\"topic\":\"" + topic.replace("STORE", user) + "\",";
        assertThat(ask(begin + "\"action\":\"" + action + "\"}").at("result")).isEqualTo(result);
        assertThat(ask(begin + "\"clientid\":\"c\",\"acc\":" + acc + "}").at("Ok"))
                .isEqualTo(result.equals("allow"));
        assertThat(ask("{\"topic\":\"stores//x\",\"action\":\"subscribe\"}").at("result"))
                .isEqualTo("deny");
    }

    @Test
    void othersThanTheBrokerAreRejected() {
        String body = "{\"username\":\"" + store.id().value() + "\",\"password\":\"" + store.key() + "\"}";
        assertThat(broker.post("/mqtt-access", body).status()).isEqualTo(403);
        assertThat(broker.post("/mqtt-access?secret=other", body).status()).isEqualTo(403);
    }

    @Test
    void gantryItselfMayUseEveryTopic() {
        BrokerAccess access = new BrokerAccess(
                SharedApi.BROKER_SECRET,
                Optional.of(new EventBrokerSettings(URI.create("mqtt://broker:1883"), "gantry", "its password")),
                SharedApi.bean(WorkCallers.class),
                SharedApi.bean(RecordReader.class));
        assertThat(access.check(
                                SharedApi.BROKER_SECRET,
                                tree("{\"username\":\"gantry\",\"password\":\"its password\"}"))
                        .isSuperuser())
                .isTrue();
        assertThat(access.check(SharedApi.BROKER_SECRET, tree("{\"username\":\"gantry\",\"password\":\"wrong\"}"))
                        .result())
                .isEqualTo("deny");
        assertThat(access.check(
                                SharedApi.BROKER_SECRET,
                                tree("{\"username\":\"gantry\",\"topic\":\"stores/a/b\",\"action\":\"publish\"}"))
                        .result())
                .isEqualTo("allow");
    }

    private static JsonNode tree(String json) {
        return Answer.tree(Client.utf8(json));
    }

    @Test
    void shortSecretStopsTheStart() {
        assertThatThrownBy(() -> new BrokerAccess(
                        "short",
                        Optional.empty(),
                        SharedApi.bean(WorkCallers.class),
                        SharedApi.bean(RecordReader.class)))
                .hasMessageContaining("gantry.events.broker.access-secret must have at least 16 characters");
    }
}
