package farm.gantry.api.builds;

import farm.gantry.Id;
import farm.gantry.RecordBuilder;
import farm.gantry.api.database.Secrets;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.file.FileStorage;
import farm.gantry.api.file.JobRows;
import farm.gantry.api.file.StoredFile;
import farm.gantry.api.json.RawJson;
import farm.gantry.api.resource.Resources;
import farm.gantry.builds.BuildPlan;
import farm.gantry.builds.PartBuild;
import farm.gantry.builds.PartPlan;
import farm.gantry.builds.PlannedJob;
import farm.gantry.builds.PlatePlan;
import farm.gantry.builds.SerialBinding;
import farm.gantry.builds.SkuBuild;
import farm.gantry.builds.SkuBuildOptions;
import farm.gantry.file.FileUri;
import farm.gantry.job.JobStatus;
import farm.gantry.job.PrintJob;
import farm.gantry.part.Part;
import farm.gantry.part.PartParameter;
import farm.gantry.part.SlicingEstimate;
import farm.gantry.sequence.Draws;
import farm.gantry.sequence.Sequence;
import farm.gantry.sku.Sku;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Turns build plans into part builds, SKU builds and their jobs in the queue. */
@Singleton
final class BuildCreator {
    private final Table<SkuBuild> skuBuilds;
    private final Table<PartBuild> partBuilds;
    private final Table<PrintJob> jobs;
    private final Table<Sequence> sequences;
    private final JobRows jobRows;
    private final FileStorage files;

    BuildCreator(Tables tables, JobRows jobRows, FileStorage files) {
        this.skuBuilds = tables.of(SkuBuild.class);
        this.partBuilds = tables.of(PartBuild.class);
        this.jobs = tables.of(PrintJob.class);
        this.sequences = tables.of(Sequence.class);
        this.jobRows = jobRows;
        this.files = files;
    }

    /** Draws from the sequences that the plans are bound to; they are locked until the transaction ends. */
    Draws draws(Tx tx, List<BuildPlan> plans) {
        Set<String> bound = plans.stream()
                .flatMap(plan -> plan.parts().stream())
                .flatMap(part -> part.serials().stream())
                .map(SerialBinding::sequenceId)
                .collect(Collectors.toSet());
        return new Draws(sequences.lockAll(tx, bound).values());
    }

    RawJson<BuildAnswer> create(Tx tx, List<BuildPlan> plans) {
        Draws draws = draws(tx, plans);
        Instant now = Resources.now();
        List<SkuBuild> ofSkus = new ArrayList<>();
        List<PartBuild> ofParts = new ArrayList<>();
        JobQueue queue = new JobQueue(tx, plans);
        for (BuildPlan plan : plans) {
            String skuBuildId = plan.sku() == null ? null : Id.next();
            if (plan.sku() != null) {
                ofSkus.add(skuBuild(plan, plan.sku(), skuBuildId, now));
            }
            List<PartBuild> builds = plan.parts().stream()
                    .map(part -> partBuild(plan, part, skuBuildId, now))
                    .toList();
            ofParts.addAll(builds);
            plan.jobs(draws).forEach(job -> queue.add(plan, builds.get(job.part()), job));
        }
        RawJson<List<SkuBuild>> first = skuBuilds.insertAll(tx, ofSkus, Secrets.Visibility.HIDDEN);
        RawJson<List<PartBuild>> second = partBuilds.insertAll(tx, ofParts, Secrets.Visibility.HIDDEN);
        jobs.insertCopies(tx, queue.patterns(), JobRows.DRAWN);
        draws.next().forEach((id, next) -> sequences.change(tx, id, Map.of(), Map.of("next", next)));
        return second.within("{\"partBuilds\":", ",\"skuBuilds\":" + first.text() + "}");
    }

    private static <R extends Record> RecordBuilder<R> record(Class<R> type, String storeId, Instant now) {
        return RecordBuilder.of(type)
                .with("storeId", storeId)
                .with("createdAt", now)
                .with("updatedAt", now);
    }

