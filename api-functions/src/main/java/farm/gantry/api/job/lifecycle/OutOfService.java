package farm.gantry.api.job.lifecycle;

import farm.gantry.Field;
import farm.gantry.api.database.Change;
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
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Takes printers, parts and the whole queue out of service, and returns them to service once a person has checked them.
 * Operations are idempotent. Running prints continue; jobs that were assigned but not started return to the queue.
 */
@Singleton
public final class OutOfService {
    private final Table<Printer> printers;
    private final Table<Part> parts;
    private final Table<StoreSettings> settings;
    private final Webhooks webhooks;

    OutOfService(Tables tables, Webhooks webhooks) {
        this.printers = tables.of(Printer.class);
        this.parts = tables.of(Part.class);
        this.settings = tables.of(StoreSettings.class);
        this.webhooks = webhooks;
    }

    /** Quarantines locked printers; {@code jobId} is the last failed job, if that is the reason. */
    public void quarantinePrinters(Tx tx, List<Printer> locked, String reason, @Nullable String jobId) {
        List<String> ids = locked.stream()
                .filter(printer -> printer.quarantinedAt() == null)
                .map(Printer::id)
                .toList();
        printers.changeAll(
                tx,
                ids,
                new Change<Printer>()
                        .set(Printer::quarantinedAt, Resources.now())
                        .set(Printer::quarantineReason, reason));
        webhooks.emitAll(
                tx,
                EventName.onPrinterQuarantined,
                ids.stream().map(id -> new Webhooks.Subject(id, jobId)).toList(),
                Map.of("reason", reason));
    }

    /** Ends the quarantine of locked printers; their previous failures no longer count. */
    public void endQuarantine(Tx tx, List<Printer> locked) {
        List<String> ids = locked.stream()
                .filter(printer -> printer.quarantinedAt() != null)
                .map(Printer::id)
                .toList();
        printers.changeAll(
                tx, ids, returnedToService(Printer::quarantinedAt, Printer::quarantineReason, "quarantineReleasedAt"));
        webhooks.resolve(tx, EventName.onPrinterQuarantined, ids);
    }

    /** Puts locked parts on hold. */
    public void holdParts(Tx tx, List<Part> locked, String reason) {
        List<String> ids = locked.stream()
                .filter(part -> part.heldAt() == null)
                .map(Part::id)
                .toList();
        parts.changeAll(
                tx, ids, new Change<Part>().set(Part::heldAt, Resources.now()).set(Part::heldReason, reason));
        webhooks.emitParts(tx, EventName.onPartHeld, ids);
    }

    /** Ends the hold of locked parts; their previous failures no longer count. */
    public void releaseParts(Tx tx, List<Part> locked) {
        List<String> ids = locked.stream()
                .filter(part -> part.heldAt() != null)
                .map(Part::id)
                .toList();
        parts.changeAll(tx, ids, returnedToService(Part::heldAt, Part::heldReason, "holdReleasedAt"));
        webhooks.resolve(tx, EventName.onPartHeld, ids);
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
                new Change<StoreSettings>()
                        .when(StoreSettings::queuePausedAt, null)
                        .set(StoreSettings::queuePausedAt, Resources.now())
                        .set(StoreSettings::queuePausedReason, reason))) {
            webhooks.emit(tx, EventName.onQueuePaused, null, jobId, Map.of("reason", reason));
        }
    }

    /** Resumes the queue; previous failures no longer count. */
    public void resumeQueue(Tx tx) {
        StoreSettings store = settings.lock(tx, tx.store().value()).orElseThrow();
        if (store.queuePausedAt() != null) {
            settings.change(
                    tx,
                    store.id(),
                    returnedToService(
                            StoreSettings::queuePausedAt, StoreSettings::queuePausedReason, "queueResumedAt"));
            webhooks.resolve(tx, EventName.onQueuePaused);
        }
    }

    private static <R> Change<R> returnedToService(Field<R> since, Field<R> reason, String releasedColumn) {
        return new Change<R>().set(since, null).set(reason, null).setColumn(releasedColumn, Resources.now());
    }
}
