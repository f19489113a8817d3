package farm.gantry.api.homeassistant;

import farm.gantry.Permission;
import farm.gantry.api.camera.CameraSnapshots;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.json.JsonCodec;
import farm.gantry.api.security.Caller;
import farm.gantry.printer.Printer;
import farm.gantry.store.StoreSettings;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.inject.Singleton;
import java.util.ArrayList;
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
    private final PrinterDevices devices;
    private final HomeAssistantRows rows;
    private final Table<StoreSettings> stores;
    private final DeviceDescriptions descriptions;
    private final CameraSnapshots snapshots;
    private final JsonCodec json;

    FarmMessages(
            Database database,
            PrinterDevices devices,
            HomeAssistantRows rows,
            Tables tables,
            DeviceDescriptions descriptions,
            CameraSnapshots snapshots,
            JsonCodec json) {
        this.database = database;
        this.devices = devices;
        this.rows = rows;
        this.stores = tables.of(StoreSettings.class);
        this.descriptions = descriptions;
        this.snapshots = snapshots;
        this.json = json;
    }

    /**
     * Messages by topic, in the order in which they must be published, the ids of the printers, and those of printers with a camera that
     * print.
     */
    record Snapshot(Map<String, String> messages, Set<String> printerIds, List<String> filmedIds) {}

    /** The state of the queue. {@code minutes} is the time until {@code nextFree} is free. */
    @Serdeable
    record Queue(
            int queue, @Nullable String nextFree, @Nullable Long minutes) {}

    /**
     * Returns the messages of the caller's store; throws if the key may not see its printers and queue. Without {@code withCameras} no
     * printer is described with a camera.
     */
    Snapshot build(Caller caller, HomeAssistantTopics topics, boolean withCameras) {
        caller.requirePermission(Permission.PRINTER_VIEW);
        caller.requirePermission(Permission.QUEUE_VIEW);
        boolean canControl = caller.hasPermission(Permission.QUEUE_MANAGE)
                && caller.hasPermission(Permission.PRINTER_READY)
                && caller.hasPermission(Permission.PRINTER_CONTROL);
        return database.in(caller, tx -> {
            List<PrinterDevice> printers = devices.findAll(tx);
            Map<String, String> messages = new LinkedHashMap<>();
            Set<String> ids = new LinkedHashSet<>();
            List<String> filmedIds = new ArrayList<>();
            String name = stores.find(tx, caller.store().value())
                    .map(StoreSettings::name)
                    .orElse("Gantry");
            messages.put(topics.discovery(topics.farmDevice()), json.write(descriptions.farm(topics, name)));
            messages.put(topics.queue(), json.write(queue(rows.queueLength(tx), printers)));
            for (PrinterDevice device : printers) {
                String id = device.printer().id();
                ids.add(id);
                boolean hasCamera = withCameras && snapshots.hasCamera(device.printer());
                if (hasCamera && device.printer().isOnline() && device.state().isPrinting()) {
                    filmedIds.add(id);
                }
                // The availability comes first: a later start learns from it which printers were described.
                messages.put(topics.availability(id), device.availability());
                messages.put(topics.state(id), json.write(device.message()));
                messages.put(
                        topics.discovery(topics.printerDevice(id)),
                        json.write(descriptions.printer(topics, device.printer(), canControl, hasCamera)));
            }
            return new Snapshot(messages, ids, filmedIds);
        });
    }

    /** A printer that is free now comes before those that print. */
    private static Queue queue(int length, List<PrinterDevice> printers) {
        Optional<PrinterDevice> next = printers.stream()
                .filter(device ->
                        device.printer().isOnline() && device.printer().enabled())
                .filter(device -> minutesUntilFree(device) != null)
                .min(Comparator.comparingLong((PrinterDevice device) ->
                                Optional.ofNullable(minutesUntilFree(device)).orElse(Long.MAX_VALUE))
                        .thenComparing(device -> device.printer().name()));
        return new Queue(
                length,
                next.map(PrinterDevice::printer).map(Printer::name).orElse(null),
                next.map(FarmMessages::minutesUntilFree).orElse(null));
    }

    private static @Nullable Long minutesUntilFree(PrinterDevice device) {
        return device.printer().isAvailable() ? (Long) 0L : device.remainingMinutes();
    }
}
