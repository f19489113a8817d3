package farm.gantry.api.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import farm.gantry.ingest.function.emulator.SdkSettings;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Tests the secrets that a function reads from Secrets Manager when it starts. */
final class SecretSettingsTest {
    private static final String ARN = "arn:aws:secretsmanager:eu-central-1:1:secret:";

    @Test
    void settingIsReadByTheArnOfItsSecret() throws IOException {
        HttpServer service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        service.createContext("/", exchange -> {
            JsonNode request = Objects.requireNonNull(
                    ObjectMapper.getDefault().readValue(exchange.getRequestBody(), JsonNode.class));
            String id = Objects.requireNonNull(request.get("SecretId")).getStringValue();
            byte[] answer = ("{\"SecretString\":\"value of " + id.substring(ARN.length()) + "\"}")
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        service.start();
        String region = System.setProperty("aws.region", SdkSettings.REGION);
        try (SdkSettings _ = new SdkSettings(
                "aws.endpointUrlSecretsManager", service.getAddress().getPort())) {
            assertThat(SecretSettings.fromEnvironment(Map.of("GANTRY_SECRETS", "a.b=" + ARN + "one-x,c=" + ARN + "two")))
                    .containsOnly(Map.entry("a.b", "value of one-x"), Map.entry("c", "value of two"));
        } finally {
            service.stop(0);
            if (region == null) {
                System.clearProperty("aws.region");
            } else {
                System.setProperty("aws.region", region);
            }
        }
    }

    @Test
    void noSecretIsReadWhenNoneIsConfigured() {
        assertThat(SecretSettings.fromEnvironment(Map.of())).isEmpty();
    }

    @Test
    void secretOfAnUnknownSettingIsRejected() {
        assertThatThrownBy(() -> SecretSettings.fromEnvironment(Map.of("GANTRY_SECRETS", ARN)))
                .isInstanceOf(RuntimeException.class);
    }
}
