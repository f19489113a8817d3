package farm.gantry.api.connection;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;

/**
 * Limits of client connections: their number in total and per address (trusted proxies excepted); the timeout for the
 * head of a request; the minimum bytes of a body, and the progress of reading a response, within a time; the idle
 * timeout; and the time to read the rest of a rejected body, with the longest pause in it.
 */
@ConfigurationProperties("gantry.connections")
record ConnectionLimits(
        @Bindable(defaultValue = "4000") int max,
        @Bindable(defaultValue = "1000") int maxPerAddress,
        @Bindable(defaultValue = "10s") Duration headerTimeout,
        @Bindable(defaultValue = "20s") Duration bodyInterval,
        @Bindable(defaultValue = "1024") long minBodyBytes,
        @Bindable(defaultValue = "30s") Duration responseTimeout,
        @Bindable(defaultValue = "75s") Duration idleTimeout,
        @Bindable(defaultValue = "30s") Duration lingerTimeout,
        @Bindable(defaultValue = "5s") Duration lingerIdleTimeout) {
    /** Returns the interval between checks of a connection. */
    Duration checkInterval() {
        Duration shortest = headerTimeout.compareTo(bodyInterval) < 0 ? headerTimeout : bodyInterval;
        return shortest.dividedBy(4);
    }
}
