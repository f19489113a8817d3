package farm.gantry.api.wall;

import farm.gantry.Permission;
import farm.gantry.api.camera.Stills;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.http.Blocking;
import farm.gantry.api.printer.readiness.ShownStates;
import farm.gantry.api.query.ListQuery;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import farm.gantry.job.PrintJob;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterState;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a screen beside the printers shows. Its key opens nothing but this: it may hang where anybody passes. */
@Controller("/v1/wall")
@Blocking
final class Wall {
    private static final Comparator<Shown> FAULTS_FIRST = Comparator.comparing(Shown::state)
            .thenComparing(Shown::secondsLeft, Comparator.nullsLast(Comparator.naturalOrder()))
            .thenComparing(Shown::name);

    private final Table<Printer> printers;
    private final Table<PrintJob> jobs;
    private final ShownStates states;
    private final Stills stills;
    private final Database database;

    Wall(Tables tables, ShownStates states, Stills stills, Database database) {
        this.printers = tables.of(Printer.class);
        this.jobs = tables.of(PrintJob.class);
        this.states = states;
        this.stills = stills;
        this.database = database;
    }

    /** {@code still} is where its camera's picture is, by its {@code id}. */
    @Serdeable
    record Shown(
            String id,
            String name,
            WallState state,
            @Nullable String part,
            @Nullable Integer percent,
            @Nullable Long secondsLeft,
            String still) {}

    /** All printers: faults first, and then the next to finish. A part has its name, a print without a job none. */
    @Get
    @RequiresPermission(Permission.WALL_VIEW)
    List<Shown> wall(Caller caller) {
        return database.in(caller, tx -> {
            List<Printer> all = printers.find(tx, ListQuery.all(printers.columns()));
            Map<String, PrinterState> now = states
                    .of(tx, all.stream().map(Printer::id).toList())
                    .stream()
                    .collect(Collectors.toMap(ShownStates.Shown::printerId, ShownStates.Shown::state));
            Map<String, PrintJob> theirs = jobs.findAll(
                    tx,
                    all.stream()
                            .flatMap(printer -> jobOf(printer, now.get(printer.id())).stream())
                            .toList());
            return all.stream()
                    .map(printer -> shown(printer, Objects.requireNonNull(now.get(printer.id())), theirs))
                    .sorted(FAULTS_FIRST)
                    .toList();
        });
    }

    private static Optional<String> jobOf(Printer printer, @Nullable PrinterState state) {
        PrinterState.Progress progress = state == null ? null : state.job();
        return Optional.ofNullable(progress == null ? printer.printingJobId() : progress.jobId());
    }

    private static Shown shown(Printer printer, PrinterState state, Map<String, PrintJob> jobs) {
        WallState kind = WallState.of(printer, state);
        PrinterState.Progress progress = kind.hasJob() ? state.job() : null;
        Long left = progress == null ? null : left(progress, state.at());
        String part =
                jobOf(printer, state).map(jobs::get).map(PrintJob::partName).orElse(null);
        return new Shown(
                printer.id(),
                printer.name(),
                kind,
                part,
                progress == null ? null : (int) progress.percent(),
                left,
                "/v1/wall/stills/" + printer.id());
    }

    /** From now on: the printer told it some time ago. */
    private static @Nullable Long left(PrinterState.Progress progress, Instant at) {
        return progress.remainingSeconds() == null
                ? null
                : Math.max(
                        0,
                        progress.remainingSeconds()
                                - Duration.between(at, Instant.now()).toSeconds());
    }

    /** The stills of up to 100 printers, whose ids are separated by commas. */
    @Get("/stills")
    @RequiresPermission(Permission.WALL_VIEW)
    List<Stills.Snapshot> stills(Caller caller, @QueryValue String ids) {
        return stills.tiles(caller, ids);
    }

    /** What the printer's camera shows; 202 while it is being fetched, 404 where there is none. */
    @Get(value = "/stills/{id}", produces = MediaType.IMAGE_JPEG)
    @RequiresPermission(Permission.WALL_VIEW)
    HttpResponse<byte[]> still(Caller caller, String id) {
        return stills.one(caller, id, false);
    }
}
