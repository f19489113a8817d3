package farm.gantry.edge.link;

import java.io.IOException;

/** The API answered, but not with what was asked for. */
public final class ApiException extends IOException {
    private final int status;

    ApiException(int status, String message) {
        super(message);
        this.status = status;
    }

    public int status() {
        return status;
    }

    boolean isRevoked() {
        return status == 401;
    }

    /** Another process with the same token is served. */
    boolean isSuperseded() {
        return status == 409;
    }
}
