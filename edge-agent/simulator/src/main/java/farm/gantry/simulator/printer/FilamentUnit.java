package farm.gantry.simulator.printer;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * A simulated multi-material unit. {@code tools} is the gate of each tool, {@code loaded} the gate whose filament is in
 * the nozzle, or -1.
 */
public record FilamentUnit(List<Integer> tools, int selected, int loaded, boolean enabled) {
    private static final Pattern MAP = Pattern.compile("MMU_TTG_MAP MAP=([\\d,]+)");
    private static final Pattern SELECT = Pattern.compile("MMU_SELECT GATE=(-?\\d+)");

    public static FilamentUnit of(int gates) {
        return new FilamentUnit(IntStream.range(0, gates).boxed().toList(), 0, -1, true);
    }

    public FilamentUnit disabled() {
        return new FilamentUnit(tools, selected, loaded, false);
    }

    /**
     * Returns the unit after a line of G-code; one that is off ignores it, and maps of the wrong length are ignored.
     */
    public FilamentUnit execute(String line) throws RpcException {
        Matcher map = MAP.matcher(line);
        Matcher select = SELECT.matcher(line);
        if (!enabled) {
            return this;
        }
        if (map.matches()) {
            List<Integer> gates =
                    Arrays.stream(map.group(1).split(",")).map(Integer::valueOf).toList();
            return gates.size() == tools.size() ? new FilamentUnit(gates, selected, loaded, true) : this;
        }
        if (select.matches()) {
            return select(Integer.parseInt(select.group(1)));
        }
        return switch (line) {
            case "MMU_UNLOAD" -> new FilamentUnit(tools, selected, -1, true);
            case "MMU_LOAD" -> new FilamentUnit(tools, selected, selected, true);
            default -> this;
        };
    }

    private FilamentUnit select(int gate) throws RpcException {
        if (gate < 0 || gate >= tools.size()) {
            throw RpcException.refused(
                    "Error on 'MMU_SELECT GATE=%d': GATE must have a maximum of %d".formatted(gate, tools.size() - 1));
        }
        if (loaded >= 0) {
            throw RpcException.refused("Operation not possible. Filament is loaded");
        }
        return new FilamentUnit(tools, gate, loaded, true);
    }

    public Map<String, Object> object() {
        int count = tools.size();
        return Map.of(
                "enabled",
                enabled,
                "num_gates",
                count,
                "gate",
                selected,
                "ttg_map",
                tools,
                "filament",
                loaded < 0 ? "Unloaded" : "Loaded",
                "gate_status",
                Collections.nCopies(count, 1),
                "gate_material",
                Collections.nCopies(count, "PLA"),
                "gate_color",
                Collections.nCopies(count, "ff0000"));
    }
}
