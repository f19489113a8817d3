package farm.gantry.notification;

import io.micronaut.serde.annotation.Serdeable;
import org.jspecify.annotations.Nullable;

/** A channel that was warned of, disabled or enabled, as it is now. */
@Serdeable
public record ChannelChanged(
        String channel,
        boolean enabled,
        int failureCount24h,
        @Nullable String warning,
        @Nullable String disabledReason) {}
