package farm.gantry.api.link;

import farm.gantry.api.camera.StillRows;
import farm.gantry.api.database.Database;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.Blocking;
import farm.gantry.api.http.BodyType;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.json.StorableText;
import farm.gantry.api.security.WithoutApiKey;
import farm.gantry.wire.Still;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Status;
import io.micronaut.json.tree.JsonNode;
import java.util.Base64;
import java.util.Map;

/** The pictures that agents send of their printers, while somebody looks at them. */
@Controller("/v1/agents/link/stills")
@Blocking
final class LinkStills {
    private static final byte[] JPEG = {(byte) 0xFF, (byte) 0xD8, (byte) 0xFF};

    private final AgentTokens tokens;
    private final StillRows rows;
    private final Database database;
    private final RecordReader reader;

    LinkStills(AgentTokens tokens, StillRows rows, Database database, RecordReader reader) {
        this.tokens = tokens;
        this.rows = rows;
        this.database = database;
        this.reader = reader;
    }

    /** Takes the picture of a printer's camera that the link asked for; one that nobody asked for is not kept. */
    @Post
    @Status(HttpStatus.CREATED)
    @WithoutApiKey("the agent's token")
    Map<String, Object> still(HttpRequest<?> request, @Body @BodyType(Still.class) JsonNode body) {
        AgentTokens.Bearer agent = tokens.check(request.getHeaders().get("authorization"));
        Still still = reader.read(Still.class, StorableText.sanitize(body));
        String image = still.image();
        if (image != null) {
            checkImage(image, still.width());
        }
        database.in(agent.store(), tx -> {
            if (image != null) {
                rows.keep(tx, agent.agentId(), still.deviceId(), still.width(), image);
            } else {
                String fault = still.fault() == null ? "the camera gave no picture" : still.fault();
                rows.keepFault(tx, agent.agentId(), still.deviceId(), still.width(), fault);
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
            throw ProblemException.invalid("image", "invalid", "image is no base 64");
        }
        if (bytes.length < JPEG.length || bytes[0] != JPEG[0] || bytes[1] != JPEG[1] || bytes[2] != JPEG[2]) {
            throw ProblemException.invalid("image", "invalid", "image is no JPEG");
        }
        if (width > 0 && bytes.length > Still.MAX_TILE_BYTES) {
            throw ProblemException.invalid(
                    "image", "range", "a small image has at most " + Still.MAX_TILE_BYTES + " bytes");
        }
    }
}