    private static SkuBuild skuBuild(BuildPlan plan, Sku sku, @Nullable String id, Instant now) {
        SkuBuildOptions options = plan.options();
        return record(SkuBuild.class, sku.storeId(), now)
                .with("id", id)
                .with("skuId", sku.id())
                .with("skuName", sku.title())
                .with("orderId", plan.orderId())
                .with("orderItemId", plan.orderItemId())
                .with("quantity", options == null ? 0 : options.quantity())
                .with("priority", plan.priority())
                .with("parameters", options == null ? Map.of() : options.inputs())
                .with("status", plan.jobCount() == 0 ? PartBuild.Status.success : PartBuild.Status.queued)
                .with("completedAt", plan.jobCount() == 0 ? now : null)
                .with("dismissed", false)
                .build();
    }

    private PartBuild partBuild(BuildPlan plan, PartPlan planned, @Nullable String skuBuildId, Instant now) {
        Part part = planned.part();
        String id = Id.next();
        return record(PartBuild.class, part.storeId(), now)
                .with("id", id)
                .with("partId", part.id())
                .with("partName", part.name())
                .with("skuId", plan.sku() == null ? null : plan.sku().id())
                .with("skuBuildId", skuBuildId)
                .with(
                        "linkedPartId",
                        planned.linkedPart() == null
                                ? null
                                : planned.linkedPart().id())
                .with("orderId", plan.orderId())
                .with("orderItemId", plan.orderItemId())
                .with("label", planned.label())
                .with("quantity", planned.quantity())
                .with("priority", plan.priority())
                .with("parameters", withCopiedFiles(planned, id))
                .with("plateQuantities", planned.plateQuantities())
                .with("materials", planned.materials().isEmpty() ? null : planned.materials())
                .with("requiredPrinterTags", planned.tags())
                .with("partCopy", part)
                .with("status", planned.jobCount() == 0 ? PartBuild.Status.success : PartBuild.Status.queued)
                .with("completedAt", planned.jobCount() == 0 ? now : null)
                .with("dismissed", false)
                .build();
    }

    /**
     * The parameters with their files copied to the build: uploads expire, and the part may be deleted with its files.
     */
    private Map<String, Object> withCopiedFiles(PartPlan plan, String partBuildId) {
        Map<String, Object> values = new HashMap<>(plan.parameters());
        for (PartParameter parameter : plan.part().parameters()) {
            if (parameter.type() == PartParameter.Type.file && values.get(parameter.name()) instanceof String uri) {
                StoredFile copy = FileUri.parse(uri)
                        .flatMap(from -> files.copy(from, copied(plan, partBuildId, from)))
                        .orElseThrow(() -> gone(uri));
                values.put(parameter.name(), copy.uri().toString());
            }
        }
        return values;
    }

    private static FileUri copied(PartPlan plan, String partBuildId, FileUri from) {
        String name = "builds/" + partBuildId + "/" + Id.next() + "/" + from.fileName();
        return FileUri.file(plan.part().storeId(), plan.part().id(), name);
    }

    private static ProblemException gone(String uri) {
        return ProblemException.conflict("the file " + uri + " is gone");
    }

    private PrintJob.FileToPrint fileToPrint(String uri) {
        StoredFile file = FileUri.parse(uri).flatMap(files::find).orElseThrow(() -> gone(uri));
        return new PrintJob.FileToPrint(
                uri, file.sha256(), file.size(), file.uri().fileName());
    }

    /** The jobs of one request with their places in the queue. Jobs of one plate are copies of one pattern. */
    private final class JobQueue {
        private final Iterator<Long> places;
        private final Iterator<Long> frontPlaces;
        private final Iterator<String> ids;
        private final Map<String, PrintJob.FileToPrint> filesToPrint = new HashMap<>();
        private final IdentityHashMap<PlatePlan, Table.Copies<PrintJob>> ofPlates = new IdentityHashMap<>();
        private final List<Table.Copies<PrintJob>> patterns = new ArrayList<>();

        JobQueue(Tx tx, List<BuildPlan> plans) {
            int count = count(plans.stream());
            int front = count(plans.stream().filter(BuildPlan::front));
            this.places = jobRows.endOfQueue(tx, count - front).iterator();
            this.frontPlaces = jobRows.frontOfQueue(tx, front).iterator();
            this.ids = Id.inOrder(count).iterator();
        }

        private static int count(Stream<BuildPlan> plans) {
            return Math.toIntExact(plans.mapToLong(BuildPlan::jobCount).sum());
        }

        List<Table.Copies<PrintJob>> patterns() {
            return patterns;
        }

