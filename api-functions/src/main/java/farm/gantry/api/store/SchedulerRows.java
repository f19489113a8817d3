package farm.gantry.api.store;

import farm.gantry.api.json.JsonCodec;
import farm.gantry.job.PrintJob;
import farm.gantry.job.Priority;
import farm.gantry.material.Assignment;
import farm.gantry.part.Part;
import farm.gantry.part.PartMetadata;
import farm.gantry.part.PrintTags;
import farm.gantry.printer.BedSize;
import farm.gantry.promise.FarmState;
import farm.gantry.schedule.Filament;
import farm.gantry.schedule.FilamentNeed;
import farm.gantry.schedule.PlacementPlanner;
import farm.gantry.schedule.Requirement;
import farm.gantry.store.FailurePolicy;
import farm.gantry.store.StoreSettings;
import io.micronaut.core.type.Argument;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The scheduler's queries: few statements per round and few columns, never one per job or printer. */
@Singleton
public final class SchedulerRows {
    private static final String ASKS = """
            select j.id, j."requiredPrinterTags"::text as tags, j."materialAssignments"::text as materials,
              b."fileFilaments"::text as filaments, b."fileNozzleDiameter" as nozzle,
              b."fileType" not in ('gcode', 'gcode3mf') or j."filesToPrint"::text = '[]' as "needsSlicing",
              j."overriddenProcessProfileId" is not null or b."bringsProcess" as "hasProcess", j.attempt,
              case when j."parameterOverrides"::text = '[]' then b."fileSize"::text end as size,
              b."fileModel" as model, b."fileCompat"::text as compat, b."fileType" = 'gcode3mf' as "isArchive",
              coalesce(b."filamentGrams" -> (j.extensions #>> '{3mf,plateId}'), b."filamentGrams" -> '')::text
                as "filamentGrams",
              j."estimatedGrams", j."estimatedSeconds", j."overriddenProcessProfileId", j.priority,
              j.retries, j."orderItemId" is not null as "isOfOrder", j."failedPrinterIds"::text as "failedOn",
              coalesce(j."partId" = any (array(
                select p.id from farm.part p where p."storeId" = ? and p."heldAt" is not null)), false) as "isPartHeld"
            from farm."printJob" j join farm."partBuild" b on b."storeId" = j."storeId" and b.id = j."partBuildId"
            where j."storeId" = ?""";
    private static final String WAITING = " and j.status = 'Pending' and j.priority <= ? order by j.priority, ";
    private static final String BY_PLACE = "j.\"queueOrder\", j.id";
    /** By the time at which it must begin; one without a deadline has a week from when it was queued, so that none starves. */
    private static final String BY_DEADLINE = """
            coalesce((select o.deadline from farm."order" o where o."storeId" = j."storeId" and o.id = j."orderId"),
                     j."createdAt" + interval '7 days') - coalesce(j."estimatedSeconds", 0) * interval '1 second',
            """ + BY_PLACE;

    private final JsonCodec json;

    SchedulerRows(JsonCodec json) {
        this.json = json;
    }

    /** Whether any job waits for a printer or for its start. */
    public boolean isAnythingWaiting(Tx tx) {
        return tx.one(
                """
                select exists (select from farm."printJob" where "storeId" = ? and status = 'Pending')
                  or exists (select from farm."printJob" where "storeId" = ? and status in ('Slicing', 'Ready-for-printer'))
                  or exists (select from farm."throttleHold" where "storeId" = ?)
                  or exists (select from farm."bedClearing" where "storeId" = ?)""",
                rows -> rows.getBoolean(1),
                tx.store().value(),
                tx.store().value(),
                tx.store().value(),
                tx.store().value());
    }

    /** Ids of the jobs that wait for their start. */
    public List<String> readyJobs(Tx tx) {
        return tx.texts(
                "select id from farm.\"printJob\" where \"storeId\" = ? and status = 'Ready-for-printer'",
                tx.store().value());
    }

