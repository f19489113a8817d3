package farm.gantry.api.printer;

import farm.gantry.Permission;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.json.StorableInstant;
import farm.gantry.api.live.ShownStates;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import farm.gantry.api.store.Database;
import farm.gantry.api.store.PrintAttemptRows;
import farm.gantry.printer.PrinterState;
import farm.gantry.printer.PrinterStats;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What printers do right now, and what they did. */
@Controller
@ExecuteOn(TaskExecutors.BLOCKING)
final class PrinterStates {
    private static final int MOST_IDS = 1000;

    private static final Duration STATS_SPAN = Duration.ofDays(30);

    private final ShownStates states;
    private final PrintAttemptRows attempts;
    private final Database database;

    PrinterStates(ShownStates states, PrintAttemptRows attempts, Database database) {
        this.states = states;
        this.attempts = attempts;
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
        return of(caller, asked(ids));
    }

    private static List<String> asked(String ids) {
        List<String> asked =
                Arrays.stream(ids.split(",")).map(Resources::checked).distinct().toList();
        if (asked.size() > MOST_IDS) {
            throw ProblemException.invalid("ids", "range", "ids takes at most " + MOST_IDS + " ids");
        }
        return asked;
    }

    /**
     * What printers did between {@code from} and {@code to}: by default the last 30 days, and all printers unless
     * {@code ids} names some, separated by commas; unknown ones are left out.
     */
    @Get("/v1/printers/stats")
    @RequiresPermission(Permission.PRINTER_VIEW)
    List<PrinterStats> stats(
            Caller caller,
            @QueryValue @Nullable String ids,
            @QueryValue @Nullable Instant from,
            @QueryValue @Nullable Instant to) {
        List<String> asked = ids == null ? List.of() : asked(ids);
        Instant end = storable("to", to == null ? Instant.now() : to);
        Instant begin = storable("from", from == null ? end.minus(STATS_SPAN) : from);
        if (!begin.isBefore(end)) {
            throw ProblemException.invalid("from", "range", "from must be before to");
        }
        return database.in(caller, tx -> attempts.stats(tx, asked, begin, end));
    }

    private static Instant storable(String parameter, Instant instant) {
        if (!StorableInstant.isStorable(instant)) {
            throw ProblemException.invalid(parameter, "range", parameter + " must lie in the years 1 to 9999");
        }
        return instant;
    }

    private List<ShownStates.Shown> of(Caller caller, List<String> ids) {
        List<ShownStates.Shown> shown = database.in(caller, tx -> states.of(tx, ids));
        if (shown.size() < ids.size()) {
            throw ProblemException.notFound("printer");
        }
        return shown;
    }
}
