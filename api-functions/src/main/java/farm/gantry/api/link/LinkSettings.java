package farm.gantry.api.link;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The link's settings. {@code address} is where agents find it, unless it is where they were paired; {@code max-wait} is
 * how long an exchange is held at most until there is a command; {@code poll-interval} how long an agent waits until it asks
 * again, and {@code idle-poll-interval} while its printers are idle and nobody uses its store, and until it tells of temperatures
 * and layers while nobody does; {@code offline-timeout} how long an agent may be silent before its printers count as out of reach;
 * {@code check-interval} how often that is looked at.
 */
@ConfigurationProperties("gantry.link")
record LinkSettings(
        @Nullable String address,
        @Bindable(defaultValue = "20s") Duration maxWait,
        @Bindable(defaultValue = "1s") Duration pollInterval,
        @Bindable(defaultValue = "1s") Duration idlePollInterval,
        @Bindable(defaultValue = "90s") Duration offlineTimeout,
        @Bindable(defaultValue = "10s") Duration checkInterval) {}
