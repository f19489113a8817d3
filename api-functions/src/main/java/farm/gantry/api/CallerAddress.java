package farm.gantry.api;

import io.micronaut.http.HttpRequest;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/** Where a request comes from: the connection's other end, unless the host knows better. */
public final class CallerAddress {
    private static final String ATTRIBUTE = "gantry.callerAddress";

    private CallerAddress() {}

    /** What a gateway in front of the host reports; no header a caller could send. */
    public static void reported(HttpRequest<?> request, InetAddress address) {
        request.setAttribute(ATTRIBUTE, address);
    }

    /** Whether a gateway stands in front of the host. */
    public static boolean isReported(HttpRequest<?> request) {
        return request.getAttribute(ATTRIBUTE).isPresent();
    }

    public static @Nullable InetAddress of(HttpRequest<?> request) {
        return request.getAttribute(ATTRIBUTE, InetAddress.class)
                .orElseGet(() -> request.getRemoteAddress().getAddress());
    }
}
