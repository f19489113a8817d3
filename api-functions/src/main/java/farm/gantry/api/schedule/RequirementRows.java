package farm.gantry.api.schedule;

import farm.gantry.api.database.Tx;
import farm.gantry.api.json.JsonCodec;
import farm.gantry.material.Assignment;
import farm.gantry.part.Part;
import farm.gantry.part.PartMetadata;
import farm.gantry.part.PrintTags;
import farm.gantry.part.Toolpath;
import farm.gantry.printer.BedSize;
import farm.gantry.schedule.FilamentNeed;
import farm.gantry.schedule.Requirement;
import io.micronaut.core.type.Argument;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads what jobs ask of a printer. What the file of a build says is read once, not with each of its jobs. */
@Singleton
final class RequirementRows {
    private static final String JOBS = """
            select j.id, j.attempt, j."partBuildId", j."requiredPrinterTags"::text as tags,
              j."materialAssignments"::text as materials, j.extensions #>> '{3mf,plateId}' as plate,
              j."filesToPrint"::text = '[]' as "isWithoutFile", j."parameterOverrides"::text = '[]' as "isAsBuilt",
              j."estimatedGrams", j."allowInsufficientMaterial", j."estimatedSeconds", j."overriddenProcessProfileId", j.priority,
              j.retries, j."orderItemId" is not null as "isOfOrder", j."failedPrinterIds"::text as "failedOn",
              coalesce(j."partId" = any (array(
                select p.id from farm.part p where p."storeId" = ? and p."heldAt" is not null)), false) as "isPartHeld"
            from farm."printJob" j where j."storeId" = ?""";
    private static final String FILES = """
            select id, "fileFilaments"::text as filaments, "fileNozzleDiameter" as nozzle,
              "fileType" not in ('gcode', 'gcode3mf') as "isModel", "bringsProcess", "fileSize"::text as size,
              "fileModel" as model, "fileCompat"::text as compat, "fileType" = 'gcode3mf' as "isArchive",
              "filamentGrams"::text as grams, "fileToolpath"::text as toolpath
            from farm."partBuild" where "storeId" = ? and id = any(?)""";

    private final JsonCodec json;

    RequirementRows(JsonCodec json) {
        this.json = json;
    }

    /** Makes something of each job; {@code which} ends a query of the jobs j. */
    <T> List<T> read(Tx tx, BiFunction<JobRow, Requirement, T> made, String which, Object... parameters) {
        return all(tx, made, tx.list(JOBS + which, RequirementRows::job, parameters(tx, parameters)), new HashMap<>());
    }

    /** Reads the first {@code first} jobs page by page, as long as {@code next} wants more. */
    <T> void readPages(
            Tx tx,
            BiFunction<JobRow, Requirement, T> made,
            int first,
            Predicate<List<T>> next,
            String which,
            Object... parameters) {
        Map<RequirementKey, Requirement> known = new HashMap<>();
        tx.pages(
                JOBS + which,
                RequirementRows::job,
                first,
                jobs -> next.test(all(tx, made, jobs, known)),
                parameters(tx, parameters));
    }

    private static Object[] parameters(Tx tx, Object... further) {
        String store = tx.store().value();
        return Stream.concat(Stream.of(store, store), Arrays.stream(further)).toArray();
    }

    /** Equal requirements are one object, for those of ten thousand jobs are few. */
    private <T> List<T> all(
            Tx tx,
            BiFunction<JobRow, Requirement, T> made,
            List<JobRow> jobs,
            Map<RequirementKey, Requirement> known) {
        Map<String, FileConstraints> files = tx.map(
                FILES,
                RequirementRows::file,
                tx.store().value(),
                jobs.stream().map(JobRow::partBuildId).distinct().toArray(String[]::new));
        List<T> all = new ArrayList<>();
        for (JobRow job : jobs) {
            FileConstraints file = files.get(job.partBuildId());
            if (file != null) {
                all.add(made.apply(
                        job, known.computeIfAbsent(new RequirementKey(job.requested(), file), this::requirement)));
            }
        }
        return all;
    }

    /** A job, and what it asks for beside what its file says. */
    record JobRow(
            String id,
            int attempt,
            String partBuildId,
            JobConstraints requested,
            long estimatedSeconds,
            @Nullable String processProfileId,
            int priority,
            int retries,
            boolean isOfOrder) {}

