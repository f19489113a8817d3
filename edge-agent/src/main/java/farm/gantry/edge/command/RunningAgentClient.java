package farm.gantry.edge.command;

import farm.gantry.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Queries the agent that runs on a data folder through its status page. */
record RunningAgentClient(Path data) {

    /** Returns the report of the running agent; empty if no agent runs. */
    Optional<StatusReport> fetchReport() throws InterruptedException {
        Path port = data.resolve(RunCommand.PORT_FILE);
        try (HttpClient http = HttpClient.newHttpClient()) {
            if (!Files.exists(port)) {
                return Optional.empty();
            }
            URI page = URI.create("http://127.0.0.1:" + Files.readString(port).strip() + "/status.json");
            HttpRequest request =
                    HttpRequest.newBuilder(page).timeout(Duration.ofSeconds(10)).build();
            HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
            return Optional.of(Json.read(answer.body(), StatusReport.class));
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
