package farm.gantry.api.printhost;

import farm.gantry.api.builds.PartQueue;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.part.ProcessedPartListener;
import farm.gantry.part.Part;
import farm.gantry.part.PrintTags;
import jakarta.inject.Singleton;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Queues the prints that slicers asked for, at once or as soon as the part's file has been read. */
@Singleton
final class PendingPrints implements ProcessedPartListener {
    private static final Logger LOG = LoggerFactory.getLogger(PendingPrints.class);

    private final PrintHostRows rows;
    private final PartQueue queue;

    PendingPrints(PrintHostRows rows, PartQueue queue) {
        this.rows = rows;
        this.queue = queue;
    }

    /** Queues one copy of a locked part; returns whether it is queued already. */
    boolean add(Tx tx, Part part, PrintTags tags) {
        if (part.processingStatus() == null) {
            queue.queue(tx, part.id(), tags);
            return true;
        }
        rows.addPending(tx, part.id(), tags);
        return false;
    }

    /** Queues the prints that waited for the part; the part must not fail because of one that cannot be queued. */
    @Override
    public void onReady(Tx tx, String partId) {
        for (PrintTags tags : rows.takePending(tx, partId)) {
            try {
                queue.queue(tx, partId, tags);
            } catch (ProblemException e) {
                LOG.warn("part {} was sent by a slicer to be printed and cannot be queued: {}", partId, e.getMessage());
            }
        }
    }
}
