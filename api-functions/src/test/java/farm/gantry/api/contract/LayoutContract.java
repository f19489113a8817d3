package farm.gantry.api.contract;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.SharedApi;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests layouts: each user has their own, one of which is the default. */
public interface LayoutContract extends BulkContract {
    @Override
    default String path() {
        return "/v1/layouts";
    }

    @Override
    default String body() {
        return "{\"name\":\"wipe\",\"mode\":\"grid\",\"formatVersion\":1,"
                + "\"definition\":{\"formatVersion\":1,\"mode\":\"grid\",\"cards\":[]}}";
    }

    @Override
    default Map<String, Object> defaults() {
        return Map.of("mode", "grid", "formatVersion", 1, "isDefault", false, "definition.cards", "[]");
    }

    private String defaultOf(String user) {
        return body().replaceFirst("\\{", "{\"isDefault\":true,\"userId\":\"" + user + "\",");
    }

    @Test
    default void layoutBelongsToTheCreatingKeyUnlessAUserIsGiven() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        String keyId = store.key().substring(0, 24);
        assertThat(client.post(path(), body()).at("userId")).isEqualTo(keyId);
        assertThat(client.post(path(), defaultOf("ann")).at("userId")).isEqualTo("ann");
        assertThat(client.get(path() + "?userId=ann").json().size()).isEqualTo(1);
    }

    @Test
    default void userHasAtMostOneDefault() {
        Client client = Client.of(host(), SharedApi.newStore().key());
        String first = client.made(path(), defaultOf("ann"));
        String bobs = client.made(path(), defaultOf("bob"));
        String second = client.made(path(), defaultOf("ann"));
        assertThat(client.get(path() + "?isDefault=true").each("id")).containsExactly(bobs, second);
        assertThat(client.patch(path() + "/" + first, "{\"isDefault\":true}").at("isDefault"))
                .isEqualTo(true);
        assertThat(client.get(path() + "?isDefault=true").each("id")).containsExactly(first, bobs);
        client.patch(path() + "/" + first, "{\"userId\":\"bob\"}");
        assertThat(client.get(path() + "?isDefault=true").each("id")).containsExactly(first);
        assertThat(client.patch(path() + "/" + first, "{\"name\":\"mine\"}").at("isDefault"))
                .isEqualTo(true);
    }

    @Test
    default void onlyOneOfABatchBecomesTheDefault() {
        Client client = Client.of(host(), SharedApi.newStore().key());
        String first = client.made(path(), body());
        String second = client.made(
                path(),
                defaultOf(String.valueOf(client.get(path() + "/" + first).at("userId"))));
        Answer changed = client.patch(
                path(), "{\"ids\":[\"" + first + "\",\"" + second + "\"],\"update\":{\"isDefault\":true}}");
        assertThat(changed.status()).as(changed.text()).isEqualTo(200);
        assertThat(client.get(path() + "?isDefault=true").json().size()).isEqualTo(1);
    }

    @Test
    default void concurrentDefaultsAreSerialized() {
        Client client = Client.of(host(), SharedApi.newStore().key());
        List<String> layouts =
                IntStream.range(0, 4).mapToObj(_ -> client.made(path(), body())).toList();
        List<Answer> answers = IntStream.range(0, 24)
                .parallel()
                .mapToObj(i -> client.patch(path() + "/" + layouts.get(i % 4), "{\"isDefault\":true}"))
                .toList();
        assertThat(answers).extracting(Answer::status).containsOnly(200);
        assertThat(client.get(path() + "?isDefault=true").json().size()).isEqualTo(1);
    }

    @Test
    default void cardIsStoredWithItsCells() {
        Client client = Client.of(host(), SharedApi.newStore().key());
        String cards = "[{\"id\":\"a\",\"card\":\"printer\",\"entityId\":\"p\",\"x\":0,\"y\":1,\"w\":2,\"h\":3},"
                + "{\"id\":\"b\",\"card\":\"queue\",\"x\":2.5,\"y\":0,\"w\":1,\"h\":1}]";
        assertThat(client.post(path(), body().replace("[]", cards)).text()).contains("\"cards\":" + cards);
    }

    @Test
    default void layoutErrorsNameTheirPaths() {
        Answer refused = Client.of(host(), SharedApi.newStore().key())
                .post(
                        path(),
                        "{\"name\":\"\",\"userId\":null,\"mode\":\"list\",\"isDefault\":1,\"definition\":"
                                + "{\"formatVersion\":1,\"mode\":\"grid\",\"cards\":[{\"id\":\"a\",\"card\":\"c\",\"x\":0,\"y\":0,\"w\":1}]}}");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.json().get("details").values())
                .extracting(fault -> Answer.at(fault, "path"))
                .containsExactlyInAnyOrder(
                        "name", "userId", "mode", "formatVersion", "isDefault", "definition.cards[0].h");
    }
}
