package farm.gantry.api.part;

import farm.gantry.Id;
import farm.gantry.StoreId;
import farm.gantry.api.deliver.Webhooks;
import farm.gantry.api.queue.CrashPoint;
import farm.gantry.api.queue.Loop;
import farm.gantry.api.queue.Signal;
import farm.gantry.api.store.Costs;
import farm.gantry.api.store.Database;
import farm.gantry.api.store.Outbox;
import farm.gantry.api.store.QueueMessages;
import farm.gantry.api.store.Resources;
import farm.gantry.api.store.Table;
import farm.gantry.api.store.Tables;
import farm.gantry.api.store.Tx;
import farm.gantry.ingest.Worker;
import farm.gantry.notification.EventName;
import farm.gantry.part.Part;
import farm.gantry.part.Processing;
import farm.gantry.profile.Profile;
import farm.gantry.wire.IngestRequest;
import farm.gantry.wire.SliceSetup;
import farm.gantry.wire.StageReport;
import io.micronaut.core.type.Argument;
import io.micronaut.serde.ObjectMapper;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ingest of parts, from the request that leaves with the part's row to the reports that change it. Reports of a run
 * that no longer owns the part are dropped here, and nowhere else.
 */
@Singleton
public final class Ingest {
    private static final Logger LOG = LoggerFactory.getLogger(Ingest.class);
    private static final String QUEUE = "ingest";
    private static final Duration LEASE = Duration.ofMinutes(2);
    private static final Duration LEASE_RENEWED_EVERY = Duration.ofSeconds(30);
    private static final int MOST_RECEIVES = 5;
    private static final Duration SWEEP = Duration.ofSeconds(5);

    private final Database database;
    private final Table<Part> parts;
    private final Table<Profile> profiles;
    private final Outbox outbox;
    private final QueueMessages messages;
    private final ObjectMapper mapper;
    private final Webhooks webhooks;
    private final Costs costs;
    private final Signal requested = new Signal();

    Ingest(
            Database database,
            Tables tables,
            Outbox outbox,
            QueueMessages messages,
            ObjectMapper mapper,
            Webhooks webhooks,
            Costs costs) {
        this.database = database;
        this.parts = tables.of(Part.class);
        this.profiles = tables.of(Profile.class);
        this.outbox = outbox;
        this.messages = messages;
        this.mapper = mapper;
        this.webhooks = webhooks;
        this.costs = costs;
    }

    /** The state of a run that is about to begin on the part's present files. */
    static Processing begun(List<String> fileHashes, @Nullable Processing before) {
        int attempt = before == null ? 1 : before.attempt() + 1;
        return Processing.begun(Id.next(), fileHashes.getFirst(), attempt, Resources.now());
    }

    /** Asks for the run that owns the part now; the request leaves with the transaction. */
    void request(Tx tx, Part part) {
        Processing run = Objects.requireNonNull(part.processing());
        outbox.add(
                tx,
                QUEUE,
                json(new IngestRequest(
                        part.storeId(),
                        part.id(),
                        run.workflowKey(),
                        run.attempt(),
                        part.type(),
                        part.fileUris(),
                        part.fileHashes(),
                        part.parameters(),
                        setup(tx, part))));
    }

    /** An estimate knows no printer yet: only the part's own process counts. */
    private SliceSetup setup(Tx tx, Part part) {
        SliceSetup.Profile process = Optional.ofNullable(part.overriddenProcessProfileId())
                .flatMap(id -> profiles.find(tx, id))
                .map(own -> new SliceSetup.Profile(own.id(), own.name(), own.inherits(), own.data()))
                .orElse(null);
        return new SliceSetup(
                null, process, null, List.of(), part.use3MFProcessProfile(), part.arrangeable(), part.slicerOverride());
    }

    /** Says that a request has left, so that nobody waits for the next sweep. */
    void requested() {
        requested.give();
    }

    /** Applies a report, unless another run owns the part by now. */
    public void apply(StageReport report) {
        database.in(new StoreId(report.storeId()), tx -> {
            Optional<Part> owned = parts.lock(tx, report.partId()).filter(part -> owns(part, report.workflowKey()));
            owned.ifPresent(part -> apply(tx, part, report));
            return owned;
        });
    }

    private void apply(Tx tx, Part part, StageReport report) {
        Processing after = Objects.requireNonNull(part.processing()).after(report.stage(), Resources.now());
        parts.change(tx, part.id(), Map.of(), changes(after, report));
        if (report.findings() != null && report.findings().slicingEstimate() != null) {
            costs.refreshOfParts(tx, List.of(part.id()));
        }
        if (after.finishedAt() != null) {
            webhooks.emitPart(
                    tx,
                    after.failedStage() == null ? EventName.onPartProcessed : EventName.onPartProcessingFailed,
                    part.id());
        }
    }

