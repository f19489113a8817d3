package farm.gantry.edge.provider.klipper;

import farm.gantry.edge.refusal.Refusal;
import farm.gantry.job.PrintJob;
import farm.gantry.printer.PrinterSlot;
import java.util.List;
import java.util.Map;

/** The spools of a printer without a multi-material unit: one spool for each of its tools. */
record ToolSpools(List<String> objects) {
    /** The first number of slots that are external spools. */
    private static final int EXTERNAL = 254;

    /** Refuses a print whose filaments are mapped to slots that the printer would not use for them. */
    void check(Map<String, PrintJob.Slot> places) throws Refusal {
        boolean isOneSpool = places.values().stream().distinct().count() == 1;
        for (Map.Entry<String, PrintJob.Slot> filament : places.entrySet()) {
            int tool = toolNumber(filament.getKey());
            PrintJob.Slot place = filament.getValue();
            boolean isOwn = place.equals(new PrintJob.Slot(0, tool));
            boolean isOnly = place.equals(new PrintJob.Slot(0, 0)) || place.amsIndex() >= EXTERNAL;
            if (!isOwn && !(isOnly && isOneSpool && !hasSeveralTools())) {
                throw refuse(tool, place, "the printer cannot change filaments");
            }
        }
    }

    /** Returns whether the printer has this tool. The name of Klipper's first tool has no number. */
    boolean hasTool(int tool) {
        return tool == 0 || objects.contains("extruder" + tool) || objects.contains("tool T" + tool);
    }

    boolean hasSeveralTools() {
        return objects.stream().anyMatch(object -> object.matches("extruder\\d+|tool T\\d+|ercf"));
    }

    static boolean isExternal(int place) {
        return place >= EXTERNAL;
    }

    static int toolNumber(String filament) throws Refusal {
        if (!filament.matches("\\d{1,3}")) {
            throw Refusal.becauseOfJob("the file has no filament " + filament);
        }
        return Integer.parseInt(filament);
    }

    static Refusal refuse(int tool, PrintJob.Slot place, String reason) {
        return Refusal.becauseOfJob("the printer cannot print T%d from %s: %s"
                .formatted(tool, PrinterSlot.name(place.amsIndex(), place.slotIndex()), reason));
    }
}