    /** A page of the jobs that wait for a printer, in the order in which they get one. */
    public List<PlacementPlanner.Waiting> waiting(Tx tx, StoreSettings settings, int page, int passed) {
        return tx.query(
                ASKS + WAITING + order(settings) + " limit ? offset ?",
                rows -> {
                    Map<Asked, Requirement> known = new HashMap<>();
                    List<PlacementPlanner.Waiting> waiting = new ArrayList<>();
                    while (rows.next()) {
                        waiting.add(new PlacementPlanner.Waiting(
                                rows.getString("id"),
                                rows.getInt("attempt"),
                                known.computeIfAbsent(asked(rows), this::requirement)));
                    }
                    return waiting;
                },
                tx.store().value(),
                tx.store().value(),
                lowestPriority(settings),
                page,
                passed);
    }

    /**
     * All jobs that wait for a printer, in the order in which they get one; {@code seconds} is what a job is taken to last of
     * which nobody knows.
     */
    public List<FarmState.QueuedJob> queue(Tx tx, StoreSettings settings, double seconds) {
        Map<Asked, Requirement> known = new HashMap<>();
        return tx.list(
                ASKS + WAITING + order(settings),
                rows -> new FarmState.QueuedJob(
                        rows.getString("id"),
                        known.computeIfAbsent(asked(rows), this::requirement),
                        rows.getLong("estimatedSeconds") > 0 ? rows.getLong("estimatedSeconds") : seconds,
                        rows.getString("overriddenProcessProfileId"),
                        rows.getInt("priority"),
                        Math.max(0, retries(settings, rows.getBoolean("isOfOrder")) - rows.getInt("retries"))),
                tx.store().value(),
                tx.store().value(),
                lowestPriority(settings));
    }

    /** How often a job is made again, if printers fail it. */
    private static int retries(StoreSettings settings, boolean isOfOrder) {
        FailurePolicy policy = settings.failurePolicy();
        return Math.max(isOfOrder ? settings.maxRetries() : 0, policy == null ? 0 : policy.retriesElsewhere());
    }

    private static String order(StoreSettings settings) {
        return settings.deadlineFirst() ? BY_DEADLINE : BY_PLACE;
    }

    private static int lowestPriority(StoreSettings settings) {
        return settings.processLowPriorityJobs() ? Integer.MAX_VALUE : Priority.NORMAL;
    }

    /** Job → its requirements. */
    public Map<String, Requirement> requirements(Tx tx, Collection<String> jobIds) {
        return tx.map(
                ASKS + " and j.id = any(?)",
                rows -> requirement(asked(rows)),
                tx.store().value(),
                tx.store().value(),
                jobIds.toArray(String[]::new));
    }

    /** A requirement as stored: jobs of which it is the same share one. */
    private record Asked(
            String tags,
            AskedFilaments filaments,
            AskedMachine machine,
            boolean needsSlicing,
            boolean hasProcess,
            @Nullable String size,
            String failedOn,
            boolean isPartHeld) {}

    private record AskedFilaments(
            @Nullable String wished,
            @Nullable String ofFile,
            @Nullable String grams,
            @Nullable Double total) {}

    private record AskedMachine(
            @Nullable String model,
            @Nullable String compat,
            @Nullable String nozzle,
            boolean isArchive) {}

    private static Asked asked(ResultSet rows) throws SQLException {
        return new Asked(
                rows.getString("tags"),
                new AskedFilaments(
                        rows.getString("materials"),
                        rows.getString("filaments"),
                        rows.getString("filamentGrams"),
                        rows.getObject("estimatedGrams", Double.class)),
                new AskedMachine(
                        rows.getString("model"),
                        rows.getString("compat"),
                        rows.getString("nozzle"),
                        rows.getBoolean("isArchive")),
                rows.getBoolean("needsSlicing"),
                rows.getBoolean("hasProcess"),
                rows.getString("size"),
                rows.getString("failedOn"),
                rows.getBoolean("isPartHeld"));
    }

