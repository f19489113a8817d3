package farm.gantry.api.webhook;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that a test advances. */
final class SettableClock implements InstantSource {
    private final AtomicLong millis = new AtomicLong(System.currentTimeMillis());

    @Override
    public Instant instant() {
        return Instant.ofEpochMilli(millis.get());
    }

    void pass(Duration time) {
        millis.addAndGet(time.toMillis());
    }
}
