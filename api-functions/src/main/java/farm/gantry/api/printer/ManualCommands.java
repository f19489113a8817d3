package farm.gantry.api.printer;

import farm.gantry.Permission;
import farm.gantry.api.capability.Capabilities;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.error.Fault;
import farm.gantry.api.error.Faults;
import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.printer.command.AgentSignals;
import farm.gantry.api.printer.command.CommandRows;
import farm.gantry.api.printer.readiness.PrinterStateRows;
import farm.gantry.api.security.Caller;
import farm.gantry.json.Tree;
import farm.gantry.macro.GcodeMacro;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterState;
import farm.gantry.wire.Command;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Sends manual commands to printers: to all of them or, if one cannot execute it, to none. */
@Singleton
public final class ManualCommands {
    /** Time after which undelivered commands expire. */
    private static final Duration COMMAND_TIMEOUT = Duration.ofMinutes(2);

    private final Table<Printer> printers;
    private final Table<GcodeMacro> macros;
    private final Database database;
    private final RecordReader reader;
    private final Capabilities capabilities;
    private final PrinterStateRows states;
    private final CommandRows commands;
    private final AgentSignals agents;

    ManualCommands(
            Tables tables,
            Database database,
            RecordReader reader,
            Capabilities capabilities,
            PrinterStateRows states,
            CommandRows commands,
            AgentSignals agents) {
        this.printers = tables.of(Printer.class);
        this.macros = tables.of(GcodeMacro.class);
        this.database = database;
        this.reader = reader;
        this.capabilities = capabilities;
        this.states = states;
        this.commands = commands;
        this.agents = agents;
    }

    /** Switches a light of the printer on or off. */
    public void switchLight(Caller caller, String printerId, String light, boolean isOn) {
        Map<String, String> command = Map.of("command", "led-control", "light", light, "state", isOn ? "on" : "off");
        send(caller, List.of(printerId), reader.read(PrinterCommand.class, reader.toTree(command)));
    }

    /** Queues the command for the printers; returns their ids. */
    List<String> send(Caller caller, List<String> ids, PrinterCommand command) {
        caller.requirePermission(Permission.PRINTER_CONTROL);
        List<String> queuedIds = database.in(caller, tx -> {
            List<Printer> chosen = printers.lockRequired(tx, ids);
            Optional<GcodeMacro> macro = Optional.ofNullable(command.macroId()).flatMap(id -> macros.find(tx, id));
            Map<String, PrinterState> statesById =
                    states.find(tx, chosen.stream().map(Printer::id).toList());
            checkAble(command, chosen, macro, statesById);
            Command.Send action = command.command().equals(PrinterCommand.RUN_MACRO)
                    ? new Command.Send(
                            "gcode", Map.of("lines", macro.orElseThrow().gcode()))
                    : new Command.Send(command.command(), arguments(command));
            checkNotPrinting(action, chosen, statesById);
            commands.addAll(
                    tx,
                    chosen.stream()
                            .map(printer -> new CommandRows.NewCommand(
                                    Objects.requireNonNull(printer.proxyClientId()), printer.id(), action))
                            .toList(),
                    COMMAND_TIMEOUT);
            return chosen.stream().map(Printer::id).toList();
        });
        agents.signal(caller.store());
        return queuedIds;
    }

    /** Returns the members beside the command's name in the form the agent expects. */
    private Map<String, Object> arguments(PrinterCommand command) {
        Map<String, Object> arguments =
                new LinkedHashMap<>(Tree.object(reader.toTree(command).getValue()));
        arguments.keySet().removeAll(Set.of("command", "macroId"));
        return arguments;
    }

    private static void checkNotPrinting(Command.Send action, List<Printer> chosen, Map<String, PrinterState> seen) {
        List<Fault> refused = new ArrayList<>();
        for (int i = 0; i < chosen.size(); i++) {
            Printer printer = chosen.get(i);
            PrinterState state = seen.get(printer.id());
            if (state != null && state.isPrinting() && action.disturbsPrint(state.status())) {
                refused.add(new Fault(
                        "ids[" + i + "]",
                        state.status() == PrinterState.Status.paused ? "paused" : "printing",
                        "printer " + printer.id() + " (" + printer.name() + "): " + action.command()
                                + " would move its head through a print"));
            }
        }
        if (!refused.isEmpty()) {
            throw new ProblemException(new Problem.PrintersUnable("take the command", refused));
        }
    }

    private void checkAble(
            PrinterCommand command, List<Printer> chosen, Optional<GcodeMacro> macro, Map<String, PrinterState> seen) {
        Faults faults = new Faults();
        boolean runsMacro = command.command().equals(PrinterCommand.RUN_MACRO);
        if (runsMacro && macro.isEmpty()) {
            faults.add("command.macroId", "unknown", "there is no macro " + command.macroId());
        }
        for (int i = 0; i < chosen.size(); i++) {
            Printer printer = chosen.get(i);
            String lacking = command.findMissingAbility(
                    capabilities.find(printer),
                    capabilities.supportsMachineCommand(printer, command.command()),
                    countExtruders(printer, seen.get(printer.id())));
            String who = "printer " + printer.name() + " (" + printer.id() + ") ";
            if (lacking != null) {
                faults.add("ids[" + i + "]", "unsupported", who + "has no " + lacking);
            } else if (printer.proxyClientId() == null || printer.deviceId() == null) {
                faults.add("ids[" + i + "]", "unsupported", who + "is not connected to any agent");
            } else if (runsMacro
                    && macro.isPresent()
                    && !macro.get().compatibilities().isEmpty()
                    && !macro.get().isFor(printer.vendorName(), printer.modelName())) {
                faults.add("ids[" + i + "]", "unsupported", who + "has a model that the macro is not made for");
            }
        }
        faults.check();
    }

    /** Returns the number of extruders in the metadata, or of reported nozzle temperatures if that is larger. */
    private static int countExtruders(Printer printer, @Nullable PrinterState state) {
        int configured = printer.metadata() == null ? 1 : printer.metadata().extruders();
        Stream<String> heaters = state == null ? Stream.of() : state.temperatures().keySet().stream();
        int reported =
                (int) heaters.filter(heater -> heater.startsWith("nozzle")).count();
        return IntStream.of(1, configured, reported).max().getAsInt();
    }
}
