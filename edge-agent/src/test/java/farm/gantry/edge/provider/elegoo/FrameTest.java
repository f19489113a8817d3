package farm.gantry.edge.provider.elegoo;

import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.provider.FrameContract;
import farm.gantry.json.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Frames of an Elegoo printer: its complete status, then numbered changes. */
final class FrameTest implements FrameContract {
    @Override
    public List<String> frames() {
        return List.of("""
                {"machine_status": {"status": 1, "sub_status": 0, "progress": 0, "exception_status": []}, "print_status": {"state": "standby"},
                 "extruder": {"temperature": 24, "target": 0}, "heater_bed": {"temperature": 23, "target": 0},
                 "ztemperature_sensor": {"temperature": 25}, "external_device": {"camera": true},
                 "canvas_info": {"canvas_list": [{"canvas_id": 0, "connected": 1, "tray_list": [{"tray_id": 0, "status": 1,
                  "filament_type": "PLA", "filament_color": "#FF0000"}, {"tray_id": 1, "status": 0}]}]}}""", """
                {"id": 1, "machine_status": {"status": 2, "sub_status": 1045}, "print_status": {"filename": "/a.gcode", "total_layer": 20,
                 "current_layer": 0, "print_duration": 0, "remaining_time_sec": 900, "uuid": "u1"}}""", """
                {"id": 2, "machine_status": {"sub_status": 2075, "progress": 40, "exception_status": [801]}, "print_status": {"current_layer": 4}}""", """
                {"id": 4, "machine_status": {"sub_status": 2502}}""", """
                {"id": 5, "machine_status": {"status": 1, "sub_status": 2077}, "print_status": {"state": "complete"}}""");
    }

    @Override
    public List<PrinterStatus> read(List<Map<String, Object>> frames) {
        List<PrinterStatus> readings = new ArrayList<>();
        ElegooState state = ElegooState.empty();
        @Nullable PrinterStatus before = null;
        for (Map<String, Object> frame : frames) {
            Integer number = Tree.integer(frame, "id");
            state = number == null ? state.withFullStatus(frame) : state.withChange(number, frame);
            before = ElegooStatusParser.parse(state, before, readings.size() % 2 == 1);
            readings.add(before);
        }
        return readings;
    }
}
