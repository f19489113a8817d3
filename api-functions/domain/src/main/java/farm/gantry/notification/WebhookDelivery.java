package farm.gantry.notification;

import com.fasterxml.jackson.annotation.JsonInclude;
import farm.gantry.Permission;
import farm.gantry.Resource;
import farm.gantry.SystemSet;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One event on its way to a store's webhook, and every try to deliver it; {@code body} is what is sent. */
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
        @SystemSet @Nullable Instant nextAttemptAt) {

    /**
     * {@code held} while the channel is disabled, until it is enabled again or {@code nextAttemptAt} comes, when it is
     * {@code discarded}; {@code failed} after the last try.
     */
    @Serdeable
    public enum Status {
        pending,
        delivered,
        failed,
        held,
        discarded
    }

    /** Why an attempt failed; {@code status} is an answer that is not 2xx, {@code internal} a fault of this service. */
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

    /**
     * One try: the receiver's answer with the first KiB of its body, or why there was none.
     */
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
