package farm.gantry.api;

import org.junit.jupiter.api.Nested;

/** The API on a machine of its own. */
final class NettyTest {
    @Nested
    final class Http implements HttpContract {
        @Override
        public Host host() {
            return new Socket();
        }
    }
}
