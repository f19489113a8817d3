package farm.gantry.edge.provider.anycubic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import farm.gantry.edge.http.PrinterHttp;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.edge.trust.PrinterTrust;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AnycubicHandshakeTest {
    private static final String TOKEN = "0123456789abcdeffedcba9876543210";
    /**
     * Encrypted by {@code openssl enc -aes-128-cbc} with the second half of the token; the vector begins with {@code
     * abc}.
     */
    private static final String SEALED =
            "pMpIriMlf2+VBwin5wVEjknS9vxKA+fu5OtQbEruymm1cDcp6JsmLUhPKptk0z8WUYll2G3r1XGKz6T2jW04DnH7pKVMZ09JZqoHxV8PZU2aMmg1xDpqAIIrI98dndsE";

    private final Map<String, String> answers = new ConcurrentHashMap<>();
    private final HttpServer server;

    AnycubicHandshakeTest() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            try (exchange) {
                byte[] answer = answers.getOrDefault(exchange.getRequestURI().getPath(), "none")
                        .getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(200, answer.length);
                exchange.getResponseBody().write(answer);
            }
        });
        server.start();
    }

    @AfterEach
    void close() {
        server.stop(0);
    }

    @Test
    void loginIsSignedAndDecrypted() throws Exception {
        answers.put("/info", info("\"ctrlType\":\"lan\","));
        answers.put("/ctrl", "{\"code\":200,\"data\":{\"info\":\"" + SEALED + "\",\"token\":\"abc\"}}");
        AnycubicLogin login = handshake().requestLogin();
        assertThat(login.broker(PrinterTrust.withoutNameCheck(null, "a1"))).satisfies(broker -> {
            assertThat(broker.host()).isEqualTo("10.0.0.7");
            assertThat(broker.port()).isEqualTo(9883);
            assertThat(broker.password()).isEqualTo("secret");
        });
        assertThat(login.commandTopic("info")).isEqualTo("anycubic/anycubicCloud/v1/web/printer/20025/d1/info");
        assertThat(login.reportType("anycubic/anycubicCloud/v1/printer/public/20025/d1/tempature/report"))
                .isEqualTo("tempature");
        assertThat(login.reportType("anycubic/anycubicCloud/v1/printer/public/20025/d1/response"))
                .isNull();
        assertThat(login).asString().doesNotContain("secret");
    }

    /** Compared with the output of {@code md5sum}. */
    @Test
    void signatureUsesTheFirstHalfOfTheToken() {
        assertThat(AnycubicHandshake.sign(TOKEN, 1_700_000_000_000L, "abcdef"))
                .isEqualTo("2c64e080cbdca2b106087b704c8ca793");
    }

    @Test
    void loginInCloudModeIsRefusedWithTheReason() {
        answers.put("/info", info("\"ctrlType\":\"cloud\","));
        assertThatThrownBy(() -> handshake().requestLogin())
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("LAN mode is off")
                .hasMessageContaining("cloud mode");
    }

    @Test
    void loginToOldFirmwareIsRefusedWithTheReason() {
        answers.put("/info", "{\"identifier\":\"20021\"}");
        assertThatThrownBy(() -> handshake().requestLogin())
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("firmware");
    }

    @Test
    void signatureErrorOfThePrinterIsReported() {
        answers.put("/info", info(""));
        answers.put("/ctrl", "{\"code\":10403,\"message\":\"sign error\"}");
        assertThatThrownBy(() -> handshake().requestLogin())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("sign error");
    }

    @Test
    void loginThatCannotBeDecryptedIsReported() {
        answers.put("/info", info(""));
        answers.put("/ctrl", "{\"code\":200,\"data\":{\"info\":\"AAAA\",\"token\":\"abc\"}}");
        assertThatThrownBy(() -> handshake().requestLogin())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cannot decrypt");
    }

    private String info(String more) {
        return "{" + more + "\"token\":\"" + TOKEN + "\",\"modelId\":20025,\"ctrlInfoUrl\":\"http://127.0.0.1:"
                + server.getAddress().getPort() + "/ctrl\"}";
    }

    private AnycubicHandshake handshake() {
        return new AnycubicHandshake(
                PrinterHttp.client(),
                new AnycubicAddress("127.0.0.1", server.getAddress().getPort(), "a1"));
    }
}
