package farm.gantry.api.part;

import farm.gantry.Field;
import farm.gantry.Id;
import farm.gantry.StoreId;
import farm.gantry.api.cost.SkuCostRows;
import farm.gantry.api.database.Change;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.file.FileCleanup;
import farm.gantry.api.file.FileReferenceRows;
import farm.gantry.api.file.FileStorage;
import farm.gantry.api.file.StoredFile;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.json.StorableText;
import farm.gantry.api.queue.IngestLane;
import farm.gantry.api.queue.IngestReportHandler;
import farm.gantry.api.queue.OutboxRelay;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.webhook.Webhooks;
import farm.gantry.file.FileUri;
import farm.gantry.notification.EventName;
import farm.gantry.part.Part;
import farm.gantry.part.PartParameter;
import farm.gantry.part.Processing;
import farm.gantry.wire.IngestRequest;
import farm.gantry.wire.SliceSetup;
import farm.gantry.wire.StageReport;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Manages the ingest of parts: sends the request with the part's row and applies the worker's reports. Only this class drops reports of
 * runs that no longer own the part.
 */
@Singleton
public final class PartIngest implements IngestReportHandler {
    private final Database database;
    private final Table<Part> parts;
    private final EstimateSetupSelector estimates;
    private final OutboxRelay relay;
    private final Webhooks webhooks;
    private final SkuCostRows costs;
    private final FileCleanup cleanup;
    private final FileReferenceRows references;
    private final FileStorage files;
    private final RecordReader reader;
    private final List<ProcessedPartListener> listeners;

    PartIngest(
            Database database,
            Tables tables,
            EstimateSetupSelector estimates,
            OutboxRelay relay,
            Webhooks webhooks,
            SkuCostRows costs,
            FileCleanup cleanup,
            FileReferenceRows references,
            FileStorage files,
            RecordReader reader,
            List<ProcessedPartListener> listeners) {
        this.database = database;
        this.parts = tables.of(Part.class);
        this.estimates = estimates;
        this.relay = relay;
        this.webhooks = webhooks;
        this.costs = costs;
        this.cleanup = cleanup;
        this.references = references;
        this.files = files;
        this.reader = reader;
        this.listeners = listeners;
    }

    /** Returns the state of a run that is about to start on the part's files; {@code acceptIncomplete} stays set for the same file. */
    static Processing startProcessing(List<String> fileHashes, @Nullable Processing before, boolean acceptIncomplete) {
        String fileHash = fileHashes.getFirst();
        int attempt = before == null ? 1 : before.attempt() + 1;
        boolean accepted = before != null
                && Boolean.TRUE.equals(before.acceptIncomplete())
                && before.fileHash().equals(fileHash);
        return Processing.start(Id.next(), fileHash, attempt, Resources.now(), acceptIncomplete || accepted);
    }

    /** Requests the run that now owns the part; the request is sent when the transaction commits. */
    void request(Tx tx, Part part) {
        Processing run = Objects.requireNonNull(part.processing());
        List<SliceSetup> setups = estimates.select(tx, part);
        relay.send(
                tx,
                IngestLane.of(part.type(), bytes(part)).queue(),
                new IngestRequest(
                        part.storeId(),
                        part.id(),
                        run.workflowKey(),
                        run.attempt(),
                        part.type(),
                        part.fileUris(),
                        part.fileHashes(),
                        part.parameters(),
                        setups.getFirst(),
                        Boolean.TRUE.equals(run.acceptIncomplete()),
                        setups.subList(1, setups.size())));
    }

    /** Returns the total size of the part's files; a missing file counts as 0. */
    private long bytes(Part part) {
        return part.fileUris().stream()
                .flatMap(uri -> FileUri.parse(uri).flatMap(files::find).stream())
                .mapToLong(StoredFile::size)
                .sum();
    }

    /** Applies the reports of a run, unless it has ended or another run owns the part. */
    @Override
    public void apply(List<StageReport> reports) {
        StageReport first = reports.getFirst();
        database.in(new StoreId(first.storeId()), tx -> {
            // Before the part, as Tx requires: a listener may queue a print of the part's files.
            references.lockShared(tx);
            Optional<Part> owned = parts.lock(tx, first.partId()).filter(part -> isOf(first.workflowKey(), part));
            owned.ifPresent(part -> apply(tx, part, reports));
            return owned;
        });
    }

