package farm.gantry.api.connection;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;

/**
 * How many connections are held, in all and of one address (configured proxies excepted), and how slow they may be: the
 * time for the head of a request, the bytes that its body must bring within a time, the time in which some of an answer must
 * be read, that between requests, and that for the rest of a body which was refused before its end, with
 * the longest pause in it.
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
    /** How often a connection is looked at. */
    Duration period() {
        Duration shortest = headerTimeout.compareTo(bodyInterval) < 0 ? headerTimeout : bodyInterval;
        return shortest.dividedBy(4);
    }
}
