package farm.gantry.api.audit;

import farm.gantry.api.queue.WorkLoop;
import farm.gantry.api.queue.Signal;
import io.micronaut.context.annotation.Value;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;

/** Deletes audit log entries older than {@code gantry.audit.retention}. */
@Singleton
public final class AuditRetention {
    private static final Duration INTERVAL = Duration.ofHours(1);

    private final AuditRows rows;
    private final Duration retention;

    AuditRetention(AuditRows rows, @Value("${gantry.audit.retention}") Duration retention) {
        this.rows = rows;
        this.retention = retention;
    }

    public WorkLoop start() {
        return WorkLoop.start("audit-log", new Signal(), INTERVAL, this::deleteExpired);
    }

    /** Deletes the entries that are too old now. */
    public void deleteExpired() {
        deleteExpired(Instant.now());
    }

    void deleteExpired(Instant now) {
        rows.deleteBefore(now.minus(retention));
    }
}
