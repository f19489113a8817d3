package farm.gantry.api.http.address;

import io.micronaut.http.HttpRequest;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/** Address of a request's sender: the remote end of the connection, unless a gateway reports another. */
public final class CallerAddress {
    private static final String ATTRIBUTE = "gantry.callerAddress";

    private CallerAddress() {}

    /** Sets the address that the gateway reports, which callers cannot forge with a header. */
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
