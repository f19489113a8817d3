package farm.gantry.api.printer.readiness;

import farm.gantry.api.capability.Capabilities;
import farm.gantry.api.database.Change;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.Fault;
import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.printer.command.CommandRows;
import farm.gantry.api.query.Condition.Filter;
import farm.gantry.api.query.ListQuery;
import farm.gantry.api.query.Operator;
import farm.gantry.api.webhook.Webhooks;
import farm.gantry.macro.GcodeMacro;
import farm.gantry.notification.EventName;
import farm.gantry.printer.Printer;
import farm.gantry.schedule.BedState;
import farm.gantry.wire.Command;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Continuous printing: after each job the printer runs its model's bed-clearing macro. The bed counts as clear only
 * when the printer reports that the macro completed. Any failure disables continuous printing until a person has
 * checked the bed.
 */
@Singleton
public final class BedClearing {
    private final Table<Printer> printers;
    private final Table<GcodeMacro> macros;
    private final BedClearingRows rows;
    private final CommandRows commands;
    private final Capabilities capabilities;
    private final PrinterStateRows states;
    private final Webhooks webhooks;
    private final BedEvents bedEvents;
    private final InstantSource clock;

    BedClearing(
            Tables tables,
            BedClearingRows rows,
            CommandRows commands,
            Capabilities capabilities,
            PrinterStateRows states,
            Webhooks webhooks,
            BedEvents bedEvents,
            InstantSource clock) {
        this.printers = tables.of(Printer.class);
        this.macros = tables.of(GcodeMacro.class);
        this.rows = rows;
        this.commands = commands;
        this.capabilities = capabilities;
        this.states = states;
        this.webhooks = webhooks;
        this.bedEvents = bedEvents;
        this.clock = clock;
    }

    /**
     * Starts the bed-clearing macro, unless the bed was used after the agent event with the sequence {@code
     * heardSequence}. If it cannot, disables continuous printing.
     */
    void start(Tx tx, Printer printer, long heardSequence) {
        Optional<GcodeMacro> macro = findMacro(findMacros(tx), printer);
        Optional<String> obstacle = findObstacle(macro, printer);
        if (obstacle.isPresent()) {
            disableContinuousPrint(tx, printer.id(), obstacle.get());
        } else if (printer.proxyClientId() == null) {
            disableContinuousPrint(tx, printer.id(), "no agent serves it");
        } else {
            String commandId = commands.add(
                    tx,
                    printer.proxyClientId(),
                    printer.id(),
                    new Command.Send(
                            "gcode", Map.of("lines", macro.orElseThrow().gcode()), heardSequence),
                    Command.Send.MAX_SCRIPT);
            rows.start(tx, printer.id(), commandId, clock.instant().plus(Command.Send.MAX_SCRIPT));
        }
    }

    /** Throws if a printer cannot clear its bed by itself, naming each such printer and the reason. */
    public void checkAble(Tx tx, List<Printer> named) {
        List<GcodeMacro> all = findMacros(tx);
        List<Fault> refused = new ArrayList<>();
        for (int i = 0; i < named.size(); i++) {
            Printer printer = named.get(i);
            String path = "ids[" + i + "]";
            findObstacle(findMacro(all, printer), printer)
                    .ifPresent(reason -> refused.add(new Fault(
                            path,
                            "bed_clearing",
                            "printer " + printer.id() + " (" + printer.name() + ") cannot clear its bed: " + reason)));
        }
        if (!refused.isEmpty()) {
            throw new ProblemException(new Problem.PrintersUnable("print continuously", refused));
        }
    }

    /** Returns why the printer cannot clear its bed by the macro. */
    private Optional<String> findObstacle(Optional<GcodeMacro> macro, Printer printer) {
        Capabilities.PrinterCapabilities able = capabilities.find(printer);
        if (macro.isEmpty()) {
            return Optional.of("no bed_clearing macro suits its model "
                    + (printer.modelName() == null
                            ? "(it has none: set modelName, and make a macro for it)"
                            : printer.modelName() + " (add the model to the compatibilities of a macro)"));
        } else if (!able.runsGcode()) {
            return Optional.of("it does not accept G-code, so it cannot run a macro");
        } else if (!able.runsGcodeInOrder()) {
            return Optional.of("it does not report when a macro has finished, so the next print might start too early"
                    + " (set gcodeInOrder in printerCapabilityPatch if this printer does)");
        }
        return Optional.empty();
    }

    private List<GcodeMacro> findMacros(Tx tx) {
        return macros.find(
                tx,
                ListQuery.all(macros.columns())
                        .where(Filter.of(
                                macros.columns().get(GcodeMacro::type),
                                Operator.eq,
                                GcodeMacro.Type.bed_clearing.name())));
    }

    /**
     * Returns the oldest macro for the printer's model and, if known, vendor. Empty macros are ignored, because they
     * clear nothing.
     */
    private static Optional<GcodeMacro> findMacro(List<GcodeMacro> macros, Printer printer) {
        return macros.stream()
                .filter(macro -> macro.hasCommands() && macro.isFor(printer.vendorName(), printer.modelName()))
                .findFirst();
    }

    /** Marks the bed clear, unless the clearing was ended meanwhile. */
    public void onDone(Tx tx, String printerId, @Nullable String commandId) {
        if (commandId != null && end(tx, printerId, commandId)) {
            rows.recordDone(tx, printerId, clock.instant());
            printers.change(
                    tx,
                    printerId,
                    PrinterConditionRows.toChange(
                                    BedState.cleared(states.find(tx, printerId).orElse(null), clock.instant()))
                            .when(Printer::continuousPrint, true));
        }
    }

    public void onFailed(Tx tx, String printerId, @Nullable String commandId, String reason) {
        if (commandId != null && end(tx, printerId, commandId)) {
            disableContinuousPrint(tx, printerId, "the bed could not be cleared: " + reason);
        }
    }

    private boolean end(Tx tx, String printerId, String commandId) {
        bedEvents.observe(tx, List.of(printerId));
        return rows.end(tx, printerId, commandId);
    }

    /** Ends running clearings without effect, because a person has taken over the printers. */
    public void cancel(Tx tx, Collection<String> printerIds) {
        bedEvents.observe(tx, printerIds);
        rows.endAll(tx, printerIds);
    }

    /** Disables continuous printing where a macro exceeded its time limit. */
    public void stopOverdue(Tx tx, Instant now) {
        rows.findOverdue(tx, now)
                .forEach(printerId ->
                        disableContinuousPrint(tx, printerId, "its bed-clearing macro did not finish in time"));
    }

    /** Disables continuous printing, if enabled, and emits an event with the reason. */
    void disableContinuousPrint(Tx tx, String printerId, String reason) {
        bedEvents.observe(tx, List.of(printerId));
        rows.end(tx, printerId);
        if (printers.change(
                tx,
                printerId,
                new Change<Printer>().when(Printer::continuousPrint, true).set(Printer::continuousPrint, false))) {
            webhooks.emit(tx, EventName.onPrinterContinuousPrintDisabled, printerId, null, Map.of("reason", reason));
        }
    }
}
