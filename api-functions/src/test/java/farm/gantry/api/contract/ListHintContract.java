package farm.gantry.api.contract;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.Host;
import farm.gantry.api.fixture.SharedApi;
import io.micronaut.json.tree.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the hints of lists, searches and records, which name the operations that the caller may use. */
public interface ListHintContract {
    Host host();

    private Client owner() {
        return Client.of(host(), SharedApi.newStore().key());
    }

    private static String macro(Client client) {
        return client.made("/v1/macros", "{\"name\":\"m\",\"type\":\"purge\",\"gcode\":\"G28\"}");
    }

    private static List<String> calls(Answer answer) {
        List<String> calls = new ArrayList<>();
        for (JsonNode hint : answer.json().get("hints").values()) {
            calls.add(
                    hint.get("method").getStringValue() + " " + hint.get("path").getStringValue());
        }
        return calls;
    }

    @Test
    default void listIncludesItsOperations() {
        Client client = owner();
        macro(client);
        Answer list = client.get("/v1/macros?hints=true");
        assertThat(list.at("data[0].name")).isEqualTo("m");
        assertThat(list.at("meta.total")).hasToString("1");
        assertThat(calls(list))
                .contains("POST /v1/macros", "POST /v1/macros/search", "PATCH /v1/macros", "DELETE /v1/macros");
        assertThat(list.json().get("hints").values())
                .allSatisfy(hint ->
                        assertThat(hint.get("description").getStringValue()).isNotBlank());
        assertThat(calls(client.post("/v1/macros/search", "{\"hints\":true}"))).isEqualTo(calls(list));
        assertThat(client.get("/v1/macros").json().isArray()).isTrue();
    }

    @Test
    default void recordIncludesItsOperations() {
        Client client = owner();
        String id = macro(client);
        Answer record = client.get("/v1/macros/" + id + "?hints=true");
        assertThat(record.at("name")).isEqualTo("m");
        assertThat(calls(record)).contains("PATCH /v1/macros/" + id, "DELETE /v1/macros/" + id);
        assertThat(client.get("/v1/macros/" + id).at("hints")).isEqualTo("(absent)");
    }

    @Test
    default void onlyPermittedOperationsAreListed() {
        Client client = owner();
        String id = macro(client);
        Client viewer = client.permitted("macro.view");
        assertThat(calls(viewer.get("/v1/macros?hints=true"))).containsExactly("POST /v1/macros/search");
        assertThat(calls(viewer.get("/v1/macros/" + id + "?hints=true"))).isEmpty();
    }

    @Test
    default void unknownHintsValueIsRejected() {
        assertThat(owner().get("/v1/macros?hints=maybe").at("details[0].path")).isEqualTo("hints");
    }
}
