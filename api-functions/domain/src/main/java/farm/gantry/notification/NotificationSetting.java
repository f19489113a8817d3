package farm.gantry.notification;

import farm.gantry.Permission;
import farm.gantry.annotation.AsFlags;
import farm.gantry.annotation.Default;
import farm.gantry.annotation.Encrypted;
import farm.gantry.annotation.Resource;
import farm.gantry.annotation.SystemSet;
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

    /**
     * The receiver of deliveries. {@code apiKey} is sent with each delivery; {@code signingSecret} signs each delivery and is never sent.
     */
    @Serdeable
    public record Receiver(String webhookUrl, String apiKey, String signingSecret) {}
}
