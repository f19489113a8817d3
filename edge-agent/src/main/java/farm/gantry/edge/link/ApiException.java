package farm.gantry.edge.link;

import farm.gantry.json.Json;
import farm.gantry.json.Tree;
import farm.gantry.wire.LinkRequest;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The API answered, but not with what was asked for. */
public final class ApiException extends IOException {
    private static final int WORDS = 200;

    private final int status;
    /** The API's code of the error; null where something else has answered, such as a proxy. */
    private final @Nullable String code;

    ApiException(int status, String body) {
        super("the API answered " + status + " " + body.substring(0, Math.min(body.length(), WORDS)));
        this.status = status;
        this.code = code(body);
    }

    private static @Nullable String code(String body) {
        try {
            return Tree.text(Json.tree(body), "error");
        } catch (IOException e) {
            return null;
        }
    }

    public int status() {
        return status;
    }

    boolean isRevoked() {
        return status == 401;
    }

    /** Another process with the same token is served. */
    boolean isSuperseded() {
        return LinkRequest.Instance.SUPERSEDED.equals(code);
    }
}
