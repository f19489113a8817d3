package farm.gantry.api.filament;

import farm.gantry.Permission;
import farm.gantry.RecordBuilder;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.Blocking;
import farm.gantry.api.schedule.SchedulerRows;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import farm.gantry.filament.PurchasePlan;
import farm.gantry.filament.LoadPlan;
import farm.gantry.filament.LoadPlanner;
import farm.gantry.filament.PlannedSpool;
import farm.gantry.printer.PrinterSlot;
import farm.gantry.schedule.Candidate;
import farm.gantry.schedule.JobMatcher;
import farm.gantry.schedule.PlacementPlanner;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Which spools are to be put where, and which are to be bought. */
@Controller("/v1/plan")
@Blocking
final class FilamentPlans {
    private static final int MAX_JOBS = 1000;
    private static final int MAX_PER_QUEUE = 100_000;
    private static final int DAYS = 14;
    private static final int MAX_DAYS = 365;

    private final FilamentPlanLoader farm;
    private final FilamentPlanRows rows;
    private final SchedulerRows names;
    private final Database database;
    private final InstantSource clock;

    FilamentPlans(
            FilamentPlanLoader farm, FilamentPlanRows rows, SchedulerRows names, Database database, InstantSource clock) {
        this.farm = farm;
        this.rows = rows;
        this.names = names;
        this.database = database;
        this.clock = clock;
    }

    /**
     * The spools to load, in the order of time. The first {@code jobs} of the queue were planned; {@code unplacedJobIds} are
     * those that no printer could print, whatever is in it.
     */
    @Serdeable
    record FilamentPlan(Instant plannedAt, int jobs, List<PlannedSpoolChange> loads, List<String> unplacedJobIds) {}

    /**
     * A spool to put into a place of a printer, called {@code slot}, {@code at} a time by estimate. {@code instanceId} is null
     * where no spool of that filament is known to be on the shelf. {@code replacedInstanceId} is the spool to take out, and
     * {@code jobIds} is what is printed from the new one.
     */
    @Serdeable
    record PlannedSpoolChange(
            String printerId,
            String printerName,
            int amsIndex,
            int slotIndex,
            String slot,
            Instant at,
            @Nullable String instanceId,
            @Nullable String variantId,
            @Nullable String materialId,
            @Nullable String materialType,
            String name,
            @Nullable String replacedInstanceId,
            @Nullable String replacedName,
            List<String> jobIds) {}

    /**
     * The filament to buy for the queue and {@code days} of average use, the most lacking first. A job that any of several filaments
     * suits is counted in {@code queueGrams} of the best of them that has enough left for it, of those the one of which there is most;
     * where none has enough, of the best of all. {@code gramsPerDay} is the average of the last four weeks, or since the first print
     * that was counted, but of no less than seven days.
     */
    @Serdeable
    record FilamentToBuy(int days, List<FilamentPurchase> lines) {}

    @Serdeable
    record FilamentPurchase(
            @Nullable String variantId,
            @Nullable String materialId,
            @Nullable String materialType,
            String name,
            double queueGrams,
            double gramsPerDay,
            double stockGrams,
            double lackingGrams) {}

    /**
     * Returns which spool to load into which slot, and when. The plan lets the first 1,000 jobs of the queue print with
     * few changes.
     */
    @Get("/filament")
    @RequiresPermission(Permission.MATERIAL_VIEW)
    FilamentPlan filament(Caller caller) {
        return database.in(caller, this::filament);
    }

