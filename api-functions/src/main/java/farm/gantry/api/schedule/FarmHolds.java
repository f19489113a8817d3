package farm.gantry.api.schedule;

import farm.gantry.api.deliver.Webhooks;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.store.Table;
import farm.gantry.api.store.Tables;
import farm.gantry.api.store.Tx;
import farm.gantry.notification.EventName;
import farm.gantry.part.Part;
import farm.gantry.printer.Printer;
import farm.gantry.store.StoreSettings;
import jakarta.inject.Singleton;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Takes printers, parts and the whole queue out of work, and puts them back once a person has looked. What is so already stays
 * as it is. Prints that have begun go on; jobs that were given to a printer and not started go back to the queue.
 */
@Singleton
public final class FarmHolds {
    private final Table<Printer> printers;
    private final Table<Part> parts;
    private final Table<StoreSettings> settings;
    private final Webhooks webhooks;

    FarmHolds(Tables tables, Webhooks webhooks) {
        this.printers = tables.of(Printer.class);
        this.parts = tables.of(Part.class);
        this.settings = tables.of(StoreSettings.class);
        this.webhooks = webhooks;
    }

    /** Gives a locked printer no more jobs; {@code jobId} is the one that failed last, if that is why. */
    public void quarantine(Tx tx, Printer printer, String reason, @Nullable String jobId) {
        if (printer.quarantinedAt() == null) {
            printers.change(
                    tx, printer.id(), Map.of(), Map.of("quarantinedAt", Resources.now(), "quarantineReason", reason));
            webhooks.emit(tx, EventName.onPrinterQuarantined, printer.id(), jobId, Map.of("reason", reason));
        }
    }

    /** Gives a locked printer jobs again; its failures until now count no more. */
    public void release(Tx tx, Printer printer) {
        if (printer.quarantinedAt() != null) {
            printers.change(
                    tx, printer.id(), Map.of(), ended("quarantinedAt", "quarantineReason", "quarantineReleasedAt"));
        }
    }

    /** Has nobody print a locked part. */
    public void hold(Tx tx, Part part, String reason) {
        if (part.heldAt() == null) {
            parts.change(tx, part.id(), Map.of(), Map.of("heldAt", Resources.now(), "heldReason", reason));
            webhooks.emitPart(tx, EventName.onPartHeld, part.id());
        }
    }

    /** Has a locked part printed again; its failures until now count no more. */
    public void release(Tx tx, Part part) {
        if (part.heldAt() != null) {
            parts.change(tx, part.id(), Map.of(), ended("heldAt", "heldReason", "holdReleasedAt"));
        }
    }

    /** Gives no printer of the store a job, and starts none; {@code jobId} is the one that failed last, if that is why. */
    public void pauseQueue(Tx tx, String reason, @Nullable String jobId) {
        // Not locked first: that would wait for every transaction which has inserted a row of the store, as all of
        // these have.
        if (settings.change(
                tx,
                tx.store().value(),
                Collections.singletonMap("queuePausedAt", null),
                Map.of("queuePausedAt", Resources.now(), "queuePausedReason", reason))) {
            webhooks.emit(tx, EventName.onQueuePaused, null, jobId, Map.of("reason", reason));
        }
    }

    /** Lets the queue go on; failures until now count no more. */
    public void resumeQueue(Tx tx) {
        StoreSettings store = settings.lock(tx, tx.store().value()).orElseThrow();
        if (store.queuePausedAt() != null) {
            settings.change(tx, store.id(), Map.of(), ended("queuePausedAt", "queuePausedReason", "queueResumedAt"));
        }
    }

    private static Map<String, @Nullable Object> ended(String since, String reason, String released) {
        Map<String, @Nullable Object> changes = new HashMap<>();
        changes.put(since, null);
        changes.put(reason, null);
        changes.put(released, Resources.now());
        return changes;
    }
}
