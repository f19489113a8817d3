package farm.gantry.api.printhost;

import farm.gantry.api.builds.LikelyFinish;
import farm.gantry.api.builds.PartQueue;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.part.ProcessedPartListener;
import farm.gantry.api.printhost.PrintHostRows.PendingPrint;
import farm.gantry.part.Part;
import farm.gantry.part.PrintTags;
import farm.gantry.store.StoreSettings;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Queues the prints that slicers asked for, at once or as soon as the part's file has been read. A print is for the file that
 * it was asked for: if this cannot be read or is replaced before, the print is cancelled, with a warning at the part.
 */
@Singleton
final class PendingPrints implements ProcessedPartListener {
    private static final Logger LOG = LoggerFactory.getLogger(PendingPrints.class);

    private final PrintHostRows rows;
    private final PartQueue queue;
    private final Table<StoreSettings> settings;

    PendingPrints(PrintHostRows rows, PartQueue queue, Tables tables) {
        this.rows = rows;
        this.settings = tables.of(StoreSettings.class);
        this.queue = queue;
    }

    /** Queues one copy of a locked part, or lets it wait; the outcome is to be read outside of any transaction. */
    Supplier<UploadOutcome> add(Tx tx, Part part, PrintTags tags) {
        if (part.processingStatus() != null) {
            rows.addPending(tx, part.id(), new PendingPrint(part.fileHashes().getFirst(), tags));
            return () -> UploadOutcome.QUEUED_WHEN_READ;
        }
        if (settings.find(tx, tx.store().value()).orElseThrow().requireApproval()) {
            queue.queue(tx, part.id(), tags);
            return () -> UploadOutcome.WAITING_FOR_APPROVAL;
        }
        Supplier<Optional<LikelyFinish>> finish = queue.queueAndEstimate(tx, part.id(), tags);
        return () -> outcome(finish, tags);
    }

    /** Returns the outcome of a queued print, also if its estimate fails: a slicer that gets an error sends the print again. */
    private static UploadOutcome outcome(Supplier<Optional<LikelyFinish>> finish, PrintTags tags) {
        try {
            return finish.get().map(found -> UploadOutcome.queued(found, tags)).orElse(UploadOutcome.QUEUED);
        } catch (RuntimeException e) {
            LOG.error("no estimate for a print that a slicer has sent", e);
            return UploadOutcome.QUEUED;
        }
    }

    /** Queues the prints that waited for the part; the part must not fail because of one that cannot be queued. */
    @Override
    public List<String> onReady(Tx tx, String partId, List<String> fileHashes) {
        return rows.takePending(tx, partId).stream()
                .flatMap(print -> fileHashes.equals(List.of(print.fileHash()))
                        ? queue(tx, partId, print.tags()).stream()
                        : Stream.of(
                                "The print that a slicer asked for was cancelled, because the file was replaced before"
                                        + " it was read. To print the new file, queue the part."))
                .toList();
    }

    @Override
    public List<String> onFailed(Tx tx, String partId) {
        return rows.takePending(tx, partId).stream()
                .map(_ -> "The print that a slicer asked for was cancelled, because the file could not be read."
                        + " Send a corrected file, or queue the part after it has been read again.")
                .toList();
    }

    /**
     * Returns the reason why the part cannot be queued. Other faults, such as an outage of the database, roll the reading back;
     * its result is redelivered.
     */
    private Optional<String> queue(Tx tx, String partId, PrintTags tags) {
        try {
            queue.queue(tx, partId, tags);
            return Optional.empty();
        } catch (ProblemException e) {
            if (e.problem() instanceof Problem.Invalid || e.problem() instanceof Problem.Conflict) {
                return Optional.of("The print that a slicer asked for could not be queued: " + e.describe());
            }
            throw e;
        }
    }
}
