package farm.gantry.api.wall;

import farm.gantry.Permission;
import farm.gantry.api.camera.CameraSnapshots;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.http.Blocking;
import farm.gantry.api.printer.readiness.CurrentStates;
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

/** Wall display beside the printers. Its API key gives access to nothing else, because it may hang in public view. */
@Controller("/v1/wall")
@Blocking
final class Wall {
    private static final Comparator<WallPrinter> FAULTS_FIRST = Comparator.comparing(WallPrinter::state)
            .thenComparing(WallPrinter::secondsLeft, Comparator.nullsLast(Comparator.naturalOrder()))
            .thenComparing(WallPrinter::name);

    private final Table<Printer> printers;
    private final Table<PrintJob> jobs;
    private final CurrentStates states;
    private final CameraSnapshots snapshots;
    private final Database database;

    Wall(Tables tables, CurrentStates states, CameraSnapshots snapshots, Database database) {
        this.printers = tables.of(Printer.class);
        this.jobs = tables.of(PrintJob.class);
        this.states = states;
        this.snapshots = snapshots;
        this.database = database;
    }

    /** A printer on the wall display. The path of its camera snapshot contains its {@code id}. */
    @Serdeable
    record WallPrinter(
            String id,
            String name,
            WallState state,
            @Nullable String part,
            @Nullable Integer percent,
            @Nullable Long secondsLeft,
            String still) {}

    /**
     * Returns all printers for the wall display. Faults come first, then the others by remaining time. Prints of jobs
     * show the part's name; prints without a job show none.
     */
    @Get
    @RequiresPermission(Permission.WALL_VIEW)
    List<WallPrinter> wall(Caller caller) {
        return database.in(caller, tx -> {
            List<Printer> all = printers.find(tx, ListQuery.all(printers.columns()));
            Map<String, PrinterState> now = states
                    .find(tx, all.stream().map(Printer::id).toList())
                    .stream()
                    .collect(
                            Collectors.toMap(CurrentStates.CurrentState::printerId, CurrentStates.CurrentState::state));
            Map<String, PrintJob> theirs = jobs.findAll(
                    tx,
                    all.stream()
                            .flatMap(printer -> findJobId(printer, now.get(printer.id())).stream())
                            .toList());
            return all.stream()
                    .map(printer -> toWallPrinter(printer, Objects.requireNonNull(now.get(printer.id())), theirs))
                    .sorted(FAULTS_FIRST)
                    .toList();
        });
    }

    private static Optional<String> findJobId(Printer printer, @Nullable PrinterState state) {
        PrinterState.Progress progress = state == null ? null : state.job();
        return Optional.ofNullable(progress == null ? printer.printingJobId() : progress.jobId());
    }

    private static WallPrinter toWallPrinter(Printer printer, PrinterState state, Map<String, PrintJob> jobs) {
        WallState kind = WallState.of(printer, state);
        PrinterState.Progress progress = kind.hasJob() ? state.job() : null;
        Long left = progress == null ? null : remainingSeconds(state, progress);
        // A printer keeps the name of its last print; a part is shown while it is on the bed.
        String part = kind.hasJob() || kind == WallState.clear
                ? findJobId(printer, state)
                        .map(jobs::get)
                        .map(PrintJob::partName)
                        .orElse(null)
                : null;
        return new WallPrinter(
                printer.id(),
                printer.name(),
                kind,
                part,
                progress == null ? null : (int) progress.percent(),
                left,
                "/v1/wall/stills/" + printer.id());
    }

    /** Returns the remaining time from now on; the printer reported it some time ago. It passes only while it prints. */
    private static @Nullable Long remainingSeconds(PrinterState state, PrinterState.Progress progress) {
        if (progress.remainingSeconds() == null) {
            return null;
        }
        long passed = state.status() == PrinterState.Status.printing
                ? Duration.between(state.at(), Instant.now()).toSeconds()
                : 0;
        return Math.max(0, progress.remainingSeconds() - passed);
    }

    /**
     * Returns the camera snapshots of printers for the wall display. {@code ids} are up to 100 ids, separated by
     * commas.
     */
    @Get("/stills")
    @RequiresPermission(Permission.WALL_VIEW)
    List<CameraSnapshots.Snapshot> stills(Caller caller, @QueryValue String ids) {
        return snapshots.findSnapshots(caller, ids);
    }

    /**
     * Returns the snapshot of a printer's camera for the wall display. 202 while it is fetched, 404 if there is none.
     */
    @Get(value = "/stills/{id}", produces = MediaType.IMAGE_JPEG)
    @RequiresPermission(Permission.WALL_VIEW)
    HttpResponse<byte[]> still(Caller caller, String id) {
        return snapshots.snapshotResponse(caller, id, false);
    }
}
