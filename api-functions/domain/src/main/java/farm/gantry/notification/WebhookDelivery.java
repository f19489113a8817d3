package farm.gantry.notification;

import com.fasterxml.jackson.annotation.JsonInclude;
import farm.gantry.Permission;
import farm.gantry.annotation.Resource;
import farm.gantry.annotation.SystemSet;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The delivery of an event to a store's webhook or to a notification channel, with all attempts. {@code body} is the JSON that the webhook
 * receives, or the message to the channel.
 */
@Serdeable
@Resource(table = "webhookDelivery", view = Permission.SETTINGS_VIEW)
public record WebhookDelivery(
        @SystemSet String id,
        @SystemSet String storeId,
        @SystemSet Instant createdAt,
        @SystemSet Instant updatedAt,
        @SystemSet EventName event,
        @SystemSet Map<String, Object> body,
        @SystemSet Status status,
        @SystemSet List<Attempt> attempts,
        @SystemSet @Nullable Instant nextAttemptAt,
        @SystemSet @Nullable String channelId) {

    /**
     * The status of a delivery. It is {@code held} while the channel is disabled: until the channel is enabled, or until {@code
     * nextAttemptAt}, when it becomes {@code discarded}. It is {@code failed} after the last attempt.
     */
    @Serdeable
    public enum Status {
        pending,
        delivered,
        failed,
        held,
        discarded
    }

    /** The reason why an attempt failed: {@code status} is a response other than 2xx, {@code internal} an error of this service. */
    @Serdeable
    public enum ErrorClass {
        address,
        connect,
        tls,
        timeout,
        protocol,
        status,
        internal
    }

    /** A delivery attempt: the status and the first KiB of the response body, or the reason why there was no response. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    public record Attempt(
            Instant at,
            @Nullable Integer statusCode,
            @Nullable ErrorClass errorClass,
            @Nullable String error,
            @Nullable String responseBody,
            long durationMs) {
        public boolean succeeded() {
            return statusCode != null && statusCode >= 200 && statusCode < 300;
        }
    }
}
