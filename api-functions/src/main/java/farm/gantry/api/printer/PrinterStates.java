package farm.gantry.api.printer;

import farm.gantry.Permission;
import farm.gantry.api.Caller;
import farm.gantry.api.Needs;
import farm.gantry.api.Problem;
import farm.gantry.api.live.LiveStates;
import farm.gantry.api.store.Database;
import farm.gantry.api.store.Resources;
import farm.gantry.api.store.Table;
import farm.gantry.api.store.Tables;
import farm.gantry.api.store.Tx;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterState;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** What printers do right now. */
@Controller
@ExecuteOn(TaskExecutors.BLOCKING)
final class PrinterStates {
    private static final int MOST_IDS = 1000;

    private final Table<Printer> printers;
    private final LiveStates states;
    private final Database database;

    PrinterStates(Tables tables, LiveStates states, Database database) {
        this.printers = tables.of(Printer.class);
        this.states = states;
        this.database = database;
    }

    /** One printer's state among several. */
    @Serdeable
    record Stated(String printerId, PrinterState state) {}

    @Get("/v1/printers/{id}/state")
    @Needs(Permission.PRINTER_VIEW)
    PrinterState state(Caller caller, String id) {
        Resources.checked(id);
        return database.in(caller.store(), tx -> state(tx, id));
    }

    /** The states of the printers whose ids are given, separated by commas. */
    @Get("/v1/printer-states")
    @Needs(Permission.PRINTER_VIEW)
    List<Stated> states(Caller caller, @QueryValue String ids) {
        List<String> asked =
                Arrays.stream(ids.split(",")).map(Resources::checked).distinct().toList();
        if (asked.size() > MOST_IDS) {
            throw Problem.Invalid.of("ids", "range", "ids takes at most " + MOST_IDS + " ids");
        }
        return database.in(
                caller.store(),
                tx -> asked.stream().map(id -> new Stated(id, state(tx, id))).toList());
    }

    private PrinterState state(Tx tx, String id) {
        Printer printer = printers.find(tx, id).orElseThrow(() -> Problem.NotFound.of("printer"));
        return states.find(tx, id)
                .map(state -> printer.isOnline() ? state : offline(state, "its agent cannot be reached"))
                .orElseGet(() -> unseen(printer));
    }

    private static PrinterState offline(PrinterState last, String otherwise) {
        return new PrinterState(
                PrinterState.Connection.offline,
                last.connectionReason() == null ? otherwise : last.connectionReason(),
                PrinterState.Status.offline,
                last.job(),
                last.temperatures(),
                last.filamentSlots(),
                last.errors(),
                last.at());
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
