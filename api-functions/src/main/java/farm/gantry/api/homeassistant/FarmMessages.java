package farm.gantry.api.homeassistant;

import farm.gantry.Permission;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.json.JsonCodec;
import farm.gantry.api.security.Caller;
import farm.gantry.printer.Printer;
import farm.gantry.store.StoreSettings;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.inject.Singleton;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Builds all retained messages of a store: the descriptions of its devices and their states. */
@Singleton
final class FarmMessages {
    private final Database database;
    private final PrinterViews views;
    private final HomeAssistantRows rows;
    private final Table<StoreSettings> stores;
    private final Discovery discovery;
    private final JsonCodec json;

    FarmMessages(
            Database database,
            PrinterViews views,
            HomeAssistantRows rows,
            Tables tables,
            Discovery discovery,
            JsonCodec json) {
        this.database = database;
        this.views = views;
        this.rows = rows;
        this.stores = tables.of(StoreSettings.class);
        this.discovery = discovery;
        this.json = json;
    }

    /** Messages by topic, in the order in which they must be published, and the ids of the printers. */
    record Snapshot(Map<String, String> messages, Set<String> printerIds) {}

    /** The state of the queue. {@code minutes} is the time until {@code nextFree} is free. */
    @Serdeable
    record Queue(
            int queue, @Nullable String nextFree, @Nullable Long minutes) {}

    /** Returns the messages of the caller's store; throws if the key may not see its printers and queue. */
    Snapshot build(Caller caller, HomeAssistantTopics topics) {
        caller.requirePermission(Permission.PRINTER_VIEW);
        caller.requirePermission(Permission.QUEUE_VIEW);
        boolean canControl = caller.hasPermission(Permission.QUEUE_MANAGE)
                && caller.hasPermission(Permission.PRINTER_READY)
                && caller.hasPermission(Permission.PRINTER_CONTROL);
        return database.in(caller, tx -> {
            List<PrinterView> printers = views.findAll(tx);
            Map<String, String> messages = new LinkedHashMap<>();
            Set<String> ids = new LinkedHashSet<>();
            String name = stores.find(tx, caller.store().value())
                    .map(StoreSettings::name)
                    .orElse("Gantry");
            messages.put(topics.discovery(topics.farmDevice()), json.write(discovery.farm(topics, name)));
            messages.put(topics.queue(), json.write(queue(rows.queueLength(tx), printers)));
            for (PrinterView view : printers) {
                String id = view.printer().id();
                ids.add(id);
                // The availability comes first: a later start learns from it which printers were described.
                messages.put(topics.availability(id), view.availability());
                messages.put(topics.state(id), json.write(view.message()));
                messages.put(
                        topics.discovery(topics.printerDevice(id)),
                        json.write(discovery.printer(topics, view.printer(), canControl)));
            }
            return new Snapshot(messages, ids);
        });
    }

    /** A printer that is free now comes before those that print. */
    private static Queue queue(int length, List<PrinterView> printers) {
        Optional<PrinterView> next = printers.stream()
                .filter(view -> view.printer().isOnline() && view.printer().enabled())
                .filter(view -> minutesUntilFree(view) != null)
                .min(Comparator.comparingLong((PrinterView view) ->
                                Optional.ofNullable(minutesUntilFree(view)).orElse(Long.MAX_VALUE))
                        .thenComparing(view -> view.printer().name()));
        return new Queue(
                length,
                next.map(PrinterView::printer).map(Printer::name).orElse(null),
                next.map(FarmMessages::minutesUntilFree).orElse(null));
    }

    private static @Nullable Long minutesUntilFree(PrinterView view) {
        return view.printer().isAvailable() ? (Long) 0L : view.remainingMinutes();
    }
}
