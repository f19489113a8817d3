package farm.gantry.api.failure;

import com.fasterxml.jackson.annotation.JsonInclude;
import farm.gantry.Permission;
import farm.gantry.RecordBuilder;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.Blocking;
import farm.gantry.api.query.TimeSpan;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.schedule.SuccessRateRows;
import farm.gantry.api.schedule.SuccessRateRows.Subject;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import farm.gantry.job.SuccessRate;
import farm.gantry.part.Part;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The routes of reports on print outcomes, and on the printers, parts, materials and profiles of failed prints. */
@Controller
@Blocking
final class FailureReports {
    private final Table<Part> parts;
    private final SuccessRateRows rows;
    private final Database database;
    private final InstantSource clock;

    FailureReports(Tables tables, SuccessRateRows rows, Database database, InstantSource clock) {
        this.parts = tables.of(Part.class);
        this.rows = rows;
        this.database = database;
        this.clock = clock;
    }

    /** Success rates of prints in a period, most failures first; {@code all} is the rate of all prints. */
    @Serdeable
    record FailureReport(
            Instant from,
            Instant to,
            SuccessRate all,
            List<SuccessRate> printers,
            List<SuccessRate> parts,
            List<SuccessRate> materials,
            List<SuccessRate> profiles) {}

    /** Outcomes of a part's prints by printer, material and profile. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record PartStats(
            String partId,
            Instant from,
            Instant to,
            int completed,
            int failed,
            int cancelled,
            @Nullable Double successRate,
            long good,
            long rejected,
            List<SuccessRate> printers,
            List<SuccessRate> materials,
            List<SuccessRate> profiles) {}

    /**
     * Returns success rates by printer, part, material and profile. It counts prints that ended between {@code from}
     * and {@code to}: at most 366 days, by default the last 30.
     */
    @Get("/v1/reports/failures")
    @RequiresPermission(Permission.QUEUE_VIEW)
    FailureReport failures(Caller caller, @QueryValue @Nullable Instant from, @QueryValue @Nullable Instant to) {
        TimeSpan span = TimeSpan.ofOneYear(from, to, clock.instant());
        return database.read(
                caller,
                tx -> new FailureReport(
                        span.from(),
                        span.to(),
                        rows.all(tx, span.from(), span.to()),
                        rows.rates(tx, Subject.PRINTER, span.from(), span.to()),
                        rows.rates(tx, Subject.PART, span.from(), span.to()),
                        rows.rates(tx, Subject.MATERIAL, span.from(), span.to()),
                        rows.rates(tx, Subject.PROFILE, span.from(), span.to())));
    }

    /**
     * Returns the success rates of a part's prints. It counts prints that ended between {@code from} and {@code to}, by
     * default in the last 30 days.
     */
    @Get("/v1/parts/{id}/stats")
    @RequiresPermission(Permission.PART_VIEW)
    PartStats ofPart(Caller caller, String id, @QueryValue @Nullable Instant from, @QueryValue @Nullable Instant to) {
        Resources.parseId(id);
        TimeSpan span = TimeSpan.of(from, to, clock.instant());
        return database.in(caller, tx -> {
            if (parts.find(tx, id).isEmpty()) {
                throw ProblemException.notFound("part");
            }
            Optional<SuccessRate> all =
                    ofPart(tx, Subject.PART, id, span).stream().findFirst();
            return RecordBuilder.of(PartStats.class)
                    .with(PartStats::partId, id)
                    .with(PartStats::from, span.from())
                    .with(PartStats::to, span.to())
                    .with(PartStats::completed, all.map(SuccessRate::completed).orElse(0))
                    .with(PartStats::failed, all.map(SuccessRate::failed).orElse(0))
                    .with(PartStats::cancelled, all.map(SuccessRate::cancelled).orElse(0))
                    .with(
                            PartStats::successRate,
                            all.map(SuccessRate::successRate).orElse(null))
                    .with(PartStats::good, all.map(SuccessRate::good).orElse(0L))
                    .with(PartStats::rejected, all.map(SuccessRate::rejected).orElse(0L))
                    .with(PartStats::printers, ofPart(tx, Subject.PRINTER, id, span))
                    .with(PartStats::materials, ofPart(tx, Subject.MATERIAL, id, span))
                    .with(PartStats::profiles, ofPart(tx, Subject.PROFILE, id, span))
                    .build();
        });
    }

    private List<SuccessRate> ofPart(Tx tx, Subject subject, String id, TimeSpan span) {
        return rows.rates(tx, subject, Subject.PART, List.of(id), span.from(), span.to())
                .getOrDefault(id, List.of());
    }
}
