package farm.gantry.api.link;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Settings of the link. {@code address}: where agents reach it, by default where they were paired. {@code
 * max-wait}: maximum time an exchange is held until there is a command. {@code poll-interval}: interval between polls;
 * {@code idle-poll-interval}: the same, and the interval between reports of temperatures and layers, while printers are
 * idle and nobody uses the store. {@code offline-timeout}: timeout after which a silent agent's printers count as offline.
 * {@code check-interval}: interval of that check.
 */
@ConfigurationProperties("gantry.link")
record LinkSettings(
        @Nullable String address,
        @Bindable(defaultValue = "20s") Duration maxWait,
        @Bindable(defaultValue = "1s") Duration pollInterval,
        @Bindable(defaultValue = "1s") Duration idlePollInterval,
        @Bindable(defaultValue = "90s") Duration offlineTimeout,
        @Bindable(defaultValue = "10s") Duration checkInterval) {}
