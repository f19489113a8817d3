package farm.gantry.api.link;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Settings of the connections to agents.
 *
 * @param publicUrl address at which agents send their requests; without it, the address at which they were paired
 * @param longPollTimeout maximum time that an agent's request waits for a command
 * @param pollInterval pause of an agent between two requests
 * @param idlePollInterval the pause, and the interval between updates of temperatures and layers, while the agent's printers
 *     are idle and nobody uses the store
 * @param offlineTimeout time without a request after which an agent's printers are shown as offline
 * @param offlineCheckInterval interval of the check for such agents
 * @param fullCheckInterval interval at which functions read the database even if nothing seems to have changed
 */
@ConfigurationProperties("gantry.agents")
public record LinkSettings(
        @Nullable String publicUrl,
        @Bindable(defaultValue = "20s") Duration longPollTimeout,
        @Bindable(defaultValue = "1s") Duration pollInterval,
        @Bindable(defaultValue = "1s") Duration idlePollInterval,
        @Bindable(defaultValue = "90s") Duration offlineTimeout,
        @Bindable(defaultValue = "10s") Duration offlineCheckInterval,
        @Bindable(defaultValue = "1h") Duration fullCheckInterval) {

    /** Returns the number of the interval that contains this time; all functions read the database when one begins. */
    public long fullCheckPeriod(Instant at) {
        return Math.floorDiv(at.toEpochMilli(), fullCheckInterval.toMillis());
    }
}
