package farm.gantry.api.contract;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.Host;
import farm.gantry.api.fixture.SharedApi;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests creating, reading, changing and deleting records of any resource. */
public interface ResourceContract {
    Host host();

    /** Returns the path of the records, such as {@code /v1/macros}. */
    String path();

    /** Returns the minimal body of a record named {@code wipe}. */
    String body();

    /** Returns the expected defaults of a new record, as paths and values. */
    Map<String, Object> defaults();

    private Client owner() {
        return Client.of(host(), SharedApi.newStore().key());
    }

    @Test
    default void minimalBodyCreatesARecordWithDefaults() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        String id = client.made(path(), body());
        Answer got = client.get(path() + "/" + id);
        assertThat(got.status()).isEqualTo(200);
        assertThat(got.at("id")).isEqualTo(id).asString().matches("[a-z0-9]{24}");
        assertThat(got.at("storeId")).isEqualTo(store.id().value());
        assertThat(got.at("name")).isEqualTo("wipe");
        assertThat(got.at("createdAt")).asString().matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z");
        assertThat(got.at("updatedAt")).isEqualTo(got.at("createdAt"));
        defaults()
                .forEach((field, value) ->
                        assertThat(String.valueOf(got.at(field))).as(field).isEqualTo(value.toString()));
    }

    @Test
    default void readOnlyFieldsAreIgnored() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        String others = "\"id\":\"aaaaaaaaaaaaaaaaaaaaaaaa\",\"storeId\":\"x\",\"createdAt\":\"2001-01-01T00:00:00Z\","
                + "\"updatedAt\":17,\"nobodyKnows\":{\"a\":1},";
        String id = client.made(path(), body().replaceFirst("\\{", "{" + others));
        assertThat(id).isNotEqualTo("aaaaaaaaaaaaaaaaaaaaaaaa");
        Answer patched = client.patch(path() + "/" + id, "{" + others + "\"name\":\"new\"}");
        assertThat(patched.status()).isEqualTo(200);
        assertThat(patched.at("id")).isEqualTo(id);
        assertThat(patched.at("storeId")).isEqualTo(store.id().value());
        assertThat(patched.at("createdAt")).asString().doesNotStartWith("2001");
        assertThat(patched.at("nobodyKnows")).isEqualTo("(absent)");
    }

    @Test
    default void patchChangesOnlyNamedFields() {
        Client client = owner();
        String id = client.made(path(), body());
        Answer before = client.get(path() + "/" + id);
        Answer after = client.patch(path() + "/" + id, "{\"name\":\"tidy\"}");
        assertThat(after.status()).isEqualTo(200);
        assertThat(after.at("name")).isEqualTo("tidy");
        assertThat(String.valueOf(after.at("updatedAt"))).isGreaterThan(String.valueOf(before.at("updatedAt")));
        defaults().keySet().forEach(field -> assertThat(after.at(field)).isEqualTo(before.at(field)));
        assertThat(client.get(path() + "/" + id).text()).isEqualTo(after.text());
        assertThat(client.patch(path() + "/" + id, "{}").status()).isEqualTo(200);
    }

    @Test
    default void invalidPatchChangesNothing() {
        Client client = owner();
        String id = client.made(path(), body());
        String before = client.get(path() + "/" + id).text();
        for (String patch : new String[] {"{\"name\":null}", "{\"name\":\"\"}", "{\"name\":5}", "[]", "null", "7"}) {
            assertThat(client.patch(path() + "/" + id, patch).status())
                    .as(patch)
                    .isEqualTo(400);
        }
        assertThat(client.get(path() + "/" + id).text()).isEqualTo(before);
    }

    @Test
    default void textIsStoredUnchanged() {
        Client client = owner();
        String name = "\\u0001\\t\\n\\\"\\\\/<script> é ☃ \uD83D\uDE00 \\ud83d\\ude00";
        String id = client.made(path(), body().replace("wipe", name));
        assertThat(client.get(path() + "/" + id).at("name"))
                .isEqualTo("\u0001\t\n\"\\/<script> é ☃ \uD83D\uDE00 \uD83D\uDE00");
    }

    @Test
    default void nulOrUnpairedSurrogateIsRejected() {
        assertThat(owner().post(path(), body().replace("wipe", "a\\u0000b")).status())
                .isEqualTo(400);
        assertThat(owner().post(path(), body().replace("wipe", "a\\ud83db")).status())
                .isEqualTo(400);
    }

    @Test
    default void deletedRecordIsNotFound() {
        Client client = owner();
        String id = client.made(path(), body());
        Answer deleted = client.delete(path() + "/" + id);
        assertThat(deleted.status()).isEqualTo(200);
        assertThat(deleted.text()).isEqualTo("[\"" + id + "\"]");
        assertThat(client.get(path() + "/" + id).status()).isEqualTo(404);
        assertThat(client.delete(path() + "/" + id).status()).isEqualTo(404);
        assertThat(client.patch(path() + "/" + id, "{\"name\":\"x\"}").status()).isEqualTo(404);
    }

    @Test
    default void listContainsOnlyRecordsOfTheStore() {
        Client client = owner();
        String id = client.made(path(), body());
        owner().made(path(), body());
        assertThat(client.get(path() + "?name=wipe").each("id")).containsExactly(id);
        assertThat(client.get(path() + "?storeId=" + SharedApi.newStore().id()).each("id"))
                .isEmpty();
    }
}
