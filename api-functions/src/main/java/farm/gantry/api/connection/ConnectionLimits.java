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
        @Bindable(defaultValue = "4000") int most,
        @Bindable(defaultValue = "1000") int mostOfAddress, // plain-words: ok
        @Bindable(defaultValue = "10s") Duration headTime,
        @Bindable(defaultValue = "20s") Duration bodyTime,
        @Bindable(defaultValue = "1024") long leastBodyBytes, // plain-words: ok
        @Bindable(defaultValue = "30s") Duration readTime,
        @Bindable(defaultValue = "75s") Duration idleTime,
        @Bindable(defaultValue = "30s") Duration lingerTime,
        @Bindable(defaultValue = "5s") Duration lingerPause) {
    /** Returns the interval between checks of a connection. */
    Duration period() {
        Duration shortest = headTime.compareTo(bodyTime) < 0 ? headTime : bodyTime;
        return shortest.dividedBy(4);
    }
}
