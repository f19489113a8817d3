package farm.gantry.api.database;

import io.micronaut.context.annotation.Value;
import jakarta.inject.Singleton;

/**
 * How large an answer of the host may be, in bytes. Where the body travels as a string inside JSON, as it does from
 * Lambda, its quotes and backslashes count twice.
 */
@Singleton
final class ResponseSizeLimit {
    private final long most;
    private final boolean quoted;

    ResponseSizeLimit(
            @Value("${gantry.max-response-bytes:67108864}") long most,
            @Value("${gantry.response-is-escaped:false}") boolean quoted) {
        this.most = most;
        this.quoted = quoted;
    }

    long most() {
        return most;
    }

    /** The bytes that this part of the response takes of the limit. */
    long of(byte[] json, int from, int to) {
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
