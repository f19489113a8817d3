package farm.gantry.api.job.slicing;

import farm.gantry.StoreId;
import farm.gantry.api.database.Change;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.file.FileReferenceRows;
import farm.gantry.api.file.FileStorage;
import farm.gantry.api.job.lifecycle.JobTransitions;
import farm.gantry.api.printer.readiness.PrinterReadiness;
import farm.gantry.api.queue.OutboxRelay;
import farm.gantry.api.queue.PendingStores;
import farm.gantry.api.queue.QueueNames;
import farm.gantry.api.queue.SliceResultHandler;
import farm.gantry.api.queue.SliceRows;
import farm.gantry.api.resource.Resources;
import farm.gantry.file.FileUri;
import farm.gantry.job.JobStatus;
import farm.gantry.job.PrintJob;
import farm.gantry.material.Assignment;
import farm.gantry.part.Part;
import farm.gantry.part.PartMetadata;
import farm.gantry.part.PartParameter;
import farm.gantry.part.SlicingEstimate;
import farm.gantry.store.StoreSettings;
import farm.gantry.wire.SliceResult;
import farm.gantry.wire.SliceRequest;
import jakarta.inject.Singleton;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The G-code that jobs of models need, asked of a worker for the printer that each was given to. A job keeps its printer
 * meanwhile. What is asked again is answered from what was sliced before, and an answer to an attempt that is over is
 * dropped.
 */
@Singleton
public final class JobSlicing implements SliceResultHandler {
    private static final Duration REQUEST_TIMEOUT = Duration.ofMinutes(15);
    private static final int MAX_LOG_BYTES = 1 << 20;

    private final Database database;
    private final Table<PrintJob> jobs;
    private final Table<StoreSettings> settings;
    private final SliceRows rows;
    private final FileReferenceRows references;
    private final SliceSetups setups;
    private final OutboxRelay relay;
    private final JobTransitions transitions;
    private final PrinterReadiness readiness;
    private final FileStorage files;
    private final PendingStores pending;

    JobSlicing(
            Database database,
            Tables tables,
            SliceRows rows,
            FileReferenceRows references,
            SliceSetups setups,
            OutboxRelay relay,
            JobTransitions transitions,
            PrinterReadiness readiness,
            FileStorage files,
            PendingStores pending) {
        this.database = database;
        this.jobs = tables.of(PrintJob.class);
        this.settings = tables.of(StoreSettings.class);
        this.rows = rows;
        this.references = references;
        this.setups = setups;
        this.relay = relay;
        this.transitions = transitions;
        this.readiness = readiness;
        this.files = files;
        this.pending = pending;
    }

    /**
     * Sends slice requests for the jobs that need one, on commit; none while the worker has no room to take them, or while files
     * are deleted that an answer may name, or settings change: the next round sends them.
     */
    public void request(Tx tx, StoreSettings store, Instant now) {
        List<String> due = rows.lockDueJobs(tx, now.minus(REQUEST_TIMEOUT));
        if (due.isEmpty() || files.isFull() || !references.tryLockShared(tx) || !rows.tryLockShared(tx)) {
            return;
        }
        Map<String, PrintJob> found = jobs.findAll(tx, due);
        Map<String, SliceSetups.PartSliceSetup> sliced = setups.findSetups(tx, store, found.values());
        for (String id : due) {
            PrintJob job = Objects.requireNonNull(found.get(id));
            SliceSetups.PartSliceSetup each = sliced.get(id);
            if (each == null) {
                transitions.apply(tx, job, JobStatus.Transition.UNASSIGN, new Change<>());
            } else {
                relay.send(tx, QueueNames.SLICE, request(tx, job, each));
                rows.recordRequest(tx, id, job.attempt(), setups.digest(each.setup()), now);
            }
        }
    }

    private static SliceRequest request(Tx tx, PrintJob job, SliceSetups.PartSliceSetup sliced) {
        Part part = sliced.part();
        return new SliceRequest(
                tx.store().value(),
                sliceId(job),
                part.id(),
                part.type(),
                part.fileUris(),
                part.fileHashes(),
                plateId(job, part),
                part.parameters().stream()
                        .map(parameter -> withOverride(parameter, job))
                        .toList(),
                sliced.setup(),
                choosesOneMaterial(job, part));
    }

    /** Returns whether the job's material assignments are the same for every filament of its part. */
    private static boolean choosesOneMaterial(PrintJob job, Part part) {
        Map<String, List<Assignment>> chosen = Objects.requireNonNullElse(job.materialAssignments(), Map.of());
        List<Part.PartMaterial> filaments = Objects.requireNonNullElse(part.materials(), List.of());
        return !chosen.isEmpty()
                && chosen.values().stream().distinct().count() == 1
                && filaments.stream()
                        .map(filament -> chosen.getOrDefault(String.valueOf(filament.index()), List.of()))
                        .noneMatch(List::isEmpty);
    }

