package farm.gantry.api.stream;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;

/**
 * Settings of event streams.
 *
 * @param maxPerStore maximum number of open streams per store and host
 * @param pollInterval interval between reads
 * @param heartbeatInterval time without events after which a keep-alive comment is sent
 * @param retention how long changes of jobs are kept for interrupted streams
 */
@ConfigurationProperties("gantry.stream")
record StreamSettings(
        @Bindable(defaultValue = "50") int maxPerStore,
        @Bindable(defaultValue = "500ms") Duration pollInterval,
        @Bindable(defaultValue = "15s") Duration heartbeatInterval,
        @Bindable(defaultValue = "24h") Duration retention) {}
