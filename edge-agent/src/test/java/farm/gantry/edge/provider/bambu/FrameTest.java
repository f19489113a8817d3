package farm.gantry.edge.provider.bambu;

import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.provider.FrameContract;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Frames of a Bambu Lab broker, some of which are partial reports. */
final class FrameTest implements FrameContract {
    @Override
    public List<String> frames() {
        return List.of("""
                {"print": {"command": "push_status", "msg": 0, "gcode_state": "RUNNING", "subtask_name": "a", "gcode_file": "/data/a.gcode.3mf",
                 "task_id": "12", "stg_cur": 2, "layer_num": 0, "total_layer_num": 20, "mc_percent": 1, "mc_remaining_time": 15,
                 "nozzle_temper": 25.5, "nozzle_target_temper": 220, "bed_temper": 24, "bed_target_temper": 65, "chamber_temper": 5,
                 "device": {"extruder": {"info": [{"temp": 14418080}, {"temp": 25}]}, "ctc": {"info": {"temp": 2621476}}},
                 "print_error": 0, "hms": [{"attr": 50331904, "code": 65543}],
                 "ams": {"ams": [{"id": "0", "tray": [{"id": "0", "tray_type": "PLA", "tray_color": "FF0000FF"}, {"id": "1"}]}],
                  "tray_exist_bits": "1", "tray_now": "0"}, "vt_tray": {"id": "254", "tray_type": "PETG", "tray_color": "00FF00FF"}}}""", """
                {"print": {"command": "push_status", "msg": 1, "layer_num": 3, "mc_percent": 40, "stg_cur": 0,
                 "ams": {"ams": [{"id": "0", "tray": [{"id": "1", "tray_type": "ABS"}]}]}}}""", """
                {"print": {"command": "project_file", "sequence_id": "20001", "result": "success"}}""", """
                {"print": {"command": "push_status", "msg": 1, "gcode_state": "PAUSE", "print_error": 50348044}}""", """
                {"print": {"command": "push_status", "msg": 1, "gcode_state": "FAILED", "print_error": 50348044, "fail_reason": "50348044"}}""", """
                {"print": {"command": "push_status", "msg": 0, "gcode_state": "FINISH", "subtask_name": "a", "mc_percent": 100}}""", """
                {"print": {"command": "push_status", "msg": 1, "gcode_state": "IDLE"}}""");
    }

    @Override
    public List<PrinterStatus> read(List<Map<String, Object>> frames) {
        List<PrinterStatus> readings = new ArrayList<>();
        BambuLabState state = BambuLabState.empty();
        @Nullable PrinterStatus before = null;
        for (Map<String, Object> frame : frames) {
            if (BambuLabMessage.parse(frame) instanceof BambuLabMessage.Report(Map<String, Object> print)) {
                state = state.merge(print);
                before = BambuLabStatusParser.parse(state, before, readings.size() % 2 == 1);
                readings.add(before);
            }
        }
        return readings;
    }
}
