package farm.gantry.api.trace;

import farm.gantry.api.database.Database;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;

/** Reads the stored status changes of jobs. */
@Singleton
final class StatusRows {
    private final Database database;

    StatusRows(Database database) {
        this.database = database;
    }

    /** A status of a job, and the time from which the job had it. */
    record StatusChange(String status, Instant at) {}

    /** Returns the statuses of one attempt in order; those older than the retention of the event stream are missing. */
    List<StatusChange> find(StartedPrint print) {
        return database.in(
                print.store(),
                tx -> tx.list(
                        """
                        select status, at from farm."jobMove"
                        where "storeId" = ? and "printJobId" = ? and attempt = ? order by changed, id""",
                        rows -> new StatusChange(
                                rows.getString(1),
                                rows.getObject(2, OffsetDateTime.class).toInstant()),
                        tx.store().value(),
                        print.jobId(),
                        print.attempt()));
    }
}
