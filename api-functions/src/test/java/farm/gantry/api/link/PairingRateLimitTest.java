package farm.gantry.api.link;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.Id;
import farm.gantry.StoreId;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.ratelimit.TokenBuckets;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class PairingRateLimitTest {
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final PairingRateLimit rateLimit =
            new PairingRateLimit((perMinute, burst) -> new TokenBuckets(perMinute, burst, () -> now));

    private static InetAddress address(String text) {
        return InetAddress.ofLiteral(text);
    }

    private void tryOften(String from) {
        for (int i = 0; i < 20; i++) {
            rateLimit.check(address(from));
            rateLimit.add(address(from));
        }
    }

    @Test
    void rateLimitOfPairingDoesNotAffectOthers() {
        tryOften("203.0.113.9");
        assertThatThrownBy(() -> rateLimit.check(address("203.0.113.9"))).isInstanceOf(ProblemException.class);
        assertThatCode(() -> rateLimit.check(address("203.0.113.10"))).doesNotThrowAnyException();
        now = now.plus(Duration.ofSeconds(61));
        assertThatCode(() -> rateLimit.check(address("203.0.113.9"))).doesNotThrowAnyException();
    }

    @Test
    void ipv6NetworkIsOneCaller() {
        tryOften("2001:db8:1:2::1");
        assertThatThrownBy(() -> rateLimit.check(address("2001:db8:1:2:ffff::9")))
                .isInstanceOf(ProblemException.class);
        assertThatCode(() -> rateLimit.check(address("2001:db8:1:3::1"))).doesNotThrowAnyException();
    }

    @Test
    void pairingAttemptsAreCountedPerStore() {
        StoreId store = new StoreId(Id.next());
        for (int i = 0; i < 20; i++) {
            rateLimit.add(store);
        }
        assertThatThrownBy(() -> rateLimit.check(store)).isInstanceOf(ProblemException.class);
        assertThatCode(() -> rateLimit.check(new StoreId(Id.next()))).doesNotThrowAnyException();
    }
}
