package farm.gantry.edge.provider.klipper;

import farm.gantry.edge.refusal.Refusal;
import farm.gantry.job.PrintJob;
import farm.gantry.printer.PrinterSlot;
import java.util.List;
import java.util.Map;

/** The spools of a printer that changes none by itself: one for each of its tools. */
record SpoolMapping(List<String> objects) {
    /** From here on places are beside any unit. */
    private static final int EXTERNAL = 254;

    /** A print that would take its filaments from elsewhere than it should is not begun. */
    void check(Map<String, PrintJob.Slot> places) throws Refusal {
        boolean isOneSpool = places.values().stream().distinct().count() == 1;
        for (Map.Entry<String, PrintJob.Slot> filament : places.entrySet()) {
            int tool = tool(filament.getKey());
            PrintJob.Slot place = filament.getValue();
            boolean isOwn = place.equals(new PrintJob.Slot(0, tool));
            boolean isOnly = place.equals(new PrintJob.Slot(0, 0)) || place.amsIndex() >= EXTERNAL;
            if (!isOwn && !(isOnly && isOneSpool && !hasSeveral())) {
                throw refused(tool, place, "nothing there can be told to change filaments");
            }
        }
    }

    /** Klipper calls its first tool by no number. */
    boolean has(int tool) {
        return tool == 0 || objects.contains("extruder" + tool) || objects.contains("tool T" + tool);
    }

    boolean hasSeveral() {
        return objects.stream().anyMatch(object -> object.matches("extruder\\d+|tool T\\d+|ercf"));
    }

    static boolean isExternal(int place) {
        return place >= EXTERNAL;
    }

    static int tool(String filament) throws Refusal {
        if (!filament.matches("\\d{1,3}")) {
            throw Refusal.ofJob("there is no filament " + filament);
        }
        return Integer.parseInt(filament);
    }

    static Refusal refused(int tool, PrintJob.Slot place, String reason) {
        return Refusal.ofJob("the printer cannot print T%d from %s: %s"
                .formatted(tool, PrinterSlot.name(place.amsIndex(), place.slotIndex()), reason));
    }
}
