package farm.gantry.api.aws;

import farm.gantry.StoreId;
import farm.gantry.api.queue.StoreActivity;
import farm.gantry.api.queue.Wakeups;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.sqs.SqsClient;

/** Sends wakeups as SQS messages with the store's id; later ones are delayed. */
@Singleton
@Requires(property = "gantry.aws.queue-prefix")
final class SqsWakeups implements Wakeups {
    private static final Logger LOG = LoggerFactory.getLogger(SqsWakeups.class);
    private static final Duration MAX_DELAY = Duration.ofMinutes(15);
    /** A caller waits for it; giving up loses nothing. */
    private static final Duration TIMEOUT = Duration.ofSeconds(3);

    private final SqsClient sqs;
    private final WakeupRows rows;
    private final @Nullable String prefix;
    private final Optional<StoreActivity> activity;

    SqsWakeups(SqsClient sqs, WakeupRows rows, AwsSettings settings, Optional<StoreActivity> activity) {
        this.sqs = sqs;
        this.rows = rows;
        this.prefix = settings.queuePrefix();
        this.activity = activity;
    }

    @Override
    public void wake(Purpose purpose, StoreId store) {
        activity.ifPresent(records -> records.touch(store));
        try {
            send(purpose, store, 0);
        } catch (RuntimeException lost) {
            LOG.warn(
                    "cannot send the wake-up of store {} to queue {}; the next sweep does its work",
                    store,
                    purpose.queue(),
                    lost);
        }
    }

    /**
     * A wakeup beyond the maximum delay of a message is left to the sweep, or sent early if the time cannot be recorded;
     * the woken work then schedules another.
     */
    @Override
    public void wakeAt(Purpose purpose, StoreId store, Instant due) {
        Instant now = Instant.now();
        if (!due.isAfter(now)) {
            wake(purpose, store);
            return;
        }
        Duration left = Duration.between(now, due).plusSeconds(1); // rounded up, so that it is not early
        boolean isRecorded = activity.isPresent() && activity.get().touchAt(store, purpose, due);
        if (isRecorded && left.compareTo(MAX_DELAY) > 0) {
            return;
        }
        Duration delay = left.compareTo(MAX_DELAY) < 0 ? left : MAX_DELAY;
        try {
            if (rows.add(store, purpose.queue(), now.plus(delay))) {
                send(purpose, store, (int) delay.toSeconds());
            }
        } catch (RuntimeException lost) {
            LOG.warn(
                    "cannot send the wake-up of store {} to queue {} for {}; the sweep at that time does its work",
                    store,
                    purpose.queue(),
                    due,
                    lost);
        }
    }

    private void send(Purpose purpose, StoreId store, int delaySeconds) {
        sqs.sendMessage(message -> message.queueUrl(prefix + purpose.queue())
                .messageGroupId(store.value())
                .messageBody(store.value())
                .delaySeconds(delaySeconds)
                .overrideConfiguration(call -> call.apiCallTimeout(TIMEOUT)));
    }
}
