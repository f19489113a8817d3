package farm.gantry.edge.provider.klipper;

import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.provider.FrameContract;
import farm.gantry.json.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Frames of a Klipper: changes of its objects, and Moonraker's metadata of the file. */
final class FrameTest implements FrameContract {
    @Override
    public List<String> frames() {
        return List.of("""
                {"webhooks": {"state": "ready", "state_message": "Printer is ready"},
                 "print_stats": {"filename": "a.gcode", "print_duration": 0, "filament_used": 0, "state": "printing", "message": "",
                  "info": {"total_layer": 10, "current_layer": 0}},
                 "virtual_sdcard": {"progress": 0.01}, "display_status": {"progress": 0.01},
                 "gcode_move": {"gcode_position": [1, 2, 0.3, 4]},
                 "extruder": {"temperature": 20.5, "target": 210}, "heater_bed": {"temperature": 20, "target": 60},
                 "heater_generic chamber": {"temperature": 22, "target": 0},
                 "mmu": {"gate_status": [1, 0, 2], "gate_material": ["PLA", "", "PETG"], "gate_color": ["ff0000", "", "00ff00ff"]}}""", """
                {"print_stats": {"print_duration": 60.5, "info": {"current_layer": 3}}, "virtual_sdcard": {"progress": 0.4}}""", """
                {"metadata": {"estimated_time": 1800, "layer_count": 10, "layer_height": 0.2, "object_height": 2,
                  "first_layer_height": 0.3, "filament_weight_total": 12.5, "filament_total": 4000}}""", """
                {"gcode_move": {"gcode_position": [1, 2, 1.1, 4]}, "print_stats": {"filament_used": 1000, "info": {"total_layer": null}}}""", """
                {"webhooks": {"state": "shutdown", "state_message": "Lost communication with MCU\\nagain"}}""", """
                {"webhooks": {"state": "ready"}, "print_stats": {"state": "complete"}}""");
    }

    @Override
    public List<PrinterStatus> read(List<Map<String, Object>> frames) {
        List<PrinterStatus> readings = new ArrayList<>();
        KlipperState state = KlipperState.empty();
        for (Map<String, Object> frame : frames) {
            state = frame.containsKey("metadata")
                    ? state.withMetadata(Tree.object(frame, "metadata"))
                    : state.merge(frame);
            readings.add(KlipperStatusParser.parse(state));
        }
        return readings;
    }
}
