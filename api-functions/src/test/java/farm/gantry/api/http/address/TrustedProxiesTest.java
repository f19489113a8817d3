package farm.gantry.api.http.address;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.MutableHttpRequest;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Tests that a forwarded address is trusted only when a known proxy sends it. */
final class TrustedProxiesTest {
    private final TrustedProxies proxies = new TrustedProxies(List.of("10.0.0.0/8", " 2001:db8::1 "));

    /** Returns the caller's address for a request over a connection from that address. */
    private String caller(String connection, String... forwarded) {
        MutableHttpRequest<?> request = HttpRequest.GET("http://" + connection + "/v1/macros");
        for (String each : forwarded) {
            request.header("X-Forwarded-For", each);
        }
        return Objects.requireNonNull(proxies.callerAddress(request)).getHostAddress();
    }

    @Test
    void trustedProxyForwardsTheClientAddress() {
        assertThat(caller("10.0.0.1", "192.0.2.7")).isEqualTo("192.0.2.7");
        assertThat(caller("[2001:db8::1]", "192.0.2.7")).isEqualTo("192.0.2.7");
        assertThat(caller("10.0.0.1", "192.0.2.7, 10.0.0.2")).isEqualTo("192.0.2.7");
        assertThat(caller("10.0.0.1", "192.0.2.7", "10.0.0.2")).isEqualTo("192.0.2.7");
    }

    @Test
    void addressesAddedByTheClientAreIgnored() {
        assertThat(caller("10.0.0.1", "198.51.100.1, 192.0.2.7")).isEqualTo("192.0.2.7");
        assertThat(caller("10.0.0.1", "10.0.0.9, 192.0.2.7")).isEqualTo("192.0.2.7");
    }

    @Test
    void forwardedAddressOfAnUntrustedPeerIsIgnored() {
        assertThat(caller("203.0.113.9", "192.0.2.7")).isEqualTo("203.0.113.9");
        assertThat(caller("2.2.2.2", "10.0.0.1")).isEqualTo("2.2.2.2");
    }

    @Test
    void connectionAddressIsUsedWithoutAHeader() {
        assertThat(caller("10.0.0.1")).isEqualTo("10.0.0.1");
        assertThat(caller("10.0.0.1", "unknown")).isEqualTo("10.0.0.1");
        assertThat(caller("10.0.0.1", "192.0.2.7, evil.example")).isEqualTo("10.0.0.1");
    }
}
