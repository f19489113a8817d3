package farm.gantry.api.webhook;

import farm.gantry.notification.NotificationSetting;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A completed attempt: its delivery, its receiver and, for a probe, its lease. */
record AttemptResult(
        WebhookRows.ClaimedDelivery delivery,
        NotificationSetting.Receiver to,
        WebhookSender.SendResult sent,
        @Nullable Instant probeUntil) {}
