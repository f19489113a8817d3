package farm.gantry.api.http;

import io.micronaut.http.HttpRequest;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/** The address that a request comes from: the connection's remote end, unless a gateway reports another. */
public final class CallerAddress {
    private static final String ATTRIBUTE = "gantry.callerAddress";

    private CallerAddress() {}

    /** Sets what a gateway in front of the host reports, which no caller can forge by a header. */
    public static void setByGateway(HttpRequest<?> request, InetAddress address) {
        request.setAttribute(ATTRIBUTE, address);
    }

    public static boolean isSetByGateway(HttpRequest<?> request) {
        return request.getAttribute(ATTRIBUTE).isPresent();
    }

    public static @Nullable InetAddress of(HttpRequest<?> request) {
        return request.getAttribute(ATTRIBUTE, InetAddress.class)
                .orElseGet(() -> request.getRemoteAddress().getAddress());
    }
}
