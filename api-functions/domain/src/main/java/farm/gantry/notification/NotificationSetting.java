package farm.gantry.notification;

import farm.gantry.AsFlags;
import farm.gantry.Default;
import farm.gantry.Permission;
import farm.gantry.Resource;
import farm.gantry.Encrypted;
import farm.gantry.SystemSet;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A notification channel of a store and its subscriptions. {@code failureCount24h} counts failed attempts of the last 24
 * hours: from the fifth on there is a {@code warning}, and the tenth disables the channel, as does a 410 response.
 * {@code pausedUntil} is the end of a pause that the receiver asked for, or that follows a missing response; afterwards
 * deliveries are sent one at a time until one succeeds.
 */
@Serdeable
@Resource(table = "notificationSetting", view = Permission.SETTINGS_VIEW)
public record NotificationSetting(
        @SystemSet String id,
        @SystemSet String storeId,
        @SystemSet Instant createdAt,
        @SystemSet Instant updatedAt,
        Channel channel,
        @SystemSet @Default("true") boolean enabled,
        @Encrypted({"apiKey", "signingSecret"}) Receiver data,
        @AsFlags @Default("[]") List<EventName> events,
        @SystemSet @Default("0") int failureCount24h,
        @SystemSet @Nullable Instant pausedUntil,
        @SystemSet @Nullable String warning,
        @SystemSet @Nullable String disabledReason) {

    @Serdeable
    public enum Channel {
        webhook
    }

    /** Where deliveries go; {@code apiKey} travels with each, {@code signingSecret} signs each and never travels. */
    @Serdeable
    public record Receiver(String webhookUrl, String apiKey, String signingSecret) {}
}
