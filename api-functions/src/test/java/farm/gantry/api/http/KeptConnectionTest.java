package farm.gantry.api.http;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.KeptConnection;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import farm.gantry.api.fixture.Uploads;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** After a rejected request, also one with a large body, the connection serves the next request or is closed cleanly. */
final class KeptConnectionTest {
    private static final byte[] LARGE = new byte[1 << 20];
    private static final SharedApi.Store STORE = SharedApi.newStore();
    private static final String KEY = "authorization: ApiKey " + STORE.key();
    private static final String JSON = "content-type: application/json";

    static {
        Arrays.fill(LARGE, (byte) ' ');
    }

    record Refusal(int status, List<String> head) {
        @Override
        public String toString() {
            return status + " " + head.getFirst();
        }
    }

    private static Refusal refusal(int status, String request, String... headers) {
        List<String> head = new ArrayList<>(List.of(request, "host: farm"));
        head.addAll(List.of(headers));
        return new Refusal(status, head);
    }

    static List<Refusal> refusals() {
        String upload = upload();
        return List.of(
                refusal(403, "PUT " + upload.replaceFirst("signature=.", "signature=0x") + " HTTP/1.1"),
                refusal(403, "PUT " + upload.replaceFirst("expires=\\d+", "expires=1") + " HTTP/1.1"),
                refusal(400, "PUT /v1/storage/content?path=x HTTP/1.1"),
                refusal(403, "PUT /v1/storage/content?path=x&expires=1&signature=x HTTP/1.1"),
                refusal(401, "POST /v1/macros HTTP/1.1", JSON),
                refusal(401, "POST /v1/macros HTTP/1.1", JSON, "authorization: ApiKey x"),
                refusal(403, "POST /v1/macros HTTP/1.1", JSON, KEY, "x-store-id: x"),
                refusal(415, "POST /v1/macros HTTP/1.1", "content-type: text/plain", KEY),
                refusal(400, "POST /v1/macros HTTP/1.1", JSON, KEY),
                refusal(400, "POST /v1/macros HTTP/1.1", JSON, KEY, "content-encoding: gzip"),
                refusal(404, "POST /v1/nothing HTTP/1.1", JSON, KEY),
                refusal(405, "PUT /v1/macros HTTP/1.1", JSON, KEY),
                refusal(400, "POST /v1/agents/link HTTP/1.1", JSON),
                refusal(400, "POST /v1/agents/pair HTTP/1.1", JSON));
    }

    private static String upload() {
        Answer signed = Client.of(new Socket(), STORE.key())
                .post("/v1/storage/signed-upload-urls", "{\"filenames\":[\"a.stl\"]}");
        return Uploads.target(signed.at("signedUrls[0].uploadUrl"));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void connectionWorksOrIsClosedAfterARejectedRequest(Refusal refusal) throws IOException {
        try (KeptConnection connection = new KeptConnection()) {
            Answer refused = connection.send(LARGE, refusal.head().toArray(String[]::new));
            assertThat(refused.status()).as(refused.text()).isEqualTo(refusal.status());
            assertThat(refused.header("x-request-id")).isNotBlank();
            if ("close".equalsIgnoreCase(refused.header("connection"))) {
                assertThat(connection.isClosed()).isTrue();
            } else {
                assertThat(connection
                                .send(new byte[0], "GET /v1/macros HTTP/1.1", "host: farm", KEY)
                                .status())
                        .isEqualTo(200);
            }
        }
    }

    @Test
    void acceptedUploadKeepsItsConnection() throws IOException {
        try (KeptConnection connection = new KeptConnection()) {
            assertThat(connection
                            .send(LARGE, "PUT " + upload() + " HTTP/1.1", "host: farm")
                            .status())
                    .isEqualTo(200);
            assertThat(connection
                            .send(new byte[0], "GET /v1/macros HTTP/1.1", "host: farm", KEY)
                            .status())
                    .isEqualTo(200);
        }
    }

    @Test
    void protocolErrorHasARequestId() throws IOException {
        for (String head : List.of(
                "GET /v1/macros HTTP/1.1\r\nhost: farm\r\nx-long: " + "x".repeat(40_000) + "\r\n\r\n",
                "GET /v1/" + "x".repeat(40_000) + " HTTP/1.1\r\nhost: farm\r\n\r\n",
                "NONSENSE\r\n\r\n",
                "GET /v1/%zz HTTP/1.1\r\nhost: farm\r\n\r\n",
                "GET /v1/macros HTTP/1.1\r\nhost: farm\r\nno header\r\n\r\n",
                "POST /v1/macros HTTP/1.1\r\nhost: farm\r\ncontent-length: x\r\n\r\n",
                "POST /v1/macros HTTP/1.1\r\nhost: farm\r\n" + KEY + "\r\n" + JSON
                        + "\r\ncontent-length: 9999999999\r\n\r\n")) {
            try (KeptConnection connection = new KeptConnection()) {
                connection.write(Client.utf8(head));
                Answer refused = connection.answer();
                assertThat(refused.status())
                        .as(head.lines().findFirst().orElse(""))
                        .isBetween(400, 499);
                assertThat(refused.header("x-request-id"))
                        .as(head.lines().findFirst().orElse(""))
                        .isNotBlank();
                assertThat(refused.at("requestId")).isEqualTo(refused.header("x-request-id"));
            }
        }
    }
}
