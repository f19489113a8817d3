package farm.gantry.edge.provider.klipper;

import farm.gantry.edge.refusal.Refusal;
import farm.gantry.job.PrintJob;
import farm.gantry.json.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The gate that each tool of a multi-material unit uses, by tool number. */
record MmuGates(List<Integer> byTool) {
    static final String UNIT = "mmu";
    static final List<String> FIELDS = List.of("num_gates", "gate_status", "ttg_map");

    /** Parses a unit's report. Without a map, each tool uses the gate with its number. */
    static MmuGates parse(Map<String, Object> unit) {
        int shown = Tree.list(unit, "gate_status").size();
        int count = (int) Tree.number(unit, "num_gates", shown);
        List<?> reported = Tree.list(unit, "ttg_map");
        return new MmuGates(
                reported.size() == count
                        ? reported.stream().map(MmuGates::number).toList()
                        : IntStream.range(0, count).boxed().toList());
    }

    private static int number(Object reported) {
        return reported instanceof Number number ? number.intValue() : -1;
    }

    /** Returns the map with the slots of a print. Tools that the print does not use keep their gates. */
    MmuGates withSlots(Map<String, PrintJob.Slot> places) throws Refusal {
        List<Integer> changed = new ArrayList<>(byTool);
        for (Map.Entry<String, PrintJob.Slot> filament : places.entrySet()) {
            int tool = ToolSpools.toolNumber(filament.getKey());
            PrintJob.Slot place = filament.getValue();
            if (tool >= byTool.size() || place.amsIndex() != 0 || place.slotIndex() >= byTool.size()) {
                throw ToolSpools.refuse(tool, place, "its unit has %d gates".formatted(byTool.size()));
            }
            changed.set(tool, place.slotIndex());
        }
        return new MmuGates(List.copyOf(changed));
    }

    /** Returns the script that sets the whole map, which the unit requires. */
    String script() {
        return "MMU_TTG_MAP MAP=" + byTool.stream().map(String::valueOf).collect(Collectors.joining(","));
    }
}
