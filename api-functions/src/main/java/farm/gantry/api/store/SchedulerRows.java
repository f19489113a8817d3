package farm.gantry.api.store;

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
import io.micronaut.serde.ObjectMapper;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The scheduler's queries: few statements per round and few columns, never one per job or printer. */
@Singleton
public final class SchedulerRows {
    private static final String ASKS = """
            select j.id, json_build_object(
                'tags', j."requiredPrinterTags", 'materials', j."materialAssignments", 'filaments', b."fileFilaments",
                'needsSlicing', coalesce(b."fileType" not in ('gcode', 'gcode3mf') or j."filesToPrint"::text = '[]', false),
                'hasProcess', coalesce(j."overriddenProcessProfileId" is not null or b."bringsProcess", false),
                'nozzleDiameter', b."fileNozzleDiameter", 'modelName', b."fileModel", 'compat', b."fileCompat",
                'isArchive', coalesce(b."fileType" = 'gcode3mf', false),
                'size', case when j."parameterOverrides"::text = '[]' then b."fileSize" end,
                'filamentGrams',
                  coalesce(b."filamentGrams" -> (j.extensions #>> '{3mf,plateId}'), b."filamentGrams" -> ''),
                'grams', j."estimatedGrams", 'failedOn', j."failedPrinterIds",
                'isPartHeld', coalesce(j."partId" = any (array(
                  select p.id from farm.part p where p."storeId" = ? and p."heldAt" is not null)), false))::text,
              j.attempt, j."estimatedSeconds", j."overriddenProcessProfileId", j.priority,
              j.retries, j."orderItemId" is not null
            from farm."printJob" j join farm."partBuild" b on b."storeId" = j."storeId" and b.id = j."partBuildId"
            where j."storeId" = ?""";
    private static final String WAITING = " and j.status = 'Pending' and j.priority <= ? order by j.priority, ";
    private static final String BY_PLACE = "j.\"queueOrder\", j.id";
    /** By the time at which it must begin; one without a deadline has a week from when it was queued, so that none starves. */
    private static final String BY_DEADLINE = """
            coalesce((select o.deadline from farm."order" o where o."storeId" = j."storeId" and o.id = j."orderId"),
                     j."createdAt" + interval '7 days') - coalesce(j."estimatedSeconds", 0) * interval '1 second',
            """ + BY_PLACE;

    private final ObjectMapper mapper;

    SchedulerRows(ObjectMapper mapper) {
        this.mapper = mapper;
    }

    /** Whether any job waits for a printer or for its start. */
    public boolean isAnythingWaiting(Tx tx) {
        return tx.query(
                """
                select exists (select from farm."printJob" where "storeId" = ? and status = 'Pending')
                  or exists (select from farm."printJob" where "storeId" = ? and status in ('Slicing', 'Ready-for-printer'))
                  or exists (select from farm."throttleHold" where "storeId" = ?)
                  or exists (select from farm."bedClearing" where "storeId" = ?)""",
                rows -> {
                    rows.next();
                    return rows.getBoolean(1);
                },
                tx.store().value(),
                tx.store().value(),
                tx.store().value(),
                tx.store().value());
    }

    /** A page of the jobs that wait for a printer, in the order in which they get one. */
    public List<PlacementPlanner.Waiting> waiting(Tx tx, StoreSettings settings, int page, int passed) {
        return tx.query(
                ASKS + WAITING + order(settings) + " limit ? offset ?",
                rows -> {
                    Map<String, Requirement> known = new HashMap<>();
                    List<PlacementPlanner.Waiting> waiting = new ArrayList<>();
                    while (rows.next()) {
                        waiting.add(new PlacementPlanner.Waiting(
                                rows.getString(1),
                                rows.getInt(3),
                                known.computeIfAbsent(rows.getString(2), this::requirement)));
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
        Map<String, Requirement> known = new HashMap<>();
        return tx.list(
                ASKS + WAITING + order(settings),
                rows -> new FarmState.QueuedJob(
                        rows.getString(1),
                        known.computeIfAbsent(rows.getString(2), this::requirement),
                        rows.getLong(4) > 0 ? rows.getLong(4) : seconds,
                        rows.getString(5),
                        rows.getInt(6),
                        Math.max(0, retries(settings, rows.getBoolean(8)) - rows.getInt(7))),
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

    /** The requirements of a job. */
    public Optional<Requirement> requirement(Tx tx, String jobId) {
        return tx.query(
                ASKS + " and j.id = ?",
                rows -> rows.next() ? Optional.of(requirement(rows.getString(2))) : Optional.empty(),
                tx.store().value(),
                tx.store().value(),
                jobId);
    }

    /** A requirement as stored. */
    @Serdeable
    record StoredRequirement(
            PrintTags tags,
            @Nullable Map<String, List<Assignment>> materials,
            @Nullable List<Part.PartMaterial> filaments,
            boolean needsSlicing,
            boolean hasProcess,
            @Nullable String nozzleDiameter,
            @Nullable String modelName,
            PartMetadata.@Nullable ProfileCompat compat,
            boolean isArchive,
            @Nullable BedSize size,
            @Nullable Map<String, Double> filamentGrams,
            @Nullable Double grams,
            List<String> failedOn,
            boolean isPartHeld) {
        Requirement requirement() {
            return new Requirement(
                    tags,
                    byIndex(materials),
                    filaments == null ? List.of() : filaments,
                    needsSlicing,
                    hasProcess,
                    needsSlicing ? null : Requirement.Made.of(modelName, compat, nozzleDiameter, isArchive),
                    size,
                    new FilamentNeed(byIndex(filamentGrams), grams),
                    failedOn,
                    isPartHeld);
        }

        private static <V> SortedMap<Integer, V> byIndex(@Nullable Map<String, V> stored) {
            SortedMap<Integer, V> values = new TreeMap<>();
            if (stored != null) {
                stored.forEach((index, value) -> values.put(Integer.valueOf(index), value));
            }
            return values;
        }
    }

    private Requirement requirement(String stored) {
        try {
            return Objects.requireNonNull(mapper.readValue(stored, StoredRequirement.class))
                    .requirement();
        } catch (IOException e) {
            throw new UncheckedIOException("what a job asks for cannot be read", e);
        }
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
