package farm.gantry.api.printer;

import farm.gantry.api.database.Tx;
import farm.gantry.printer.Printer;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

/** Statements on claims of devices: a device belongs to one printer across all stores. */
@Singleton
public final class DeviceClaimRows {

    /** Claims the printers' devices; returns the devices that another printer, of any store, already has. */
    public List<String> claim(Tx tx, Collection<Printer> printers) {
        List<Printer> claiming =
                printers.stream().filter(printer -> printer.deviceId() != null).toList();
        return claiming.isEmpty()
                ? List.of()
                : tx.texts(
                        "select farm.claim_devices(?, ?, ?)",
                        devices(claiming),
                        tx.store().value(),
                        claiming.stream().map(Printer::id).toArray(String[]::new));
    }

    /** Releases the printers' devices. */
    public void release(Tx tx, Collection<Printer> printers) {
        String[] devices = devices(printers);
        if (devices.length > 0) {
            tx.run("select farm.release_devices(?, ?)", devices, tx.store().value());
        }
    }

    private static String[] devices(Collection<Printer> printers) {
        return printers.stream().map(Printer::deviceId).filter(Objects::nonNull).toArray(String[]::new);
    }
}
