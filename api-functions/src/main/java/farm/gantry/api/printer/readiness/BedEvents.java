package farm.gantry.api.printer.readiness;

import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.webhook.Webhooks;
import farm.gantry.notification.EventName;
import farm.gantry.printer.Printer;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Emits {@code onBedNeedsClearing} once when a printer starts to wait for a person to confirm its bed. The end of the
 * transaction decides, so that a bed which is used and then cleared by a macro emits nothing.
 */
@Singleton
final class BedEvents {
    private final Table<Printer> printers;
    private final PrinterConditionRows conditions;
    private final Webhooks webhooks;

    BedEvents(Tables tables, PrinterConditionRows conditions, Webhooks webhooks) {
        this.printers = tables.of(Printer.class);
        this.conditions = conditions;
        this.webhooks = webhooks;
    }

    /** Observes printers, of which those that wait for a person already emit nothing. To be called before each change. */
    void observe(Tx tx, Collection<String> printerIds) {
        if (printerIds.isEmpty()) {
            return;
        }
        printers.lockWithoutReading(tx, printerIds);
        Set<String> waiting = conditions.findWaitingForPerson(tx, printerIds);
        emitIfWaiting(
                tx, printerIds.stream().filter(id -> !waiting.contains(id)).toList(), null);
    }

    /**
     * Emits the event at the end of the transaction for those of the printers that then wait for a person. None may
     * wait at the start of it, for example because a job uses it.
     */
    void emitIfWaiting(Tx tx, Collection<String> printerIds, @Nullable String jobId) {
        if (!printerIds.isEmpty()) {
            tx.onAllBeforeCommit(
                    BedEvents.class,
                    printerIds.stream()
                            .map(id -> new Webhooks.Subject(id, jobId))
                            .toList(),
                    subjects -> emit(tx, subjects));
        }
    }

    /** Emits one event for each waiting printer, about its job if one ended in the transaction. */
    private void emit(Tx tx, Set<Webhooks.Subject> subjects) {
        Map<String, Webhooks.Subject> byPrinter = new LinkedHashMap<>();
        for (Webhooks.Subject subject : subjects) {
            byPrinter.merge(String.valueOf(subject.printerId()), subject, (a, b) -> b.jobId() == null ? a : b);
        }
        byPrinter.keySet().retainAll(conditions.findWaitingForPerson(tx, byPrinter.keySet()));
        webhooks.emitAll(tx, EventName.onBedNeedsClearing, List.copyOf(byPrinter.values()));
    }
}