    private void apply(Tx tx, Part part, List<StageReport> reports) {
        Processing after = Objects.requireNonNull(part.processing());
        Change<Part> changes = new Change<>();
        for (StageReport report : reports) {
            StageReport.Findings found = report.findings();
            after = after.afterStage(report.stage(), found == null ? null : found.warnings(), Resources.now());
            putFound(changes, part, found);
        }
        changes.set(Part::processing, after);
        changes.set(Part::processingStatus, status(after));
        change(tx, part.id(), changes);
        if (changes.sets(Part::slicingEstimate)) {
            costs.refreshOfParts(tx, List.of(part.id()));
        }
        if (after.finishedAt() != null) {
            cleanup.cleanUpAfterCommit(tx, part.id());
            boolean isReady = after.failedStage() == null;
            List<String> warnings = listeners.stream()
                    .map(listener -> isReady
                            ? listener.onReady(tx, part.id(), part.fileHashes())
                            : listener.onFailed(tx, part.id()))
                    .flatMap(List::stream)
                    .toList();
            if (!warnings.isEmpty()) {
                change(tx, part.id(), new Change<Part>().set(Part::processing, after.withWarnings(warnings)));
            }
            webhooks.emitPart(
                    tx,
                    isReady ? EventName.onPartProcessed : EventName.onPartProcessingFailed,
                    part.id(),
                    warnings.isEmpty() ? Map.of() : Map.of("reason", String.join(" ", warnings)));
        }
    }

    private void change(Tx tx, String partId, Change<Part> changes) {
        changes.convert(value -> StorableText.sanitize(reader.toTree(value)));
        parts.change(tx, partId, changes);
    }

    /** Returns whether the run owns the part and has not ended; a worker that was considered dead may repeat a finished run. */
    private static boolean isOf(String workflowKey, Part part) {
        Processing run = part.processing();
        return run != null && run.workflowKey().equals(workflowKey) && run.finishedAt() == null;
    }

    /** Returns the parameters that were found, with values that were set since the run began. */
    private static @Nullable List<PartParameter> withValues(Part part, @Nullable List<PartParameter> found) {
        if (found == null) {
            return null;
        }
        Map<String, PartParameter> set = new LinkedHashMap<>();
        part.parameters().forEach(parameter -> set.putIfAbsent(parameter.name(), parameter));
        List<PartParameter> parameters = new ArrayList<>();
        for (PartParameter parameter : found) {
            PartParameter now = set.remove(parameter.name());
            parameters.add(
                    now == null || now.type() != parameter.type() ? parameter : parameter.withValue(now.value()));
        }
        parameters.addAll(set.values());
        return parameters;
    }

    private static void putFound(Change<Part> changes, Part part, StageReport.@Nullable Findings found) {
        if (found != null) {
            putIfFound(changes, Part::type, found.type());
            putIfFound(changes, Part::metadata, found.metadata());
            putIfFound(changes, Part::materials, found.materials());
            putIfFound(changes, Part::parameters, withValues(part, found.parameters()));
            if (found.mesh() != null) {
                changes.set(Part::meshUri, found.mesh().uri());
                changes.set(Part::meshSourceHash, found.mesh().sourceHash());
                changes.set(Part::meshError, found.mesh().error());
            }
            putIfFound(changes, Part::size, found.size());
            putIfFound(changes, Part::toolpath, found.toolpath());
            putIfFound(changes, Part::thumbnailUri, found.thumbnailUri());
            putIfFound(changes, Part::gcodePlateUris, found.gcodePlateUris());
            putIfFound(changes, Part::slicingEstimate, found.slicingEstimate());
        }
    }

    private static Part.@Nullable ProcessingStatus status(Processing processing) {
        if (processing.failedStage() != null) {
            return Part.ProcessingStatus.failed;
        }
        return processing.finishedAt() == null ? Part.ProcessingStatus.processing : null;
    }

    private static void putIfFound(Change<Part> changes, Field<Part> field, @Nullable Object value) {
        if (value != null) {
            changes.set(field, value);
        }
    }

    @Override
    public boolean isWanted(IngestRequest request) {
        return database.in(
                new StoreId(request.storeId()),
                tx -> parts.find(tx, request.partId())
                        .filter(part -> isOf(request.workflowKey(), part))
                        .isPresent());
    }
}
