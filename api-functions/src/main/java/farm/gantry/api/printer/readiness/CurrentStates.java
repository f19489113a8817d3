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

/** Current printer states: the latest report, or an offline state with the reason if there is no valid one. */
@Singleton
public final class CurrentStates {
    private final Table<Printer> printers;
    private final PrinterStateRows states;

    CurrentStates(Tables tables, PrinterStateRows states) {
        this.printers = tables.of(Printer.class);
        this.states = states;
    }

    /** A printer's id and its state. */
    @Serdeable
    public record CurrentState(String printerId, PrinterState state) {}

    /** Returns the states of the existing printers, in the order of the ids. */
    public List<CurrentState> find(Tx tx, List<String> printerIds) {
        Map<String, Printer> found = printers.findAll(tx, printerIds);
        Map<String, PrinterState> reported = states.find(tx, printerIds);
        return printerIds.stream()
                .flatMap(id -> Optional.ofNullable(found.get(id)).stream())
                .map(printer -> new CurrentState(printer.id(), toCurrentState(printer, reported.get(printer.id()))))
                .toList();
    }

    private static PrinterState toCurrentState(Printer printer, @Nullable PrinterState reported) {
        if (reported == null) {
            return offlineState(printer);
        }
        return printer.isOnline() ? reported : reported.asOffline();
    }

    private static PrinterState offlineState(Printer printer) {
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
            return "only printers with commMethod fuse are supported";
        } else if (printer.proxyClientId() == null) {
            return "the printer has no agent: set proxyClientId";
        } else if (printer.deviceId() == null) {
            return "the printer has no deviceId, which its agent needs to find it";
        }
        return "the printer's agent has not reported its state yet";
    }
}