    private static boolean owns(Part part, String workflowKey) {
        return part.processing() != null && part.processing().workflowKey().equals(workflowKey);
    }

    private static Map<String, @Nullable Object> changes(Processing after, StageReport report) {
        Map<String, @Nullable Object> changes = new HashMap<>();
        changes.put("processing", after);
        changes.put("processingStatus", status(after));
        StageReport.Findings found = report.findings();
        if (found != null) {
            putIfFound(changes, "type", found.type());
            putIfFound(changes, "metadata", found.metadata());
            putIfFound(changes, "materials", found.materials());
            putIfFound(changes, "parameters", found.parameters());
            if (found.mesh() != null) {
                changes.put("meshUri", found.mesh().uri());
                changes.put("meshSourceHash", found.mesh().sourceHash());
                changes.put("meshError", found.mesh().error());
            }
            putIfFound(changes, "thumbnailUri", found.thumbnailUri());
            putIfFound(changes, "gcodePlateUris", found.gcodePlateUris());
            putIfFound(changes, "slicingEstimate", found.slicingEstimate());
        }
        return changes;
    }

    private static Part.@Nullable ProcessingStatus status(Processing processing) {
        if (processing.failedStage() != null) {
            return Part.ProcessingStatus.failed;
        }
        return processing.finishedAt() == null ? Part.ProcessingStatus.processing : null;
    }

    private static void putIfFound(Map<String, @Nullable Object> changes, String field, @Nullable Object value) {
        if (value != null) {
            changes.put(field, value);
        }
    }

    /** Runs the worker in this process: what a killed one had taken is taken again at once. */
    public List<Loop> start(Worker worker) {
        messages.showAll(QUEUE);
        Signal queued = new Signal();
        return List.of(
                Loop.start("outbox", requested, SWEEP, () -> {
                    if (outbox.relay() > 0) {
                        CrashPoint.RELAYED.reached();
                    }
                    queued.give();
                }),
                Loop.start("ingest", queued, SWEEP, () -> work(worker)));
    }

    private void work(Worker worker) {
        for (Optional<QueueMessages.Taken> message = take(); message.isPresent(); message = take()) {
            QueueMessages.Taken taken = message.get();
            IngestRequest request = request(taken);
            if (isWanted(request)) {
                if (taken.receives() > MOST_RECEIVES) {
                    apply(givenUp(request));
                } else {
                    run(worker, request, taken);
                }
            }
            messages.remove(taken.id());
        }
    }

    private Optional<QueueMessages.Taken> take() {
        return messages.take(QUEUE, LEASE);
    }

    private void run(Worker worker, IngestRequest request, QueueMessages.Taken taken) {
        Signal never = new Signal();
        try (Loop lease = Loop.start("lease", never, LEASE_RENEWED_EVERY, () -> messages.hide(taken.id(), LEASE))) {
            LOG.debug("ingest of part {} under {}", request.partId(), lease);
            worker.ingest(request, this::heard);
        }
    }

    private void heard(StageReport report) {
        apply(report);
        if (report.stage().status() == Processing.StageStatus.running) {
            CrashPoint.valueOf(report.stage().key().name().toUpperCase(Locale.ROOT))
                    .reached();
        }
    }

    /** A message may come twice, and a file be replaced meanwhile: only an unfinished run that owns its part counts. */
    private boolean isWanted(IngestRequest request) {
        return database.in(
                new StoreId(request.storeId()),
                tx -> parts.find(tx, request.partId())
                        .filter(part -> owns(part, request.workflowKey()))
                        .map(part -> Objects.requireNonNull(part.processing()).finishedAt() == null)
                        .orElse(false));
    }

    private static StageReport givenUp(IngestRequest request) {
        return new StageReport(
                request.storeId(),
                request.partId(),
                request.workflowKey(),
                new Processing.Stage(
                        Processing.StageKey.READ_METADATA,
                        Processing.StageStatus.failed,
                        MOST_RECEIVES,
                        "the worker was stopped each time it read this file"),
                null);
    }

    private IngestRequest request(QueueMessages.Taken message) {
        try {
            return Objects.requireNonNull(mapper.readValue(message.body(), Argument.of(IngestRequest.class)));
        } catch (IOException e) {
            throw new UncheckedIOException("a queued request cannot be read", e);
        }
    }

    private String json(IngestRequest request) {
        try {
            return mapper.writeValueAsString(request);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
