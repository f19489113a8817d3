package farm.gantry.api.printer.readiness;

import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterState;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What printers show to people: the latest report, or why there is none that counts. */
@Singleton
public final class ShownStates {
    private final Table<Printer> printers;
    private final PrinterStateRows states;

    ShownStates(Tables tables, PrinterStateRows states) {
        this.printers = tables.of(Printer.class);
        this.states = states;
    }

    /** One printer's state among several. */
    @Serdeable
    public record Shown(String printerId, PrinterState state) {}

    /** Of those of the printers that are there, in their order. */
    public List<Shown> of(Tx tx, List<String> printerIds) {
        Map<String, Printer> found = printers.findAll(tx, printerIds);
        Map<String, PrinterState> reported = states.find(tx, printerIds);
        return printerIds.stream()
                .flatMap(id -> Optional.ofNullable(found.get(id)).stream())
                .map(printer -> new Shown(printer.id(), shown(printer, reported.get(printer.id()))))
                .toList();
    }

    private static PrinterState shown(Printer printer, @Nullable PrinterState reported) {
        if (reported == null) {
            return unseen(printer);
        }
        return printer.isOnline() ? reported : reported.lost();
    }

    private static PrinterState unseen(Printer printer) {
        return new PrinterState(
                PrinterState.Connection.offline,
                reason(printer),
                PrinterState.Status.offline,
                null,
                Map.of(),
                List.of(),
                List.of(),
                null,
                printer.updatedAt());
    }

    private static String reason(Printer printer) {
        if (printer.commMethod() != Printer.CommMethod.fuse) {
            return "only printers of the commMethod fuse are served";
        } else if (printer.proxyClientId() == null) {
            return "no agent serves it: set proxyClientId";
        } else if (printer.deviceId() == null) {
            return "it has no deviceId, by which its agent would know it";
        }
        return "its agent has not reported it yet";
    }
}
