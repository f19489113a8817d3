package farm.gantry.edge.provider.anycubic;

import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.provider.FrameContract;
import farm.gantry.json.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Frames of an Anycubic broker; {@code type} stands for the topic. */
final class FrameTest implements FrameContract {
    @Override
    public List<String> frames() {
        return List.of("""
                {"type": "info", "data": {"state": "free", "temp": {"curr_nozzle_temp": 24, "target_nozzle_temp": 0, "curr_hotbed_temp": 23,
                 "target_hotbed_temp": 0, "curr_chamber_temp": 0}, "urls": {"rtspUrl": "http://x/flv", "fileUploadurl": "http://x/gcode_upload"},
                 "last_project": {"filename": "old.gcode", "state": "finished"}}}""", """
                {"type": "print", "state": "preheating", "data": {"filename": "/a.gcode", "progress": 0, "curr_layer": 0, "total_layers": 20,
                 "print_time": 0, "remain_time": 15, "pause": 0}}""", """
                {"type": "tempature", "data": {"curr_nozzle_temp": 210, "target_nozzle_temp": 210}}""", """
                {"type": "multiColorBox", "data": {"multi_color_box": [{"id": 0, "slots": [{"index": 0, "type": "PLA", "color": [255, 0, 0]},
                 {"index": 1, "type": ""}]}]}}""", """
                {"type": "print", "state": "paused", "data": {"pause": 2, "progress": 40}}""", """
                {"type": "info", "code": 10109, "msg": "filament ran out", "data": {"state": "busy", "project": {"filename": "a.gcode",
                 "state": "printing", "progress": 50}}}""", """
                {"type": "print", "state": "finished", "data": {"filename": "a.gcode", "progress": 100}}""");
    }

    @Override
    public List<PrinterStatus> read(List<Map<String, Object>> frames) {
        List<PrinterStatus> readings = new ArrayList<>();
        AnycubicState state = AnycubicState.empty();
        @Nullable PrinterStatus before = null;
        for (Map<String, Object> frame : frames) {
            Map<String, Object> data = Tree.object(frame, "data");
            state = switch (String.valueOf(frame.get("type"))) {
                case "info" -> data.isEmpty() ? state : state.withFullReport(frame);
                case "tempature" -> state.withTemperatures(data);
                case "print" -> state.withJobReport(frame);
                case "multiColorBox" -> state.withBoxes(data);
                default -> state;
            };
            before = AnycubicStatusParser.parse(state, before, readings.size() % 2 == 1);
            readings.add(before);
        }
        return readings;
    }
}
