package farm.gantry.api.builds;

import farm.gantry.Id;
import farm.gantry.RecordBuilder;
import farm.gantry.api.database.Change;
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
import farm.gantry.sequence.Sequence;
import farm.gantry.sequence.SerialNumberAllocator;
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

/** Stores build plans as part builds, SKU builds and queued jobs. */
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

    /** Returns an allocator for the sequences that the plans are bound to. They are locked until the transaction ends. */
    SerialNumberAllocator lockSequences(Tx tx, List<BuildPlan> plans) {
        Set<String> bound = plans.stream()
                .flatMap(plan -> plan.parts().stream())
                .flatMap(part -> part.serials().stream())
                .map(SerialBinding::sequenceId)
                .collect(Collectors.toSet());
        return new SerialNumberAllocator(sequences.lockAll(tx, bound).values());
    }

    CreatedBuilds create(Tx tx, List<BuildPlan> plans) {
        SerialNumberAllocator draws = lockSequences(tx, plans);
        Instant now = Resources.now();
        List<SkuBuild> ofSkus = new ArrayList<>();
        List<PartBuild> ofParts = new ArrayList<>();
        JobPatterns queue = new JobPatterns(tx, plans);
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
        jobs.insertCopies(tx, queue.patterns(), JobRows.SEQUENCE_COLUMNS);
        draws.nextNumbers()
                .forEach((id, next) -> sequences.change(tx, id, new Change<Sequence>().set(Sequence::next, next)));
        return new CreatedBuilds(second, first, queue.firstId());
    }

    private static SkuBuild skuBuild(BuildPlan plan, Sku sku, @Nullable String id, Instant now) {
        SkuBuildOptions options = plan.options();
        return RecordBuilder.of(SkuBuild.class)
                .with(SkuBuild::storeId, sku.storeId())
                .with(SkuBuild::createdAt, now)
                .with(SkuBuild::updatedAt, now)
                .with(SkuBuild::id, id)
                .with(SkuBuild::skuId, sku.id())
                .with(SkuBuild::skuName, sku.title())
                .with(SkuBuild::orderId, plan.orderId())
                .with(SkuBuild::orderItemId, plan.orderItemId())
                .with(SkuBuild::quantity, options == null ? 0 : options.quantity())
                .with(SkuBuild::priority, plan.priority())
                .with(SkuBuild::parameters, options == null ? Map.of() : options.inputs())
                .with(SkuBuild::status, plan.jobCount() == 0 ? PartBuild.Status.success : PartBuild.Status.queued)
                .with(SkuBuild::completedAt, plan.jobCount() == 0 ? now : null)
                .with(SkuBuild::dismissed, false)
                .build();
    }

    private PartBuild partBuild(BuildPlan plan, PartPlan planned, @Nullable String skuBuildId, Instant now) {
        Part part = planned.part();
        String id = Id.next();
        return RecordBuilder.of(PartBuild.class)
                .with(PartBuild::storeId, part.storeId())
                .with(PartBuild::createdAt, now)
                .with(PartBuild::updatedAt, now)
                .with(PartBuild::id, id)
                .with(PartBuild::partId, part.id())
                .with(PartBuild::partName, part.name())
                .with(PartBuild::skuId, plan.sku() == null ? null : plan.sku().id())
                .with(PartBuild::skuBuildId, skuBuildId)
                .with(
                        PartBuild::linkedPartId,
                        planned.linkedPart() == null
                                ? null
                                : planned.linkedPart().id())
                .with(PartBuild::orderId, plan.orderId())
                .with(PartBuild::orderItemId, plan.orderItemId())
                .with(PartBuild::label, planned.label())
                .with(PartBuild::quantity, planned.quantity())
                .with(PartBuild::priority, plan.priority())
                .with(PartBuild::parameters, withCopiedFiles(planned, id))
                .with(PartBuild::plateQuantities, planned.plateQuantities())
                .with(PartBuild::materials, planned.materials().isEmpty() ? null : planned.materials())
                .with(PartBuild::requiredPrinterTags, planned.tags())
                .with(PartBuild::partCopy, part)
                .with(PartBuild::status, planned.jobCount() == 0 ? PartBuild.Status.success : PartBuild.Status.queued)
                .with(PartBuild::completedAt, planned.jobCount() == 0 ? now : null)
                .with(PartBuild::dismissed, false)
                .build();
    }

    /** Returns the parameters with their files copied to the build, because uploads expire and the part may be deleted. */
    private Map<String, Object> withCopiedFiles(PartPlan plan, String partBuildId) {
        Map<String, Object> values = new HashMap<>(plan.parameters());
        for (PartParameter parameter : plan.part().parameters()) {
            if (parameter.type() == PartParameter.Type.file && values.get(parameter.name()) instanceof String uri) {
                StoredFile copy = FileUri.parse(uri)
                        .flatMap(from -> files.copy(from, copiedFileUri(plan, partBuildId, from)))
                        .orElseThrow(() -> fileNotFound(uri));
                values.put(parameter.name(), copy.uri().toString());
            }
        }
        return values;
    }

    private static FileUri copiedFileUri(PartPlan plan, String partBuildId, FileUri from) {
        String name = "builds/" + partBuildId + "/" + Id.next() + "/" + from.fileName();
        return FileUri.file(plan.part().storeId(), plan.part().id(), name);
    }

    private static ProblemException fileNotFound(String uri) {
        return ProblemException.conflict("the file " + uri + " no longer exists; upload it again");
    }

    private PrintJob.FileToPrint fileToPrint(String uri) {
        StoredFile file = FileUri.parse(uri).flatMap(files::find).orElseThrow(() -> fileNotFound(uri));
        return new PrintJob.FileToPrint(
                uri, file.sha256(), file.size(), file.uri().fileName());
    }

    /** Collects the jobs of one request with their queue positions. Equal jobs of a plate are stored as copies of one pattern. */
    private final class JobPatterns {
        private final Iterator<Long> places;
        private final Iterator<Long> frontPlaces;
        private final Iterator<String> ids;
        private final @Nullable String firstId;
        private final Map<String, PrintJob.FileToPrint> filesToPrint = new HashMap<>();
        private final IdentityHashMap<PlatePlan, Table.RowCopies<PrintJob>> ofPlates = new IdentityHashMap<>();
        private final List<Table.RowCopies<PrintJob>> patterns = new ArrayList<>();

        JobPatterns(Tx tx, List<BuildPlan> plans) {
            int count = count(plans.stream());
            int front = count(plans.stream().filter(BuildPlan::front));
            this.places = jobRows.endOfQueue(tx, count - front).iterator();
            this.frontPlaces = jobRows.frontOfQueue(tx, front).iterator();
            List<String> inOrder = Id.generateAscending(count);
            this.ids = inOrder.iterator();
            this.firstId = inOrder.isEmpty() ? null : inOrder.getFirst();
        }

        @Nullable
        String firstId() {
            return firstId;
        }

        private static int count(Stream<BuildPlan> plans) {
            return Math.toIntExact(plans.mapToLong(BuildPlan::jobCount).sum());
        }

        List<Table.RowCopies<PrintJob>> patterns() {
            return patterns;
        }

        /** Adds a job to the copies of its plate's pattern; a job with serial numbers has a pattern of its own. */
        void add(BuildPlan plan, PartBuild build, PlannedJob job) {
            Table.RowCopies<PrintJob> copies = job.serials().isEmpty()
                    ? ofPlates.computeIfAbsent(job.plate(), _ -> newPattern(plan, build, job))
                    : newPattern(plan, build, job);
            copies.rows()
                    .add(new Change<PrintJob>()
                            .set(PrintJob::id, ids.next())
                            .set(PrintJob::quantityIndex, job.quantityIndex())
                            .setColumn("skuInstance", job.skuInstance())
                            .set(PrintJob::queueOrder, (plan.front() ? frontPlaces : places).next()));
        }

        private Table.RowCopies<PrintJob> newPattern(BuildPlan plan, PartBuild build, PlannedJob job) {
            Table.RowCopies<PrintJob> copies = new Table.RowCopies<>(pattern(plan, build, job), new ArrayList<>());
            patterns.add(copies);
            return copies;
        }

        private PrintJob pattern(BuildPlan plan, PartBuild build, PlannedJob job) {
            PartPlan planned = plan.parts().get(job.part());
            PlatePlan plate = job.plate();
            PlatePlan.Estimate estimate = plate.estimate();
            SlicingEstimate.FirstLayer firstLayer = estimate.firstLayer();
            RecordBuilder<PrintJob> pattern = RecordBuilder.of(PrintJob.class)
                    .with(PrintJob::storeId, build.storeId())
                    .with(PrintJob::createdAt, build.createdAt())
                    .with(PrintJob::updatedAt, build.createdAt())
                    .with(PrintJob::id, Id.next())
                    .with(PrintJob::partBuildId, build.id())
                    .with(PrintJob::quantityIndex, job.quantityIndex())
                    .with(PrintJob::quantityTotal, build.quantity())
                    .with(PrintJob::thumbnailUri, plate.thumbnailUri())
                    .with(PrintJob::partId, build.partId())
                    .with(PrintJob::partName, build.partName())
                    .with(PrintJob::skuId, build.skuId())
                    .with(
                            PrintJob::skuName,
                            plan.sku() == null ? null : plan.sku().title())
                    .with(PrintJob::parameterOverrides, overrides(build.parameters(), job.serials()))
                    .with(PrintJob::orderId, build.orderId())
                    .with(PrintJob::orderItemId, build.orderItemId())
                    .with(PrintJob::linkedPartId, build.linkedPartId())
                    .with(PrintJob::label, planned.label(plate))
                    .with(PrintJob::queueOrder, 0L)
                    .with(PrintJob::priority, build.priority())
                    .with(PrintJob::requiredPrinterTags, build.requiredPrinterTags())
                    .with(PrintJob::overriddenProcessProfileId, planned.part().overriddenProcessProfileId())
                    .with(PrintJob::taskId, 0)
                    .with(PrintJob::profileUris, List.of())
                    .with(PrintJob::status, JobStatus.Pending)
                    .with(PrintJob::hidden, false)
                    .with(PrintJob::extensions, extensions(plate))
                    .with(PrintJob::materialAssignments, planned.materials(plate))
                    .with(PrintJob::estimatedSeconds, estimate.seconds())
                    .with(PrintJob::estimatedGrams, estimate.grams())
                    .with(PrintJob::attempt, 1)
                    .with(PrintJob::retries, 0)
                    .with(PrintJob::allowInsufficientMaterial, false)
                    .with(PrintJob::failedPrinterIds, List.of())
                    .with(PrintJob::skippedObjects, List.of())
                    .with(PrintJob::layerCount, estimate.layerCount())
                    .with(PrintJob::firstLayerBedTemperature, firstLayer == null ? null : firstLayer.bedTemperature())
                    .with(
                            PrintJob::firstLayerNozzleTemperature,
                            firstLayer == null ? null : firstLayer.nozzleTemperature());
            String uri = plate.fileUri();
            if (uri == null) {
                return pattern.with(PrintJob::filesToPrint, List.of())
                        .with(PrintJob::isGcodeCached, false)
                        .build();
            }
            PrintJob.FileToPrint file = filesToPrint.computeIfAbsent(uri, BuildCreator.this::fileToPrint);
            return pattern.with(PrintJob::filesToPrint, List.of(file))
                    .with(PrintJob::slicerInputHash, file.sha256())
                    .with(PrintJob::isGcodeCached, true)
                    .with(PrintJob::slicedGcodeUri, file.uri())
                    .build();
        }

        private static List<PrintJob.ParameterOverride> overrides(
                Map<String, Object> parameters, Map<String, Object> serials) {
            return Stream.of(parameters, serials)
                    .flatMap(values -> values.entrySet().stream())
                    .map(each -> new PrintJob.ParameterOverride(each.getKey(), each.getValue()))
                    .toList();
        }

        /** Returns the plate of the job; a G-code file is plate 1, a model gets its plate when it is sliced. */
        private static PrintJob.@Nullable Extensions extensions(PlatePlan plate) {
            Integer plateId = plate.plateId() == null && plate.fileUri() != null ? Integer.valueOf(1) : plate.plateId();
            return plateId == null
                    ? null
                    : new PrintJob.Extensions(new PrintJob.Plate(plateId, plate.gcodeFile(), plate.skipObjects()));
        }
    }
}
