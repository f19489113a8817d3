package farm.gantry.api.job.lifecycle;

import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.webhook.Webhooks;
import farm.gantry.notification.EventName;
import farm.gantry.part.Part;
import farm.gantry.printer.Printer;
import farm.gantry.store.StoreSettings;
import jakarta.inject.Singleton;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
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

    /** Gives locked printers no more jobs; {@code jobId} is the one that failed last, if that is why. */
    public void quarantine(Tx tx, List<Printer> locked, String reason, @Nullable String jobId) {
        List<String> ids = locked.stream()
                .filter(printer -> printer.quarantinedAt() == null)
                .map(Printer::id)
                .toList();
        printers.changeAll(tx, Map.of(), ids, Map.of("quarantinedAt", Resources.now(), "quarantineReason", reason));
        webhooks.emitAll(
                tx,
                EventName.onPrinterQuarantined,
                ids.stream().map(id -> new Webhooks.Subject(id, jobId)).toList(),
                Map.of("reason", reason));
    }

    /** Gives locked printers jobs again; their failures until now count no more. */
    public void endQuarantine(Tx tx, List<Printer> locked) {
        printers.changeAll(
                tx,
                Map.of(),
                locked.stream()
                        .filter(printer -> printer.quarantinedAt() != null)
                        .map(Printer::id)
                        .toList(),
                ended("quarantinedAt", "quarantineReason", "quarantineReleasedAt"));
    }

    /** Has nobody print locked parts. */
    public void hold(Tx tx, List<Part> locked, String reason) {
        List<String> ids = locked.stream()
                .filter(part -> part.heldAt() == null)
                .map(Part::id)
                .toList();
        parts.changeAll(tx, Map.of(), ids, Map.of("heldAt", Resources.now(), "heldReason", reason));
        webhooks.emitParts(tx, EventName.onPartHeld, ids);
    }

    /** Has locked parts printed again; their failures until now count no more. */
    public void endHold(Tx tx, List<Part> locked) {
        parts.changeAll(
                tx,
                Map.of(),
                locked.stream()
                        .filter(part -> part.heldAt() != null)
                        .map(Part::id)
                        .toList(),
                ended("heldAt", "heldReason", "holdReleasedAt"));
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