    /** A requirement as stored. */
    private record RequirementKey(JobConstraints job, FileConstraints file) {}

    private record JobConstraints(
            String tags,
            @Nullable String materials,
            @Nullable String plate,
            boolean isWithoutFile,
            boolean isAsBuilt,
            boolean hasProcess,
            @Nullable Double estimatedGrams,
            boolean mayLack,
            String failedOn,
            boolean isPartHeld) {}

    private record FileConstraints(
            @Nullable String filaments,
            @Nullable String nozzle,
            boolean isModel,
            boolean bringsProcess,
            @Nullable String size,
            @Nullable String model,
            @Nullable String compat,
            boolean isArchive,
            @Nullable String grams,
            @Nullable String toolpath) {}

    private static JobRow job(ResultSet rows) throws SQLException {
        String process = rows.getString("overriddenProcessProfileId");
        return new JobRow(
                rows.getString("id"),
                rows.getInt("attempt"),
                rows.getString("partBuildId"),
                new JobConstraints(
                        rows.getString("tags"),
                        rows.getString("materials"),
                        rows.getString("plate"),
                        rows.getBoolean("isWithoutFile"),
                        rows.getBoolean("isAsBuilt"),
                        process != null,
                        rows.getObject("estimatedGrams", Double.class),
                        rows.getBoolean("allowInsufficientMaterial"),
                        rows.getString("failedOn"),
                        rows.getBoolean("isPartHeld")),
                rows.getLong("estimatedSeconds"),
                process,
                rows.getInt("priority"),
                rows.getInt("retries"),
                rows.getBoolean("isOfOrder"));
    }

    private static FileConstraints file(ResultSet rows) throws SQLException {
        return new FileConstraints(
                rows.getString("filaments"),
                rows.getString("nozzle"),
                rows.getBoolean("isModel"),
                rows.getBoolean("bringsProcess"),
                rows.getString("size"),
                rows.getString("model"),
                rows.getString("compat"),
                rows.getBoolean("isArchive"),
                rows.getString("grams"),
                rows.getString("toolpath"));
    }

    private Requirement requirement(RequirementKey key) {
        JobConstraints job = key.job();
        FileConstraints file = key.file();
        boolean needsSlicing = file.isModel() || job.isWithoutFile();
        return new Requirement(
                json.read(job.tags(), Argument.of(PrintTags.class)),
                byIndex(
                        job.materials() == null
                                ? Map.of()
                                : json.read(
                                        job.materials(),
                                        Argument.mapOf(Argument.STRING, Argument.listOf(Assignment.class)))),
                file.filaments() == null
                        ? List.of()
                        : json.read(file.filaments(), Argument.listOf(Part.PartMaterial.class)),
                needsSlicing,
                job.hasProcess() || file.bringsProcess(),
                needsSlicing ? null : fileTarget(file),
                job.isAsBuilt() && file.size() != null ? json.read(file.size(), Argument.of(BedSize.class)) : null,
                needsSlicing || file.toolpath() == null
                        ? null
                        : json.read(file.toolpath(), Argument.of(Toolpath.class)),
                new FilamentNeed(byIndex(grams(file, job.plate())), job.estimatedGrams(), job.mayLack()),
                json.read(job.failedOn(), Argument.listOf(String.class)),
                job.isPartHeld());
    }

    /** Returns the grams by filament index, of the plate or, when it has none, of the whole file. */
    private Map<String, Double> grams(FileConstraints file, @Nullable String plate) {
        if (file.grams() == null) {
            return Map.of();
        }
        Map<String, Map<String, Double>> byPlate =
                json.read(file.grams(), Argument.mapOf(Argument.STRING, Argument.mapOf(String.class, Double.class)));
        Map<String, Double> whole = byPlate.getOrDefault("", Map.of());
        return plate == null ? whole : byPlate.getOrDefault(plate, whole);
    }

    private static <V> SortedMap<Integer, V> byIndex(Map<String, V> named) {
        SortedMap<Integer, V> values = new TreeMap<>();
        named.forEach((index, value) -> values.put(Integer.valueOf(index), value));
        return values;
    }

    private Requirement.FileTarget fileTarget(FileConstraints file) {
        return Requirement.FileTarget.of(
                file.model(),
                file.compat() == null ? null : json.read(file.compat(), Argument.of(PartMetadata.ProfileCompat.class)),
                file.nozzle(),
                file.isArchive());
    }
}
