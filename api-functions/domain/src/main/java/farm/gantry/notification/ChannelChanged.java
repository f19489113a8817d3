package farm.gantry.notification;

import io.micronaut.serde.annotation.Serdeable;
import org.jspecify.annotations.Nullable;

/** An event: a notification channel got a warning, was disabled or was enabled. Contains its current state. */
@Serdeable
public record ChannelChanged(
        String channel,
        boolean enabled,
        int failureCount24h,
        @Nullable String warning,
        @Nullable String disabledReason) {}
