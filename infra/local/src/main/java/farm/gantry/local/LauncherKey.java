package farm.gantry.local;

import farm.gantry.api.main.process.SecretFile;
import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The API key that {@code infra/local/up} uses for its own requests. It is not the owner's key, because clients that use up the
 * owner's rate limit would otherwise delay or fail the start.
 */
final class LauncherKey {
    private static final String NAME = "infra/local/up";
    private static final List<String> PERMISSIONS = List.of(
            "agent.view",
            "agent.manage",
            "printer.view",
            "printer.create",
            "printer.edit",
            "printer.control",
            "printer.ready",
            "part.view",
            "part.create",
            "queue.view",
            "job.create",
            "settings.view",
            "settings.edit");

    private LauncherKey() {}

    /** Returns the API under the launcher's key, which is read from the file, or created and stored there. */
    static Api open(String url, String ownerKey, Path file) throws IOException {
        if (Files.exists(file)) {
            Api stored = new Api(url, Files.readString(file).strip());
            if (isAccepted(stored)) {
                return stored;
            }
        }
        Api owner = new Api(url, ownerKey);
        for (JsonNode older : owner.get("/v1/api-keys?externalRef=" + NAME).values()) {
            owner.delete("/v1/api-keys/" + FarmCalls.text(older, "id"));
        }
        JsonNode created =
                owner.post("/v1/api-keys", Map.of("name", NAME, "externalRef", NAME, "permissions", PERMISSIONS));
        String key = FarmCalls.text(created, "key");
        SecretFile.write(file, key);
        return new Api(url, key);
    }

    /**
     * Returns whether the key is valid. A key of an older version lacks permissions that were added since; it is
     * replaced too.
     */
    private static boolean isAccepted(Api api) throws IOException {
        Api.Reply reply = api.reply("GET", "/v1/web-init", null);
        return reply.status() == 200 && PERMISSIONS.stream().allMatch(reply.body()::contains);
    }
}
