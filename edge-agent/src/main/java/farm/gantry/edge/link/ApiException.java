package farm.gantry.edge.link;

import farm.gantry.json.Json;
import farm.gantry.json.Tree;
import farm.gantry.wire.LinkRequest;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An error response of the API. */
public final class ApiException extends IOException {
    private static final int WORDS = 200;

    private final int status;
    /** The API's error code; null if something else has answered, such as a proxy. */
    private final @Nullable String code;

    private final @Nullable String address;

    ApiException(int status, String body) {
        super("the API answered " + status + " " + errorText(body));
        this.status = status;
        this.code = code(body);
        this.address = field(body, "address");
    }

    /** Returns the message of an error of the API, or the beginning of any other response. */
    private static String errorText(String body) {
        String message = field(body, "message");
        return message == null ? body.substring(0, Math.min(body.length(), WORDS)) : message;
    }

    private static @Nullable String code(String body) {
        return field(body, "error");
    }

    private static @Nullable String field(String body, String name) {
        try {
            return Tree.text(Json.tree(body), name);
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

    /** Returns the address at which the agent's store is now, if it was moved. */
    Optional<String> newAddress() {
        return LinkRequest.STORE_MOVED.equals(code) ? Optional.ofNullable(address) : Optional.empty();
    }

    /** Returns whether the API serves another process with the same token. */
    boolean isSuperseded() {
        return LinkRequest.Instance.SUPERSEDED.equals(code);
    }
}
