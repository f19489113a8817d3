package farm.gantry.api.link;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that agents of earlier versions work with this server, by the messages that they sent while they printed a part.
 * {@code infra/local/record-link} records them.
 */
final class RecordedAgentTest {
    private static final String REQUEST = "agent ";
    private static final String COMMAND = "{command}";

    static List<Path> recordings() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("src/test/resources/link"))) {
            return files.sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("recordings")
    void agentOfAnEarlierVersionPrintsAJob(Path recording) throws Exception {
        FakeAgent agent = new FakeAgent(SharedApi.newStore(), new Socket());
        String printer = agent.unseenPrinter("recorded", FakeAgent.FIRMWARE_K, "");
        Map<String, String> names = new HashMap<>(Map.of("{device}", agent.deviceOf(printer)));
        String job = "";
        List<String> messages = Files.readAllLines(recording);
        for (int i = 0; i < messages.size(); i += 2) {
            if (job.isEmpty() && messages.get(i + 1).contains(COMMAND)) {
                agent.confirm(printer);
                job = agent.job("");
                agent.round();
                names.put("{job}", job);
            }
            String message = messages.get(i);
            for (Map.Entry<String, String> name : names.entrySet()) {
                message = message.replace(name.getKey(), name.getValue());
            }
            assertThat(message).startsWith(REQUEST);
            Answer response = agent.link(message.substring(REQUEST.length()));
            assertThat(response.status()).as(response.text()).isEqualTo(201);
            if (response.json().get("commands").size() > 0) {
                names.put(COMMAND, String.valueOf(response.at("commands[0].commandId")));
            }
        }
        assertThat(agent.status(job)).isEqualTo("Completed");
        assertThat(agent.stored(job).at("printingStartedAt")).isNotNull();
        assertThat(agent.stateOf(printer).at("printingJobId")).isNull();
        assertThat(agent.client().get("/v1/printers/" + printer + "/state").at("status"))
                .isEqualTo("finished");
    }
}