    private Requirement requirement(Asked asked) {
        AskedFilaments filaments = asked.filaments();
        return new Requirement(
                json.read(asked.tags(), Argument.of(PrintTags.class)),
                byIndex(filaments.wished(), Argument.listOf(Assignment.class)),
                filaments.ofFile() == null
                        ? List.of()
                        : json.read(filaments.ofFile(), Argument.listOf(Part.PartMaterial.class)),
                asked.needsSlicing(),
                asked.hasProcess(),
                asked.needsSlicing() ? null : made(asked.machine()),
                asked.size() == null ? null : json.read(asked.size(), Argument.of(BedSize.class)),
                new FilamentNeed(byIndex(filaments.grams(), Argument.of(Double.class)), filaments.total()),
                json.read(asked.failedOn(), Argument.listOf(String.class)),
                asked.isPartHeld());
    }

    private <V> SortedMap<Integer, V> byIndex(@Nullable String text, Argument<V> value) {
        SortedMap<Integer, V> values = new TreeMap<>();
        if (text != null) {
            json.read(text, Argument.mapOf(Argument.STRING, value))
                    .forEach((index, each) -> values.put(Integer.valueOf(index), each));
        }
        return values;
    }

    private Requirement.Made made(AskedMachine machine) {
        return Requirement.Made.of(
                machine.model(),
                machine.compat() == null
                        ? null
                        : json.read(machine.compat(), Argument.of(PartMetadata.ProfileCompat.class)),
                machine.nozzle(),
                machine.isArchive());
    }

    /** Printer → what people say is in its places; a place they emptied has a filament of which nothing is known. */
    public Map<String, List<Filament>> filaments(Tx tx) {
        return tx.group(
                """
                select s."printerId", s."amsIndex", s."slotIndex", s."variantId", s."materialId", s."materialType",
                  coalesce(v."filamentUserProfileId", v."filamentSystemProfileId"::text, m."filamentUserProfileId",
                           m."filamentSystemProfileId"::text) is not null
                from farm."printerSlot" s
                left join farm."materialVariant" v on v."storeId" = s."storeId" and v.id = s."variantId"
                left join farm.material m on m."storeId" = s."storeId" and m.id = s."materialId"
                where s."storeId" = ? order by s."amsIndex", s."slotIndex\"""",
                rows -> new Filament(
                        new PrintJob.Slot(rows.getInt(2), rows.getInt(3)),
                        rows.getString(4),
                        rows.getString(5),
                        rows.getString(6),
                        rows.getBoolean(7)),
                tx.store().value());
    }

    /** Material group → its variants. */
    public Map<String, Set<String>> groups(Tx tx) {
        return tx.query(
                "select \"groupId\", \"variantId\" from farm.\"materialGroupMember\" where \"storeId\" = ?",
                rows -> {
                    Map<String, Set<String>> groups = new HashMap<>();
                    while (rows.next()) {
                        groups.computeIfAbsent(rows.getString(1), _ -> new HashSet<>())
                                .add(rows.getString(2));
                    }
                    return groups;
                },
                tx.store().value());
    }

    /** What people call what a printer's filaments and a job's wishes are of, and its throttle groups. */
    public Map<String, String> names(Tx tx) {
        return tx.map(
                """
                select id, name from farm.material where "storeId" = ? union all
                select v.id, m.name || ' ' || v.name from farm."materialVariant" v join farm.material m
                  on m."storeId" = v."storeId" and m.id = v."materialId" where v."storeId" = ? union all
                select id, name from farm."materialGroup" where "storeId" = ? union all
                select id, name from farm."printerThrottleGroup" where "storeId" = ?""",
                rows -> rows.getString(2),
                tx.store().value(),
                tx.store().value(),
                tx.store().value(),
                tx.store().value());
    }
}
