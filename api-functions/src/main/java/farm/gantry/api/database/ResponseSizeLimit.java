package farm.gantry.api.database;

import io.micronaut.context.annotation.Value;
import jakarta.inject.Singleton;

/**
 * Maximum response size of the host in bytes. Where the body travels as a string in JSON, as on Lambda, quotes and
 * backslashes count twice.
 */
@Singleton
public final class ResponseSizeLimit {
    private final long most;
    private final boolean quoted;

    ResponseSizeLimit(
            @Value("${gantry.max-response-bytes:67108864}") long most,
            @Value("${gantry.response-limit-counts-escapes:false}") boolean quoted) {
        this.most = most;
        this.quoted = quoted;
    }

    /** Whether the host sends a response while it is written, so that its size has no limit. */
    public boolean canStream() {
        return !quoted;
    }

    long most() {
        return most;
    }

    /** Returns the bytes of the limit that this part of the response uses. */
    long usedBytes(byte[] json, int from, int to) {
        int size = to - from;
        if (quoted) {
            for (int i = from; i < to; i++) {
                if (json[i] == '"' || json[i] == '\\') {
                    size++;
                }
            }
        }
        return size;
    }
}
