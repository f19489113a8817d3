package farm.gantry.api.link;

import farm.gantry.api.camera.SnapshotRows;
import farm.gantry.api.database.Database;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.Blocking;
import farm.gantry.api.http.BodyType;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.json.StorableText;
import farm.gantry.api.security.WithoutApiKey;
import farm.gantry.wire.SnapshotUpload;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Status;
import io.micronaut.json.tree.JsonNode;
import java.util.Base64;
import java.util.Map;

/** Receives requested camera snapshots from agents. */
@Controller("/v1/agents/link/stills")
@Blocking
final class SnapshotReceiver {
    private static final byte[] JPEG = {(byte) 0xFF, (byte) 0xD8, (byte) 0xFF};

    private final AgentTokens tokens;
    private final SnapshotRows rows;
    private final Database database;
    private final RecordReader reader;

    SnapshotReceiver(AgentTokens tokens, SnapshotRows rows, Database database, RecordReader reader) {
        this.tokens = tokens;
        this.rows = rows;
        this.database = database;
        this.reader = reader;
    }

    /** Stores a snapshot that the link requested. Other snapshots are ignored. */
    @Post
    @Status(HttpStatus.CREATED)
    @WithoutApiKey("the agent's token")
    Map<String, Object> still(HttpRequest<?> request, @Body @BodyType(SnapshotUpload.class) JsonNode body) {
        AgentTokens.Bearer agent = tokens.check(request.getHeaders().get("authorization"));
        SnapshotUpload still = reader.read(SnapshotUpload.class, StorableText.sanitize(body));
        String image = still.image();
        if (image != null) {
            checkImage(image, still.width());
        }
        database.in(agent.store(), tx -> {
            if (image != null) {
                rows.store(tx, agent.agentId(), still.deviceId(), still.width(), image);
            } else {
                String fault = still.fault() == null ? "the camera returned no image" : still.fault();
                rows.storeFault(tx, agent.agentId(), still.deviceId(), still.width(), fault);
            }
            return still;
        });
        return Map.of();
    }

    private static void checkImage(String image, int width) {
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(image);
        } catch (IllegalArgumentException e) {
            throw ProblemException.invalid("image", "invalid", "image is not base 64");
        }
        if (bytes.length < JPEG.length || bytes[0] != JPEG[0] || bytes[1] != JPEG[1] || bytes[2] != JPEG[2]) {
            throw ProblemException.invalid("image", "invalid", "image is not a JPEG");
        }
        if (width > 0 && bytes.length > SnapshotUpload.MAX_TILE_BYTES) {
            throw ProblemException.invalid(
                    "image", "range", "a small image has at most " + SnapshotUpload.MAX_TILE_BYTES + " bytes");
        }
    }
}
