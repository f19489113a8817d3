package farm.gantry.api.contract;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.SharedApi;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests requests that change or delete many records at once. */
public interface BulkContract extends ResourceContract {
    private Client owner() {
        return Client.of(host(), SharedApi.newStore().key());
    }

    @Test
    default void bulkChangeAppliesToAllOrNone() {
        Client client = owner();
        String one = client.made(path(), body());
        String two = client.made(path(), body());
        String foreign = owner().made(path(), body());
        Answer missing = client.patch(
                path(), "{\"ids\":[\"" + one + "\",\"" + foreign + "\",\"no-id\"],\"update\":{\"name\":\"tidy\"}}");
        assertThat(missing.status()).isEqualTo(404);
        assertThat(missing.at("error")).isEqualTo("not_found");
        assertThat(missing.at("missing")).hasToString("[" + foreign + ", no-id]");
        String both = "\"ids\":[\"" + two + "\",\"" + one + "\",\"" + two + "\"]";
        assertThat(client.patch(path(), "{" + both + ",\"update\":{\"name\":\"\"}}")
                        .at("details[0].path"))
                .isEqualTo("update.name");
        assertThat(client.get(path() + "?name=wipe").each("id")).containsExactly(one, two);
        Answer changed = client.patch(path(), "{" + both + ",\"update\":{\"name\":\"tidy\",\"id\":\"x\"}}");
        assertThat(changed.status()).as(changed.text()).isEqualTo(200);
        assertThat(changed.each("id")).containsExactly(one, two);
        assertThat(changed.each("name")).containsExactly("tidy", "tidy");
        assertThat(client.get(path() + "?name=tidy").text()).isEqualTo(changed.text());
    }

    @Test
    default void bulkDeleteRemovesAll() {
        Client client = owner();
        String one = client.made(path(), body());
        String two = client.made(path(), body());
        Client stranger = owner();
        String foreign = stranger.made(path(), body());
        Answer deleted = client.delete(path(), "[\"" + one + "\",\"" + foreign + "\",\"no-id\",\"" + one + "\"]");
        assertThat(deleted.status()).as(deleted.text()).isEqualTo(200);
        assertThat(deleted.text()).isEqualTo("[\"" + one + "\"]");
        assertThat(client.get(path() + "?name=wipe").each("id")).containsExactly(two);
        assertThat(stranger.get(path() + "/" + foreign).status()).isEqualTo(200);
    }

    @Test
    default void bulkChangeErrorNamesRecordAndField() {
        Client client = owner();
        String id = client.made(path(), body());
        String tooMany = "[" + "\"x\",".repeat(1000) + "\"x\"]";
        Map.of(
                        "{\"update\":{}}",
                        "ids",
                        "{\"ids\":[],\"update\":{}}",
                        "ids",
                        "{\"ids\":[7],\"update\":{}}",
                        "ids[0]",
                        "{\"ids\":" + tooMany + ",\"update\":{}}",
                        "ids",
                        "{\"ids\":[\"" + id + "\"]}",
                        "update",
                        "{\"ids\":[\"" + id + "\"],\"update\":[]}",
                        "update")
                .forEach((body, place) -> {
                    Answer answer = client.patch(path(), body);
                    assertThat(answer.status()).as(body).isEqualTo(400);
                    assertThat(answer.at("details[0].path")).as(body).isEqualTo(place);
                });
        assertThat(client.patch(path(), "{}").json().get("details").values())
                .extracting(fault -> Answer.at(fault, "path"))
                .containsExactly("ids", "update");
        Map.of("[]", "", "{}", "", "[\"x\",7]", "[1]", tooMany, "").forEach((body, place) -> {
            Answer refused = client.delete(path(), body);
            assertThat(refused.status()).as(body).isEqualTo(400);
            assertThat(refused.at("details[0].path")).as(refused.text()).isEqualTo(place);
        });
        assertThat(client.get(path() + "/" + id).status()).isEqualTo(200);
    }
}
