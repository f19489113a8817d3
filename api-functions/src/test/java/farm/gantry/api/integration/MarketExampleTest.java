package farm.gantry.api.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the shell example of the documentation, which sends an order as a marketplace. */
final class MarketExampleTest {
    @Test
    void exampleOfTheDocumentationIsAccepted() throws Exception {
        for (String program : List.of("bash", "curl", "openssl")) {
            assumeTrue(isInstalled(program), "no " + program + " is installed here");
        }
        String section =
                Files.readString(Path.of("../infra/docs/orders.md")).split("### Send an order from a shell\n", 2)[1];
        String example = section.split("```sh\n", 2)[1].split("```", 2)[0];
        Client client = Client.of(new Socket(), SharedApi.newStore().key());
        Answer market = client.post("/v1/integrations", "{\"name\":\"Shop\",\"type\":\"market1\"}");
        ProcessBuilder shell = new ProcessBuilder("bash", "-euo", "pipefail", "-c", example).redirectErrorStream(true);
        shell.environment()
                .putAll(Map.of(
                        "URL", SharedApi.url(),
                        "INTEGRATION", String.valueOf(market.at("id")),
                        "SECRET", String.valueOf(market.at("secret"))));
        Process sent = shell.start();
        String answer = new String(sent.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(sent.waitFor()).as(answer).isZero();
        Answer orders = client.get("/v1/orders?include=items,customer");
        assertThat(orders.each("externalId")).as(answer).containsExactly("1042");
        assertThat(orders.at("[0].items[0].externalSku")).isEqualTo("SIGN-M-RED");
        assertThat(orders.at("[0].customer.name")).isEqualTo("Ada");
    }

    private static boolean isInstalled(String program) {
        return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }
}
