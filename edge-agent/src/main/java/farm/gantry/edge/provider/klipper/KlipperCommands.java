package farm.gantry.edge.provider.klipper;

import farm.gantry.edge.printer.connection.CommandArguments;
import farm.gantry.edge.printer.connection.Gcode;
import farm.gantry.edge.printer.connection.PrinterBindings;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.json.Tree;
import farm.gantry.wire.Command;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Converts commands of the farm to G-code for Klipper. {@code objects} are the printer's configured objects. If the
 * printer's bindings do not change the default G-code, it is adapted to these objects; otherwise the bindings' G-code
 * is sent as it is.
 */
record KlipperCommands(List<String> objects, PrinterBindings bindings) {
    private static final String HEATER = "SET_HEATER_TEMPERATURE HEATER={object} TARGET={temperature}";
    private static final String WORD = "[A-Za-z0-9_.-]+";

    /** Converts a command to a G-code script; empty if there is nothing to run. */
    String toScript(Command.Send send) throws Refusal {
        CommandArguments arguments = CommandArguments.of(send);
        return switch (send.command()) {
            case "gcode" -> String.join("\n", arguments.gcodeLines());
            case "set-temperature" -> temperature(arguments);
            case "set-fan" -> new KlipperFans(objects, bindings).toGcode(arguments);
            case "led-control" -> new KlipperLights(objects, bindings).toGcode(arguments);
            case "skip-objects" ->
                arguments.listOrEmpty("objectIds").stream()
                        .map(id -> "EXCLUDE_OBJECT NAME=" + String.valueOf(id).replaceAll("\\s", "_"))
                        .collect(Collectors.joining("\n"));
            case "home-axis" -> Gcode.home(arguments);
            case "move-axis" -> Gcode.move(arguments);
            case "select-tool" -> selectTool(arguments.requireInteger("toolIndex"));
            case "extrude-filament" -> Gcode.extrude(arguments);
            case "load-filament" ->
                targetTemperature(arguments) + loadFilament(Tree.integer(arguments.values(), "targetSlot"));
            case "unload-filament" -> hasUnit() ? "MMU_UNLOAD" : "UNLOAD_FILAMENT";
            case "calibration" -> calibration(arguments);
            case "resync-data" -> "";
            default -> throw new Refusal("Klipper printers have no command " + send.command());
        };
    }

    private String selectTool(int tool) {
        return bindings.commandGcode("selectTool", "T{toolIndex}", Map.of("toolIndex", String.valueOf(tool)));
    }

    private String temperature(CommandArguments arguments) throws Refusal {
        String degrees = Gcode.formatNumber(arguments.requireNumber("temperature"));
        int extruder = arguments.extruderIndex();
        String type = arguments.textOrDefault("type", "");
        return switch (type) {
            case "nozzle" -> {
                String heater = bindings.componentProperty(
                        "nozzle" + extruder, "object", extruder == 0 ? "extruder" : "extruder" + extruder);
                yield fillForObject("setNozzleTemperature", HEATER, extruder == 0, heat(heater, degrees));
            }
            case "bed" ->
                bindings.commandGcode(
                        "setBedTemperature",
                        HEATER,
                        heat(bindings.componentProperty("bed", "object", "heater_bed"), degrees));
            case "chamber" -> {
                String heater = bindings.componentProperty("chamber", "object", chamberHeater());
                yield bindings.commandGcode("setChamberTemperature", HEATER, heat(heater, degrees));
            }
            default -> throw new Refusal("unknown heater: " + type);
        };
    }

    private String chamberHeater() {
        List<KlipperObjectList.KlipperObject> heaters = KlipperObjectList.of(objects, "heater_generic")
                .containing("chamber")
                .all();
        return heaters.isEmpty() ? "chamber" : heaters.getFirst().name();
    }

    private static Map<String, String> heat(String heater, String degrees) {
        return Map.of("object", heater, "temperature", degrees);
    }

    /**
     * Returns the G-code of a command for one object. G-code from the bindings without {@code {object}} is used only
     * for the {@code first} object; the others use the default.
     */
    private String fillForObject(String command, String usual, boolean first, Map<String, String> places) {
        String bound = bindings.commandGcode(command, usual, Map.of());
        return PrinterBindings.fillPlaceholders(first || bound.contains("{object}") ? bound : usual, places);
    }

    private boolean hasUnit() {
        return objects.contains(MmuGates.UNIT);
    }

    /**
     * Returns the G-code that loads filament. A multi-material unit loads from its gate, and only if nothing is loaded;
     * on other printers, a slot belongs to a tool.
     */
    private String loadFilament(@Nullable Integer place) throws Refusal {
        if (hasUnit()) {
            return place == null ? "MMU_LOAD" : "MMU_UNLOAD\nMMU_SELECT GATE=" + place + "\nMMU_LOAD";
        }
        ToolSpools spools = new ToolSpools(objects);
        if (place == null || ToolSpools.isExternal(place)) {
            return "LOAD_FILAMENT";
        }
        if (!spools.hasTool(place)) {
            throw new Refusal("the printer has no filament slot " + place);
        }
        return (spools.hasSeveralTools() ? selectTool(place) + "\n" : "") + "LOAD_FILAMENT";
    }

    private static String targetTemperature(CommandArguments arguments) {
        Double target = Tree.number(arguments.values(), "targetTemp");
        return target == null ? "" : "M109 S" + Gcode.formatNumber(target) + "\n";
    }

    private static String calibration(CommandArguments arguments) throws Refusal {
        String option = Tree.text(arguments.values(), "option_value");
        if (option == null || !option.matches(WORD)) {
            throw new Refusal("option_value must be the name of a calibration, a single word");
        }
        return option.toUpperCase(Locale.ROOT);
    }
}
