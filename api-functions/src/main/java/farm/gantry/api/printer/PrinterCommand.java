package farm.gantry.api.printer;

import com.fasterxml.jackson.annotation.JsonInclude;
import farm.gantry.api.capability.Capabilities;
import io.micronaut.serde.annotation.Serdeable;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a person has printers do, by its name; each takes the members that are its own. */
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
        @Nullable String macroId) {

    static final String RUN_MACRO = "run-macro";

    /** The members it cannot do without that are not there, or not of a kind; null for a name that is none. */
    @Nullable
    List<String> missing() {
        return switch (command) {
            case "stop",
                    "pause",
                    "resume",
                    "resync-data",
                    "unload-filament",
                    "load-filament",
                    "emergency-stop",
                    "firmware-restart" -> List.of();
            case "led-control" -> absent("light", light, "state", state);
            case "set-temperature" ->
                type == null || !List.of("nozzle", "bed", "chamber").contains(type)
                        ? List.of("type")
                        : absent("temperature", temperature);
            case "select-tool" -> absent("toolIndex", toolIndex);
            case "home-axis", "move-axis" -> absent("axes", axes);
            case "set-fan" -> speed == null || speed < 0 || speed > 100 ? List.of("speed") : absent("type", type);
            case "extrude-filament" -> absent("amount", amount);
            case "calibration" -> absent("option_value", option_value);
            case "refresh-slot" -> absent("amsId", amsId, "slotId", slotId);
            case "set-slot-info" -> absent("info", info);
            case "skip-objects" -> isList(objectIds, String.class, Number.class) ? List.of() : List.of("objectIds");
            case "gcode" -> lines instanceof String || isList(lines, String.class) ? List.of() : List.of("lines");
            case RUN_MACRO -> absent("macroId", macroId);
            default -> null;
        };
    }

    private static boolean isList(@Nullable Object value, Class<?>... kinds) {
        return value instanceof List<?> list
                && list.stream().allMatch(each -> Stream.of(kinds).anyMatch(kind -> kind.isInstance(each)));
    }

    private static List<String> absent(String name, @Nullable Object value) {
        return value == null ? List.of(name) : List.of();
    }

    private static List<String> absent(String name, @Nullable Object value, String other, @Nullable Object second) {
        return List.of(absent(name, value), absent(other, second)).stream()
                .flatMap(Collection::stream)
                .toList();
    }

    /**
     * What a printer lacks for it, null when it lacks nothing; {@code obeyed}: its machine knows the command itself.
     */
    @Nullable
    String lacking(Capabilities.Effective printer, boolean obeyed) {
        return switch (command) {
            case "stop", "pause", "resume" -> printer.can("printing", command) ? null : "ability to " + command;
            case "resync-data" -> null;
            case "emergency-stop" -> obeyed ? null : "emergency stop";
            case "firmware-restart" -> obeyed ? null : "firmware that can be restarted";
            case "load-filament", "unload-filament" ->
                printer.has("filaments") && printer.hasCommands() ? null : "way to change filament";
            case "led-control" -> printer.has("lights") ? null : "light";
            case "set-temperature" ->
                printer.steers(Objects.requireNonNullElse(type, "") + "s")
                        ? null
                        : type + " that it can be told to heat";
            case "select-tool" ->
                printer.runsGcode() && (printer.has("tools") || Objects.equals(toolIndex, 0))
                        ? null
                        : "tools to select";
            case "home-axis", "move-axis" -> printer.has("axes") ? null : "axes that can be moved";
            case "set-fan" -> printer.has("fans") ? null : "fan";
            case "refresh-slot" -> printer.can("filament", "read") ? null : "slots that can be read";
            case "set-slot-info" -> printer.can("filament", "setInfo") ? null : "slots that can be told";
            case "skip-objects" -> printer.can("printing", "skipObjects") ? null : "ability to skip objects";
            case "calibration" -> printer.runsGcode() && printer.hasCommands() ? null : "calibration";
            default -> printer.runsGcode() ? null : "way to run G-code";
        };
    }
}