    private FilamentPlan filament(Tx tx) {
        Instant now = clock.instant();
        JobMatcher matching = farm.loadMatcher(tx);
        List<Candidate> printers = farm.loadPrinters(tx);
        List<FilamentPlanRows.StoredSpool> spools = rows.spools(tx);
        List<PlacementPlanner.WaitingJob> waiting = farm.loadWaiting(tx, MAX_JOBS);
        LoadPlan plan = new LoadPlanner(matching, farm.loadFarm(tx, printers, spools))
                .plan(farm.loadJobs(tx, waiting, matching, printers));
        Map<String, String> ofPrinters = new HashMap<>();
        printers.forEach(
                each -> ofPrinters.put(each.printer().id(), each.printer().name()));
        Map<String, String> called = new HashMap<>(names.names(tx));
        spools.stream()
                .filter(spool -> !spool.name().isEmpty() && spool.roll().instanceId() != null)
                .forEach(spool -> called.put(String.valueOf(spool.roll().instanceId()), spool.name()));
        return new FilamentPlan(
                now,
                waiting.size(),
                plan.loads().stream()
                        .map(load -> RecordBuilder.of(PlannedSpoolChange.class)
                                .with(PlannedSpoolChange::printerId, load.printerId())
                                .with(
                                        PlannedSpoolChange::printerName,
                                        ofPrinters.getOrDefault(load.printerId(), load.printerId()))
                                .with(PlannedSpoolChange::amsIndex, load.slot().amsIndex())
                                .with(PlannedSpoolChange::slotIndex, load.slot().slotIndex())
                                .with(
                                        PlannedSpoolChange::slot,
                                        PrinterSlot.name(
                                                load.slot().amsIndex(),
                                                load.slot().slotIndex()))
                                .with(PlannedSpoolChange::at, now.plusSeconds(load.inSeconds()))
                                .with(PlannedSpoolChange::instanceId, load.roll().instanceId())
                                .with(PlannedSpoolChange::variantId, load.roll().variantId())
                                .with(PlannedSpoolChange::materialId, load.roll().materialId())
                                .with(PlannedSpoolChange::materialType, load.roll().materialType())
                                .with(PlannedSpoolChange::name, name(load.roll(), called))
                                .with(
                                        PlannedSpoolChange::replacedInstanceId,
                                        load.replaced() == null
                                                ? null
                                                : load.replaced().instanceId())
                                .with(
                                        PlannedSpoolChange::replacedName,
                                        load.replaced() == null ? null : name(load.replaced(), called))
                                .with(PlannedSpoolChange::jobIds, load.jobIds())
                                .build())
                        .toList(),
                plan.unplacedJobIds());
    }

    private static String name(PlannedSpool roll, Map<String, String> called) {
        return Stream.of(roll.instanceId(), roll.variantId(), roll.materialId())
                .flatMap(Stream::ofNullable)
                .flatMap(id -> Stream.ofNullable(called.get(id)))
                .findFirst()
                .orElse(roll.materialType() == null ? "any filament" : roll.materialType());
    }

    /**
     * Returns the filament to buy. It counts what the queue and the next {@code days} (14 by default) need beyond the
     * stock.
     */
    @Get("/buy")
    @RequiresPermission(Permission.MATERIAL_VIEW)
    FilamentToBuy buy(Caller caller, @QueryValue @Nullable Integer days) {
        int ahead = days == null ? DAYS : days;
        if (ahead < 0 || ahead > MAX_DAYS) {
            throw ProblemException.invalid("days", "range", "days must be 0 to " + MAX_DAYS);
        }
        return database.in(caller, tx -> {
            Map<String, String> called = names.names(tx);
            List<LoadPlan.SpoolNeed> queue = farm.loadWaiting(tx, MAX_PER_QUEUE).stream()
                    .flatMap(job -> FilamentPlanLoader.needs(job.requirement()).stream())
                    .toList();
            return new FilamentToBuy(
                    ahead,
                    new PurchasePlan(farm.loadMatcher(tx), rows.stock(tx), rows.variants(tx))
                            .lines(queue, rows.reserved(tx), rows.usedPerDay(tx), ahead).stream()
                                    .map(line -> new FilamentPurchase(
                                            line.roll().variantId(),
                                            line.roll().materialId(),
                                            line.roll().materialType(),
                                            name(line.roll(), called),
                                            line.queueGrams(),
                                            line.gramsPerDay(),
                                            line.stockGrams(),
                                            line.lackingGrams()))
                                    .toList());
        });
    }
}
