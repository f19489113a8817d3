package farm.gantry.api.printer;

import farm.gantry.Permission;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.live.ShownStates;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import farm.gantry.api.store.Database;
import farm.gantry.printer.PrinterState;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.util.Arrays;
import java.util.List;

/** What printers do right now. */
@Controller
@ExecuteOn(TaskExecutors.BLOCKING)
final class PrinterStates {
    private static final int MOST_IDS = 1000;

    private final ShownStates states;
    private final Database database;

    PrinterStates(ShownStates states, Database database) {
        this.states = states;
        this.database = database;
    }

    @Get("/v1/printers/{id}/state")
    @RequiresPermission(Permission.PRINTER_VIEW)
    PrinterState state(Caller caller, String id) {
        return of(caller, List.of(Resources.checked(id))).getFirst().state();
    }

    /** The states of the printers whose ids are given, separated by commas. */
    @Get("/v1/printer-states")
    @RequiresPermission(Permission.PRINTER_VIEW)
    List<ShownStates.Shown> states(Caller caller, @QueryValue String ids) {
        List<String> asked =
                Arrays.stream(ids.split(",")).map(Resources::checked).distinct().toList();
        if (asked.size() > MOST_IDS) {
            throw ProblemException.invalid("ids", "range", "ids takes at most " + MOST_IDS + " ids");
        }
        return of(caller, asked);
    }

    private List<ShownStates.Shown> of(Caller caller, List<String> ids) {
        List<ShownStates.Shown> shown = database.in(caller.store(), tx -> states.of(tx, ids));
        if (shown.size() < ids.size()) {
            throw ProblemException.notFound("printer");
        }
        return shown;
    }
}
