package farm.gantry.api.printer;

import com.fasterxml.jackson.annotation.JsonInclude;
import farm.gantry.SelfValidating;
import farm.gantry.api.capability.Capabilities;
import io.micronaut.serde.annotation.Serdeable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A manual printer command. {@code command} selects it; each command uses only its own members. */
@Serdeable
@JsonInclude(JsonInclude.Include.NON_NULL)
record PrinterCommand(
        String command,
        @Nullable Double targetTemp,
        @Nullable Double currentTemp,
        @Nullable Integer targetSlot,
        @Nullable String light,
        @Nullable Object state,
        @Nullable String type,
        @Nullable Double temperature,
        @Nullable Integer extruderIndex,
        @Nullable Integer toolIndex,
        @Nullable Object axes,
        @Nullable Double speed,
        @Nullable Double amount,
        @Nullable Object option_value,
        @Nullable Integer amsId,
        @Nullable Integer slotId,
        @Nullable Map<String, Object> info,
        @Nullable List<Object> objectIds,
        @Nullable Object lines,
        @Nullable String macroId)
        implements SelfValidating {

    static final String RUN_MACRO = "run-macro";

    static final List<String> COMMANDS = List.of(
            "stop",
            "pause",
            "resume",
            "emergency-stop",
            "firmware-restart",
            "load-filament",
            "unload-filament",
            "led-control",
            "set-temperature",
            "select-tool",
            "home-axis",
            "move-axis",
            "set-fan",
            "extrude-filament",
            "calibration",
            "refresh-slot",
            "set-slot-info",
            "resync-data",
            "skip-objects",
            "gcode",
            RUN_MACRO);

    private static final List<String> HEATERS = List.of("nozzle", "bed", "chamber");
    private static final double MAX_NOZZLE_CELSIUS = 500;
    private static final double MAX_CELSIUS = 200;
    private static final double MAX_MILLIMETRES = 1000;

    /** Returns the faults that do not depend on the printer: missing members, wrong types and values out of range. */
    @Override
    public List<Fault> faults() {
        List<Fault> faults = new ArrayList<>();
        switch (command) {
            case "stop", "pause", "resume", "resync-data", "unload-filament", "emergency-stop", "firmware-restart" -> {}
            case "load-filament" -> {
                checkRange(faults, "targetTemp", targetTemp, 0, MAX_NOZZLE_CELSIUS);
                checkRange(faults, "currentTemp", currentTemp, 0, MAX_NOZZLE_CELSIUS);
            }
            case "led-control" -> {
                requireMember(faults, "light", light != null);
                requireMember(faults, "state", state != null);
            }
            case "set-temperature" -> {
                requireMember(faults, "type", type != null);
                checkForm(
                        faults,
                        "type",
                        type == null || HEATERS.contains(type),
                        "must be one of " + String.join(", ", HEATERS));
                requireMember(faults, "temperature", temperature != null);
                checkRange(
                        faults,
                        "temperature",
                        temperature,
                        0,
                        Objects.equals(type, "nozzle") ? MAX_NOZZLE_CELSIUS : MAX_CELSIUS);
            }
            case "select-tool" -> requireMember(faults, "toolIndex", toolIndex != null);
            case "home-axis" -> {
                requireMember(faults, "axes", axes != null);
                checkForm(
                        faults,
                        "axes",
                        axes == null || (!(axes instanceof Map) && !axisNames().isEmpty()),
                        "must be a text or an array of axes, and not empty");
            }
            case "move-axis" -> {
                requireMember(faults, "axes", axes != null);
                checkForm(
                        faults,
                        "axes",
                        axes == null || (axes instanceof Map<?, ?> moves && !moves.isEmpty()),
                        "must be an object of distances by axis, and not empty");
                if (axes instanceof Map<?, ?> moves) {
                    moves.forEach((axis, distance) -> checkDistance(faults, "axes." + axis, distance));
                }
            }
            case "set-fan" -> {
                requireMember(faults, "type", type != null);
                requireMember(faults, "speed", speed != null);
                checkRange(faults, "speed", speed, 0, 100);
            }
            case "extrude-filament" -> {
                requireMember(faults, "amount", amount != null);
                checkRange(faults, "amount", amount, -MAX_MILLIMETRES, MAX_MILLIMETRES);
            }
            case "calibration" -> requireMember(faults, "option_value", option_value != null);
            case "refresh-slot" -> {
                requireMember(faults, "amsId", amsId != null);
                requireMember(faults, "slotId", slotId != null);
            }
            case "set-slot-info" -> requireMember(faults, "info", info != null);
            case "skip-objects" -> {
                requireMember(faults, "objectIds", objectIds != null);
                checkForm(
                        faults,
                        "objectIds",
                        objectIds == null || isList(objectIds, String.class, Number.class),
                        "must be an array of texts or numbers, and not empty");
            }
            case "gcode" -> {
                requireMember(faults, "lines", lines != null);
                checkForm(
                        faults,
                        "lines",
                        lines == null || (lines instanceof String text ? !text.isBlank() : isList(lines, String.class)),
                        "must be a text or an array of texts, and not empty");
            }
            case RUN_MACRO -> requireMember(faults, "macroId", macroId != null);
            default -> faults.add(new Fault("command", "choice", "must be one of " + String.join(", ", COMMANDS)));
        }
        return faults;
    }

    private void requireMember(List<Fault> faults, String name, boolean isThere) {
        if (!isThere) {
            faults.add(new Fault(name, "required", "is required, as " + command + " takes it"));
        }
    }

    private static void checkForm(List<Fault> faults, String name, boolean isRight, String form) {
        if (!isRight) {
            faults.add(new Fault(name, "invalid", form));
        }
    }

    private static void checkDistance(List<Fault> faults, String name, @Nullable Object distance) {
        if (distance instanceof Number millimetres) {
            checkRange(faults, name, millimetres.doubleValue(), -MAX_MILLIMETRES, MAX_MILLIMETRES);
        } else {
            faults.add(new Fault(name, "type", "must be a number of millimetres"));
        }
    }

    private static void checkRange(List<Fault> faults, String name, @Nullable Double value, double least, double most) {
        if (value != null && !(value >= least && value <= most)) {
            faults.add(new Fault(name, "range", "must be between %.0f and %.0f".formatted(least, most)));
        }
    }

    private static boolean isList(@Nullable Object value, Class<?>... kinds) {
        return value instanceof List<?> list
                && !list.isEmpty()
                && list.stream().allMatch(each -> Stream.of(kinds).anyMatch(kind -> kind.isInstance(each)));
    }

    /** Returns the axis names: the letters of a text, or the keys of an object of moves. */
    private List<String> axisNames() {
        return switch (axes) {
            case String text -> text.chars().mapToObj(Character::toString).toList();
            case List<?> list -> list.stream().map(String::valueOf).toList();
            case Map<?, ?> moves -> moves.keySet().stream().map(String::valueOf).toList();
            case null, default -> List.of();
        };
    }

    /**
     * Returns the ability that the printer lacks for this command, or null. {@code obeyed}: the machine supports the
     * command natively; {@code extruders}: number of known extruders, at least 1 even if the capabilities list none.
     */
    @Nullable
    String findMissingAbility(Capabilities.PrinterCapabilities printer, boolean obeyed, int extruders) {
        return switch (command) {
            case "stop", "pause", "resume" -> printer.hasAbility("printing", command) ? null : "ability to " + command;
            case "resync-data" -> null;
            case "emergency-stop" -> obeyed ? null : "emergency stop";
            case "firmware-restart" -> obeyed ? null : "firmware that can be restarted";
            case "load-filament", "unload-filament" ->
                printer.hasComponent("filaments") && printer.hasCustomCommands() ? null : "way to change filament";
            case "led-control" -> printer.hasComponent("lights", light) ? null : "light " + light;
            case "set-temperature" -> {
                if (!printer.controls(Objects.requireNonNullElse(type, "") + "s")) {
                    yield type + " that it can be told to heat";
                }
                int nozzles = Math.max(
                        Math.max(printer.countComponents("nozzles"), printer.countComponents("tools")), extruders);
                yield Objects.equals(type, "nozzle") && extruderIndex != null && !isBelow(extruderIndex, nozzles)
                        ? "extruder " + extruderIndex
                        : null;
            }
            case "select-tool" ->
                printer.runsGcode()
                                && toolIndex != null
                                && isBelow(toolIndex, Math.max(printer.countComponents("tools"), extruders))
                        ? null
                        : "tool " + toolIndex + " to select";
            case "home-axis", "move-axis" ->
                axisNames().stream()
                        .filter(axis -> !printer.hasComponent("axes", axis.toLowerCase(Locale.ROOT)))
                        .findFirst()
                        .map(axis -> "axis " + axis + " that can be moved")
                        .orElse(null);
            case "set-fan" -> printer.hasComponent("fans", type) ? null : "fan " + type;
            case "refresh-slot" -> printer.hasAbility("filament", "read") ? null : "slots that can be read";
            case "set-slot-info" -> printer.hasAbility("filament", "setInfo") ? null : "slots that can be told";
            case "skip-objects" -> printer.hasAbility("printing", "skipObjects") ? null : "ability to skip objects";
            case "calibration" -> printer.runsGcode() && printer.hasCustomCommands() ? null : "calibration";
            default -> printer.runsGcode() ? null : "way to run G-code";
        };
    }

    private static boolean isBelow(int index, int count) {
        return index >= 0 && index < count;
    }
}
