package farm.gantry.api.contract;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.Host;
import farm.gantry.api.fixture.SharedApi;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests that the messages of errors say what to send instead. */
public interface MessageContract {
    Host host();

    private Client owner() {
        return Client.of(host(), SharedApi.newStore().key());
    }

    private static void expect(Answer answer, String path, String message) {
        assertThat(answer.at("details[0].path")).as(answer.text()).isEqualTo(path);
        assertThat(answer.at("details[0].message")).isEqualTo(message);
    }

    @Test
    default void invalidPriorityNamesTheValidOnes() {
        for (String priority : new String[] {"\"high\"", "7", "1e3000"}) {
            expect(
                    owner().post(
                                    "/v2/builds",
                                    "{\"parts\":[{\"partId\":\"000000000000000000000000\",\"priority\":" + priority
                                            + "}]}"),
                    "parts[0].priority",
                    "parts[0].priority must be 100 (normal) or 1000 (only when idle)");
        }
    }

    @Test
    default void unknownPermissionNamesTheMostSimilarOne() {
        expect(
                owner().post("/v1/api-keys", "{\"name\":\"a\",\"permissions\":[\"macros.view\"]}"),
                "permissions[0]",
                "permissions[0] is not a permission; the most similar one is macro.view");
    }

    @Test
    default void unknownCommandNamesTheKnownOnes() {
        Answer answer = owner().post(
                        "/v1/printer-commands/send",
                        "{\"ids\":[\"000000000000000000000000\"],\"command\":{\"command\":\"dance\"}}");
        assertThat(String.valueOf(answer.at("details[0].message")))
                .startsWith("command.command must be one of stop, pause, resume, ")
                .endsWith(", run-macro");
    }

    @Test
    default void patternsAreExplained() {
        Map<String, String> bodies = Map.of(
                "parts[0].partId must be an id: 24 characters of a to z and 0 to 9",
                "{\"parts\":[{\"partId\":\"a\"}]}",
                "skus[0] must name a SKU by skuId or sku",
                "{\"skus\":[{\"quantity\":1}]}",
                "skus[0] must name a SKU by either skuId or sku, not both",
                "{\"skus\":[{\"quantity\":1,\"sku\":\"a\",\"skuId\":\"000000000000000000000000\"}]}");
        bodies.forEach((message, body) -> {
            Answer answer = owner().post("/v2/builds", body);
            assertThat(answer.at("details[0].message")).as(answer.text()).isEqualTo(message);
        });
    }

    @Test
    default void invalidSortSaysHowToWriteIt() {
        expect(owner().get("/v1/macros?sort=-name"), "sort", "sort: write name:desc, not -name");
        expect(
                owner().get("/v1/macros?sort=nmae"),
                "sort",
                "sort: 'nmae' cannot be sorted on; the most similar field that can is name");
    }

    @Test
    default void missingBodyIsCalledMissing() {
        Answer answer = owner().send("POST", "/v1/macros", new byte[0]);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.at("message")).isEqualTo("the request needs a body of JSON");
    }

    @Test
    default void methodThatIsNotAllowedIsNamedWithoutTheQuery() {
        Answer answer = owner().send("PUT", "/v1/macros?signature=secret", new byte[0]);
        assertThat(answer.status()).isEqualTo(405);
        assertThat(String.valueOf(answer.at("message")))
                .startsWith("PUT is not allowed for /v1/macros")
                .doesNotContain("secret");
    }

    @Test
    default void wordInPlaceOfAnIdIsNotFound() {
        assertThat(owner().get("/v1/macros/mine").status()).isEqualTo(404);
    }
}
