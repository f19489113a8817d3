package farm.gantry.api.webhook;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A completed attempt: its delivery, the settings of its receiver and, for a probe, its lease. */
record AttemptResult(
        WebhookRows.ClaimedDelivery delivery,
        Record to,
        DeliveryClient.SendResult sent,
        @Nullable Instant probeUntil) {}