        /** Adds a job to the copies of its plate's pattern; a job with serial numbers has a pattern of its own. */
        void add(BuildPlan plan, PartBuild build, PlannedJob job) {
            Table.Copies<PrintJob> copies = job.serials().isEmpty()
                    ? ofPlates.computeIfAbsent(job.plate(), _ -> newPattern(plan, build, job))
                    : newPattern(plan, build, job);
            Map<String, @Nullable Object> own = new HashMap<>();
            own.put("id", ids.next());
            own.put("quantityIndex", job.quantityIndex());
            own.put("skuInstance", job.skuInstance());
            own.put("queueOrder", (plan.front() ? frontPlaces : places).next());
            copies.rows().add(own);
        }

        private Table.Copies<PrintJob> newPattern(BuildPlan plan, PartBuild build, PlannedJob job) {
            Table.Copies<PrintJob> copies = new Table.Copies<>(pattern(plan, build, job), new ArrayList<>());
            patterns.add(copies);
            return copies;
        }

        private PrintJob pattern(BuildPlan plan, PartBuild build, PlannedJob job) {
            PartPlan planned = plan.parts().get(job.part());
            PlatePlan plate = job.plate();
            PlatePlan.Estimate estimate = plate.estimate();
            SlicingEstimate.FirstLayer firstLayer = estimate.firstLayer();
            RecordBuilder<PrintJob> pattern = record(PrintJob.class, build.storeId(), build.createdAt())
                    .with("id", Id.next())
                    .with("partBuildId", build.id())
                    .with("quantityIndex", job.quantityIndex())
                    .with("quantityTotal", build.quantity())
                    .with("thumbnailUri", plate.thumbnailUri())
                    .with("partId", build.partId())
                    .with("partName", build.partName())
                    .with("skuId", build.skuId())
                    .with("skuName", plan.sku() == null ? null : plan.sku().title())
                    .with("parameterOverrides", overrides(build.parameters(), job.serials()))
                    .with("orderId", build.orderId())
                    .with("orderItemId", build.orderItemId())
                    .with("linkedPartId", build.linkedPartId())
                    .with("label", planned.label(plate))
                    .with("queueOrder", 0L)
                    .with("priority", build.priority())
                    .with("requiredPrinterTags", build.requiredPrinterTags())
                    .with("overriddenProcessProfileId", planned.part().overriddenProcessProfileId())
                    .with("taskId", 0)
                    .with("profileUris", List.of())
                    .with("status", JobStatus.Pending)
                    .with("hidden", false)
                    .with("extensions", extensions(plate))
                    .with("materialAssignments", planned.materials(plate))
                    .with("estimatedSeconds", estimate.seconds())
                    .with("estimatedGrams", estimate.grams())
                    .with("attempt", 1)
                    .with("retries", 0)
                    .with("allowInsufficientMaterial", false)
                    .with("failedPrinterIds", List.of())
                    .with("skippedObjects", List.of())
                    .with("layerCount", estimate.layerCount())
                    .with("firstLayerBedTemperature", firstLayer == null ? null : firstLayer.bedTemperature())
                    .with("firstLayerNozzleTemperature", firstLayer == null ? null : firstLayer.nozzleTemperature());
            String uri = plate.fileUri();
            if (uri == null) {
                return pattern.with("filesToPrint", List.of())
                        .with("isGcodeCached", false)
                        .build();
            }
            PrintJob.FileToPrint file = filesToPrint.computeIfAbsent(uri, BuildCreator.this::fileToPrint);
            return pattern.with("filesToPrint", List.of(file))
                    .with("slicerInputHash", file.sha256())
                    .with("isGcodeCached", true)
                    .with("slicedGcodeUri", file.uri())
                    .build();
        }

        private static List<PrintJob.ParameterOverride> overrides(
                Map<String, Object> parameters, Map<String, Object> serials) {
            return Stream.of(parameters, serials)
                    .flatMap(values -> values.entrySet().stream())
                    .map(each -> new PrintJob.ParameterOverride(each.getKey(), each.getValue()))
                    .toList();
        }

        /** A file of G-code is plate 1; a model gets its plate when it is sliced. */
        private static PrintJob.@Nullable Extensions extensions(PlatePlan plate) {
            Integer plateId = plate.plateId() == null && plate.fileUri() != null ? Integer.valueOf(1) : plate.plateId();
            return plateId == null
                    ? null
                    : new PrintJob.Extensions(new PrintJob.Plate(plateId, plate.gcodeFile(), plate.skipObjects()));
        }
    }
}
