package farm.gantry.api.promise;

import farm.gantry.Permission;
import farm.gantry.api.database.Database;
import farm.gantry.api.http.Blocking;
import farm.gantry.api.query.TimeSpan;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reports the accuracy of estimated finish times. */
@Controller
@Blocking
final class PromiseReports {
    private final PromiseRows rows;
    private final Database database;
    private final InstantSource clock;

    PromiseReports(PromiseRows rows, Database database, InstantSource clock) {
        this.rows = rows;
        this.database = database;
        this.clock = clock;
    }

    @Serdeable
    record PromiseReport(Instant from, Instant to, List<PromiseAccuracy> providers) {}

    /**
     * Returns the share of estimates that came true, by provider. It counts the jobs that were completed between {@code
     * from} and {@code to}, by default in the last 30 days. A job counts with the promise that was made when it was
     * queued.
     */
    @Get("/v1/reports/promises")
    @RequiresPermission(Permission.QUEUE_VIEW)
    PromiseReport promises(Caller caller, @QueryValue @Nullable Instant from, @QueryValue @Nullable Instant to) {
        TimeSpan span = TimeSpan.ofOneYear(from, to, clock.instant());
        return database.read(
                caller, tx -> new PromiseReport(span.from(), span.to(), rows.accuracy(tx, span.from(), span.to())));
    }
}
