package farm.gantry.edge.link;

import farm.gantry.edge.file.PrivateFile;
import farm.gantry.edge.log.SecretMask;
import farm.gantry.json.Json;
import io.micronaut.serde.annotation.Serdeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The result of pairing: the API's address and the agent's token. */
@Serdeable
public record Credentials(String api, String agentId, String storeId, String token) {
    /** The name of the file in the agent's data folder. */
    public static final String FILE = "agent.json";

    public Credentials {
        SecretMask.register(token);
    }

    public static Optional<Credentials> read(Path data) throws IOException {
        Path file = data.resolve(FILE);
        return Files.exists(file)
                ? Optional.of(Json.read(Files.readString(file), Credentials.class))
                : Optional.empty();
    }

    public void writeTo(Path data) throws IOException {
        PrivateFile.write(data.resolve(FILE), Json.write(this));
    }

    @Override
    public String toString() {
        return "agent " + agentId + " of " + api;
    }
}
