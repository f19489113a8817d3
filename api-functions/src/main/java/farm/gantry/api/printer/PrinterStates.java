package farm.gantry.api.printer;

import farm.gantry.Permission;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.Blocking;
import farm.gantry.api.printer.readiness.CurrentStates;
import farm.gantry.api.query.TimeSpan;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.schedule.SuccessRateRows;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import farm.gantry.job.SuccessRate;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterState;
import farm.gantry.printer.PrinterStats;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** States and statistics of printers. */
@Controller
@Blocking
final class PrinterStates {
    private static final int MAX_IDS = 1000;
    private static final int MAX_LIFETIME_IDS = 100;

    private final Table<Printer> printers;
    private final CurrentStates states;
    private final PrintAttemptRows attempts;
    private final SuccessRateRows success;
    private final Database database;
    private final InstantSource clock;

    PrinterStates(
            Tables tables,
            CurrentStates states,
            PrintAttemptRows attempts,
            SuccessRateRows success,
            Database database,
            InstantSource clock) {
        this.printers = tables.of(Printer.class);
        this.states = states;
        this.attempts = attempts;
        this.success = success;
        this.database = database;
        this.clock = clock;
    }

    /** Returns the current state of a printer, as its agent last reported it. */
    @Get("/v1/printers/{id}/state")
    @RequiresPermission(Permission.PRINTER_VIEW)
    PrinterState state(Caller caller, String id) {
        return findStates(caller, List.of(Resources.parseId(id))).getFirst().state();
    }

    /** Returns the states of printers. {@code ids} are their ids, separated by commas. */
    @Get("/v1/printer-states")
    @RequiresPermission(Permission.PRINTER_VIEW)
    List<CurrentStates.CurrentState> states(Caller caller, @QueryValue String ids) {
        return findStates(caller, Resources.parseIds(ids, MAX_IDS));
    }

    /**
     * Returns statistics of printers. They count what ended between {@code from} and {@code to}, by default in the last
     * 30 days. {@code ids}, separated by commas, limits the printers; unknown ids are ignored. With {@code details},
     * also by part, material and profile.
     */
    @Get("/v1/printers/stats")
    @RequiresPermission(Permission.PRINTER_VIEW)
    List<PrinterStats> stats(
            Caller caller,
            @QueryValue @Nullable String ids,
            @QueryValue @Nullable Instant from,
            @QueryValue @Nullable Instant to,
            @QueryValue @Nullable Boolean details) {
        List<String> requestedIds = ids == null ? List.of() : Resources.parseIds(ids, MAX_IDS);
        TimeSpan span = TimeSpan.of(from, to, clock.instant());
        return database.in(caller, tx -> {
            List<PrinterStats> stats = attempts.findStats(tx, requestedIds, span.from(), span.to());
            return Boolean.TRUE.equals(details) ? addDetails(tx, stats, requestedIds, span) : stats;
        });
    }

    /**
     * Returns the lifetime counts and current states of printers. {@code ids} are up to 100 ids, separated by commas;
     * the response has their order. Every ended attempt of a job counts; {@code lifetimePrintHours} is that of the
     * printer's record.
     */
    @Get("/v1/printers/stats/{ids}")
    @RequiresPermission(Permission.PRINTER_VIEW)
    List<PrinterLifetimeStats> lifetimeStats(Caller caller, String ids) {
        List<String> printerIds = Resources.parseIds(ids, MAX_LIFETIME_IDS);
        return database.in(caller, tx -> {
            Map<String, Printer> found = printers.findAll(tx, printerIds);
            if (found.size() < printerIds.size()) {
                throw ProblemException.notFound("printer");
            }
            Map<String, PrinterStats> stats = attempts.findStats(tx, printerIds, Instant.EPOCH, clock.instant()).stream()
                    .collect(Collectors.toMap(PrinterStats::printerId, Function.identity()));
            return states.find(tx, printerIds).stream()
                    .map(shown -> PrinterLifetimeStats.of(
                            Objects.requireNonNull(found.get(shown.printerId())),
                            Objects.requireNonNull(stats.get(shown.printerId())),
                            shown.state()))
                    .toList();
        });
    }

    private List<PrinterStats> addDetails(Tx tx, List<PrinterStats> stats, List<String> ids, TimeSpan span) {
        Map<SuccessRateRows.Subject, Map<String, List<SuccessRate>>> rates = new EnumMap<>(SuccessRateRows.Subject.class);
        for (SuccessRateRows.Subject subject :
                List.of(SuccessRateRows.Subject.PART, SuccessRateRows.Subject.MATERIAL, SuccessRateRows.Subject.PROFILE)) {
            rates.put(subject, success.rates(tx, subject, SuccessRateRows.Subject.PRINTER, ids, span.from(), span.to()));
        }
        return stats.stream()
                .map(each -> each.withRates(
                        findRates(rates, SuccessRateRows.Subject.PART, each),
                        findRates(rates, SuccessRateRows.Subject.MATERIAL, each),
                        findRates(rates, SuccessRateRows.Subject.PROFILE, each)))
                .toList();
    }

    private static List<SuccessRate> findRates(
            Map<SuccessRateRows.Subject, Map<String, List<SuccessRate>>> rates,
            SuccessRateRows.Subject subject,
            PrinterStats printer) {
        return rates.getOrDefault(subject, Map.of()).getOrDefault(printer.printerId(), List.of());
    }

    private List<CurrentStates.CurrentState> findStates(Caller caller, List<String> ids) {
        List<CurrentStates.CurrentState> shown = database.in(caller, tx -> states.find(tx, ids));
        if (shown.size() < ids.size()) {
            throw ProblemException.notFound("printer");
        }
        return shown;
    }
}
