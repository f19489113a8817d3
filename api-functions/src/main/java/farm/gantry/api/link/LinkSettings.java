package farm.gantry.api.link;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Settings of the link. {@code address}: where agents reach it, by default where they were paired. {@code
 * longest-wait}: maximum time an exchange is held until there is a command. {@code poll-after}: interval between polls;
 * {@code quiet-poll-after}: the same, and the interval between reports of temperatures and layers, while printers are
 * idle and nobody uses the store. {@code lost-after}: timeout after which a silent agent's printers count as offline.
 * {@code watch-every}: interval of that check.
 */
@ConfigurationProperties("gantry.link")
record LinkSettings(
        @Nullable String address,
        @Bindable(defaultValue = "20s") Duration longestWait, // plain-words: ok
        @Bindable(defaultValue = "1s") Duration pollAfter,
        @Bindable(defaultValue = "1s") Duration quietPollAfter,
        @Bindable(defaultValue = "90s") Duration lostAfter,
        @Bindable(defaultValue = "10s") Duration watchEvery) {}
