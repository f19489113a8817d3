package farm.gantry.api.link;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The link's settings. {@code address} is where agents find it, unless it is where they were paired; {@code longest-wait} is
 * how long an exchange is held at most until there is a command; {@code poll-after} how long an agent waits until it asks
 * again, and {@code quiet-poll-after} while its printers are idle and nobody uses its store, and until it tells of temperatures
 * and layers while nobody does; {@code lost-after} how long an agent may be silent before its printers count as out of reach;
 * {@code watch-every} how often that is looked at.
 */
@ConfigurationProperties("gantry.link")
record LinkSettings(
        @Nullable String address,
        @Bindable(defaultValue = "20s") Duration longestWait,
        @Bindable(defaultValue = "1s") Duration pollAfter,
        @Bindable(defaultValue = "1s") Duration quietPollAfter,
        @Bindable(defaultValue = "90s") Duration lostAfter,
        @Bindable(defaultValue = "10s") Duration watchEvery) {}
