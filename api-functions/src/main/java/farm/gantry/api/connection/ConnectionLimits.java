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
        @Bindable(defaultValue = "4000") int most,
        @Bindable(defaultValue = "1000") int mostOfAddress,
        @Bindable(defaultValue = "10s") Duration headTime,
        @Bindable(defaultValue = "20s") Duration bodyTime,
        @Bindable(defaultValue = "1024") long leastBodyBytes,
        @Bindable(defaultValue = "30s") Duration readTime,
        @Bindable(defaultValue = "75s") Duration idleTime,
        @Bindable(defaultValue = "30s") Duration lingerTime,
        @Bindable(defaultValue = "5s") Duration lingerPause) {
    /** How often a connection is looked at. */
    Duration period() {
        Duration shortest = headTime.compareTo(bodyTime) < 0 ? headTime : bodyTime;
        return shortest.dividedBy(4);
    }
}
