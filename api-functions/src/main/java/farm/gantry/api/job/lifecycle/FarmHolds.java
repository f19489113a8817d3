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
 * Takes printers, parts and the whole queue out of service, and returns them to service once a person has checked them.
 * Operations are idempotent. Running prints continue; jobs that were assigned but not started return to the queue.
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

    /** Quarantines locked printers; {@code jobId} is the last failed job, if that is the reason. */
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

    /** Ends the quarantine of locked printers; their previous failures no longer count. */
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

    /** Puts locked parts on hold. */
    public void hold(Tx tx, List<Part> locked, String reason) {
        List<String> ids = locked.stream()
                .filter(part -> part.heldAt() == null)
                .map(Part::id)
                .toList();
        parts.changeAll(tx, Map.of(), ids, Map.of("heldAt", Resources.now(), "heldReason", reason));
        webhooks.emitParts(tx, EventName.onPartHeld, ids);
    }

    /** Ends the hold of locked parts; their previous failures no longer count. */
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

    /**
     * Pauses the queue: no printer of the store gets or starts a job. {@code jobId} is the last failed job, if that is
     * the reason.
     */
    public void pauseQueue(Tx tx, String reason, @Nullable String jobId) {
        // Not locked first: that would wait for every transaction that has inserted a row of the store, and all of
        // these have.
        if (settings.change(
                tx,
                tx.store().value(),
                Collections.singletonMap("queuePausedAt", null),
                Map.of("queuePausedAt", Resources.now(), "queuePausedReason", reason))) {
            webhooks.emit(tx, EventName.onQueuePaused, null, jobId, Map.of("reason", reason));
        }
    }

    /** Resumes the queue; previous failures no longer count. */
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
