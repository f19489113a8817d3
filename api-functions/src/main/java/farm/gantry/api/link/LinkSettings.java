package farm.gantry.api.link;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Settings of the link. {@code address}: the URL at which agents reach the API, by default the one they were paired at. {@code max-wait}:
 * maximum time for which an exchange waits for a command. {@code poll-interval}: interval between polls. {@code idle-poll-interval}:
 * interval between polls, and between reports of temperatures and layers, while printers are idle and nobody uses the store. {@code
 * offline-timeout}: time after which a silent agent and its printers count as offline. {@code check-interval}: interval at which this is
 * checked.
 */
@ConfigurationProperties("gantry.link")
record LinkSettings(
        @Nullable String address,
        @Bindable(defaultValue = "20s") Duration maxWait,
        @Bindable(defaultValue = "1s") Duration pollInterval,
        @Bindable(defaultValue = "1s") Duration idlePollInterval,
        @Bindable(defaultValue = "90s") Duration offlineTimeout,
        @Bindable(defaultValue = "10s") Duration checkInterval) {}
