package farm.gantry.api.contract;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.SharedApi;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests macros, a resource without rules of its own. */
public interface MacroContract extends BulkContract {
    @Override
    default String path() {
        return "/v1/macros";
    }

    @Override
    default String body() {
        return "{\"name\":\"wipe\",\"type\":\"purge\",\"gcode\":\"G28\"}";
    }

    @Override
    default Map<String, Object> defaults() {
        return Map.of("type", "purge", "gcode", "G28", "description", "null", "compatibilities", "[]");
    }

    @Test
    default void allErrorsOfABodyNameTheirPaths() {
        Answer answer = Client.of(host(), SharedApi.newStore().key())
                .post(
                        "/v1/macros",
                        "{\"name\":\" \",\"type\":\"Purge\",\"description\":5,\"compatibilities\":"
                                + "[{\"vendorName\":\"v\",\"modelName\":\"m\"},{\"vendorName\":\"\"},3,null]}");
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.at("error")).isEqualTo("validation_failed");
        assertThat(answer.json().get("details").values())
                .extracting(fault -> Answer.at(fault, "path"))
                .containsExactlyInAnyOrder(
                        "name",
                        "type",
                        "gcode",
                        "description",
                        "compatibilities[1].vendorName",
                        "compatibilities[1].modelName",
                        "compatibilities[2]",
                        "compatibilities[3]");
        assertThat(answer.at("message")).isEqualTo("8 fields are invalid");
    }

    @Test
    default void nullClearsANullableField() {
        Client client = Client.of(host(), SharedApi.newStore().key());
        String id = client.made("/v1/macros", body().replace("}", ",\"description\":\"d\"}"));
        assertThat(client.get("/v1/macros/" + id).at("description")).isEqualTo("d");
        assertThat(client.patch("/v1/macros/" + id, "{\"description\":null}").at("description"))
                .isNull();
        assertThat(client.patch("/v1/macros/" + id, "{\"compatibilities\":null}")
                        .status())
                .isEqualTo(400);
    }

    @Test
    default void oversizedListIsRejected() {
        String many = "{\"vendorName\":\"v\",\"modelName\":\"m\"},".repeat(501);
        Answer answer = Client.of(host(), SharedApi.newStore().key())
                .post(
                        "/v1/macros",
                        body().replace("}", ",\"compatibilities\":[" + many.substring(0, many.length() - 1) + "]}"));
        assertThat(answer.at("details[0].path")).isEqualTo("compatibilities");
    }
}