    /** Null of a part without plates: {@code extensions} then name the only one of its G-code. */
    private static @Nullable Integer plateId(PrintJob job, Part part) {
        PartMetadata metadata = part.metadata();
        boolean hasPlates = metadata != null
                && metadata.plates() != null
                && !metadata.plates().isEmpty();
        return job.extensions() == null || !hasPlates
                ? null
                : job.extensions().threeMf().plateId();
    }

    private static PartParameter withOverride(PartParameter parameter, PrintJob job) {
        return job.parameterOverrides().stream()
                .filter(override -> override.name().equals(parameter.name()))
                .findFirst()
                .map(override -> parameter.withValue(override.value()))
                .orElse(parameter);
    }

    /** The id includes the attempt, so that late answers are recognised. */
    private static String sliceId(PrintJob job) {
        return job.id() + "-" + job.attempt();
    }

    private static String jobId(String sliceId) {
        return sliceId.replaceFirst("-.*", "");
    }

    private static boolean isAwaited(PrintJob job, String sliceId) {
        return job.status() == JobStatus.Slicing && sliceId(job).equals(sliceId);
    }

    @Override
    public boolean isWanted(StoreId store, SliceRequest request) {
        return database.in(store, tx -> rows.isWanted(tx, request.sliceId()));
    }

    @Override
    public void apply(StoreId store, SliceResult answer) {
        database.in(store, tx -> {
            String jobId = jobId(answer.sliceId());
            return jobs.lock(tx, jobId)
                    .filter(job -> isAwaited(job, answer.sliceId()))
                    .map(job -> {
                        rows.deleteRequest(tx, jobId);
                        tx.onceAfterCommit(PendingStores.class, () -> pending.add(store));
                        return answer.sliced() == null
                                ? failJob(
                                        tx,
                                        job,
                                        Objects.requireNonNullElse(answer.error(), "the worker gave no reason"))
                                : saveSlice(tx, job, answer.sliced());
                    });
        });
    }

    private PrintJob saveSlice(Tx tx, PrintJob job, SliceResult.Sliced sliced) {
        boolean asks = settings.find(tx, tx.store().value()).orElseThrow().requireApproval();
        Change<PrintJob> changes = new Change<>();
        changes.set(
                PrintJob::filesToPrint,
                List.of(new PrintJob.FileToPrint(sliced.gcodeUri(), sliced.sha256(), sliced.size(), gcodeFileName(job))));
        changes.set(PrintJob::slicedGcodeUri, sliced.gcodeUri());
        if (job.extensions() == null) {
            changes.set(PrintJob::extensions, new PrintJob.Extensions(new PrintJob.Plate(1, null, null)));
        }
        changes.set(PrintJob::slicerInputHash, sliced.inputHash());
        changes.set(PrintJob::isGcodeCached, sliced.cached());
        changes.set(PrintJob::estimatedSeconds, sliced.estimate().estimatedPrintTimeSeconds());
        changes.set(PrintJob::estimatedGrams, sliced.estimate().totalWeightGrams());
        changes.set(PrintJob::layerCount, sliced.estimate().layerCount());
        SlicingEstimate.FirstLayer firstLayer = sliced.estimate().firstLayer();
        changes.set(PrintJob::firstLayerBedTemperature, firstLayer == null ? null : firstLayer.bedTemperature());
        changes.set(PrintJob::firstLayerNozzleTemperature, firstLayer == null ? null : firstLayer.nozzleTemperature());
        changes.set(PrintJob::assignmentCompletedAt, Resources.now());
        if (sliced.warnings() != null) {
            changes.set(PrintJob::logsUri, storeLog(tx, job, String.join("\n", sliced.warnings())));
        }
        return transitions
                .apply(tx, job, JobStatus.Transition.SLICED, changes)
                .flatMap(each -> transitions.apply(tx, each, JobStatus.Transition.FINALIZE, new Change<>()))
                .flatMap(each -> transitions.apply(
                        tx, each, asks ? JobStatus.Transition.AWAIT_APPROVAL : JobStatus.Transition.MAKE_READY, new Change<>()))
                .orElseThrow();
    }

    private static String gcodeFileName(PrintJob job) {
        return job.partName() + ".gcode";
    }

    /** Fails the job; nothing was printed, so the bed is unchanged. */
    private PrintJob failJob(Tx tx, PrintJob job, String error) {
        if (job.assignedPrinterId() != null) {
            readiness.unassign(tx, job.assignedPrinterId(), job.id());
        }
        return transitions
                .apply(
                        tx,
                        job,
                        JobStatus.Transition.FAIL,
                        new Change<PrintJob>()
                                .set(
                                        PrintJob::errorMessage,
                                        error.lines().findFirst().orElse(error))
                                .set(PrintJob::logsUri, storeLog(tx, job, error))
                                .set(PrintJob::printingCompletedAt, Resources.now()))
                .orElseThrow();
    }

    private String storeLog(Tx tx, PrintJob job, String text) {
        FileUri uri = FileUri.file(
                tx.store().value(), job.partId(), "jobs/" + job.id() + "/slicing-" + job.attempt() + ".log");
        try {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            files.write(uri, new ByteArrayInputStream(bytes), MAX_LOG_BYTES);
            return uri.toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
