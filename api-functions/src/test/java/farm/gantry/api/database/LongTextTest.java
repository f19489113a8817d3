package farm.gantry.api.database;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import farm.gantry.api.fixture.Uploads;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that a text too long for an index is rejected with the name of its field. */
final class LongTextTest {
    private final Client client = Client.of(new Socket(), SharedApi.newStore().key());

    /** Returns a random text, which compression does not make shorter. */
    private static String text(int length) {
        return new Random(7)
                .ints(length, 0x4e00, 0x9fff)
                .mapToObj(Character::toString)
                .collect(Collectors.joining());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "POST|/v1/sequences|{\"name\":\"%s\"}",
                "POST|/v1/materials|{\"name\":\"%s\",\"brand\":\"b\",\"type\":\"PLA\",\"tags\":[],\"filamentSystemProfileId\":null,\"filamentUserProfileId\":null}",
                "POST|/v1/materials|{\"name\":\"n\",\"brand\":\"%s\",\"type\":\"PLA\",\"tags\":[\"%<s\"],\"filamentSystemProfileId\":null,\"filamentUserProfileId\":null}",
                "POST|/v1/materials|{\"name\":\"n\",\"brand\":\"b\",\"type\":\"%s\",\"tags\":[],\"filamentSystemProfileId\":null,\"filamentUserProfileId\":null}",
                "POST|/v1/skus|{\"sku\":\"%s\",\"title\":\"t\"}",
                "POST|/v1/layouts|{\"name\":\"l\",\"userId\":\"%s\",\"isDefault\":true,\"definition\":{\"formatVersion\":1,\"mode\":\"grid\",\"cards\":[]}}",
                "POST|/v1/layouts|{\"name\":\"%s\",\"isDefault\":true,\"definition\":{\"formatVersion\":1,\"mode\":\"grid\",\"cards\":[]}}",
                "POST|/v1/folders|{\"type\":\"part\",\"name\":\"%s\"}",
                "POST|/v1/macros|{\"name\":\"%s\",\"type\":\"generic\",\"gcode\":\"G28\"}",
                "POST|/v1/integrations|{\"type\":\"market1\",\"name\":\"%s\",\"externalId\":\"%<s\"}",
                "POST|/v1/printer-models|{\"vendorName\":\"%s\",\"modelName\":\"m\"}",
                "POST|/v1/cost-components|{\"name\":\"%s\",\"type\":\"labor\",\"unit\":\"h\",\"rate\":1}",
                "POST|/v1/api-keys|{\"name\":\"%s\",\"externalRef\":\"%<s\"}",
                "POST|/v1/printer-throttle-groups|{\"name\":\"%s\",\"enabled\":true,\"maxConcurrentStarts\":1,\"fallbackTimeoutSeconds\":9,\"temperatureToleranceC\":2,\"releaseConditions\":{}}",
                "PUT|/v1/printers|[{\"name\":\"p\",\"nozzleDiameter\":\"0.4\",\"deviceId\":\"%s\"}]",
                "PUT|/v1/printers|[{\"name\":\"%s\",\"nozzleDiameter\":\"0.4\",\"deviceId\":null,\"tags\":[\"%<s\"],\"modelName\":\"%<s\"}]",
                "GET|/v1/parts?sort=createdAt:desc&name=a|",
            })
    void longTextIsStoredOrRejectedAsAClientError(String method, String path, String body) {
        for (int length : new int[] {500, 501, 3_000}) {
            Answer answer = client.with("content-type", "application/json")
                    .send(method, path, Client.utf8(body == null ? "" : body.formatted(text(length))));
            assertThat(answer.status())
                    .as(
                            "%s characters: %s",
                            length, answer.text().length() > 300 ? answer.text().substring(0, 300) : answer.text())
                    .isIn(200, 201, 400);
        }
    }

    @org.junit.jupiter.api.Test
    void longTagsOfPartsAreStoredOrRejected() {
        Uploads uploads = new Uploads(client);
        String body = uploads.part("a.gcode", "gcode", ",\"userTags\":[\"" + text(3000) + "\"]");
        assertThat(client.post("/v1/parts", body).status()).isIn(201, 400);
        assertThat(client.post("/v1/parts", uploads.part("a.gcode", "gcode", "").replace("cube", text(3000)))
                        .status())
                .isIn(201, 400);
        assertThat(client.post(
                                "/v1/parts",
                                uploads.part(
                                        "a.gcode", "gcode", ",\"printTags\":{\"user.tags\":\"" + text(3000) + "\"}"))
                        .status())
                .isIn(201, 400);
    }
}
