package farm.gantry.api.http;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.ServerHttpRequest;
import io.micronaut.http.body.ByteBody;
import io.micronaut.http.body.CloseableAvailableByteBody;
import io.micronaut.http.body.CloseableByteBody;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Bodies of requests, as bytes. */
public final class RequestBodies {
    private RequestBodies() {}

    /** Returns the body as it arrives; as a function, Micronaut binds no stream to a body that is not JSON. */
    public static InputStream stream(HttpRequest<?> request, @Nullable InputStream bound) {
        return bound == null ? new ByteArrayInputStream(copy(request)) : bound;
    }

    /** Returns a copy of the whole body, which can be read again. */
    public static byte[] copy(HttpRequest<?> request) {
        try (CloseableByteBody copy =
                        ((ServerHttpRequest<?>) request).byteBody().split(ByteBody.SplitBackpressureMode.NEW);
                CloseableAvailableByteBody whole = copy.buffer().join()) {
            return whole.toByteArray();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        }
    }
}
