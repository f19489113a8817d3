package farm.gantry.api.audit;

import farm.gantry.api.database.ExpiredRows;
import farm.gantry.api.queue.Signal;
import farm.gantry.api.queue.WorkLease;
import farm.gantry.api.queue.WorkLoop;
import io.micronaut.context.annotation.Value;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;

/** Deletes audit log entries older than {@code gantry.audit.retention}. */
@Singleton
public final class AuditRetention {
    private static final Duration INTERVAL = Duration.ofHours(1);

    private final ExpiredRows rows;
    private final WorkLease lease;
    private final Duration retention;

    AuditRetention(ExpiredRows rows, WorkLease lease, @Value("${gantry.audit.retention}") Duration retention) {
        this.rows = rows;
        this.lease = lease;
        this.retention = retention;
    }

    public WorkLoop start() {
        return WorkLoop.start("audit-log", new Signal(), INTERVAL, lease, this::deleteExpired);
    }

    /** Deletes the entries that are older than the retention. */
    public void deleteExpired() {
        deleteExpired(Instant.now());
    }

    void deleteExpired(Instant now) {
        rows.delete("auditLog", now.minus(retention));
    }
}
