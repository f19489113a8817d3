package farm.gantry.api.connection;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;

/**
 * Limits of client connections.
 *
 * @param max open connections in total
 * @param maxPerAddress open connections of one address; trusted proxies have no such limit
 * @param headerTimeout time in which the header of a request must arrive
 * @param bodyThroughputInterval interval in which a request body must bring {@code bodyThroughputMinBytes}
 * @param responseWriteTimeout time in which the client must read some of the response
 * @param idleTimeout time that a connection may stay open between requests
 * @param rejectedBodyTimeout time for which the rest of a rejected request body is read, so that the client sees the response
 * @param rejectedBodyIdleTimeout maximum pause in the rest of a rejected request body
 */
@ConfigurationProperties("gantry.connections")
record ConnectionLimits(
        @Bindable(defaultValue = "4000") int max,
        @Bindable(defaultValue = "1000") int maxPerAddress,
        @Bindable(defaultValue = "10s") Duration headerTimeout,
        @Bindable(defaultValue = "20s") Duration bodyThroughputInterval,
        @Bindable(defaultValue = "1024") long bodyThroughputMinBytes,
        @Bindable(defaultValue = "30s") Duration responseWriteTimeout,
        @Bindable(defaultValue = "75s") Duration idleTimeout,
        @Bindable(defaultValue = "30s") Duration rejectedBodyTimeout,
        @Bindable(defaultValue = "5s") Duration rejectedBodyIdleTimeout) {
    /** Returns the interval between checks of a connection. */
    Duration checkInterval() {
        Duration shortest =
                headerTimeout.compareTo(bodyThroughputInterval) < 0 ? headerTimeout : bodyThroughputInterval;
        return shortest.dividedBy(4);
    }
}
