package farm.gantry.api.stream;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;

/**
 * How changes are streamed.
 *
 * @param maxPerStore how many streams a store may have open at once on one host
 * @param pollInterval how often a stream looks for what is new
 * @param heartbeatInterval how long a stream says nothing before it says that it is still there
 * @param retention how long moves of jobs are kept for streams that were broken off
 */
@ConfigurationProperties("gantry.stream")
record StreamSettings(
        @Bindable(defaultValue = "50") int maxPerStore,
        @Bindable(defaultValue = "500ms") Duration pollInterval,
        @Bindable(defaultValue = "15s") Duration heartbeatInterval,
        @Bindable(defaultValue = "24h") Duration retention) {}
