package farm.gantry.edge.provider.prusalink;

import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.provider.FrameContract;
import farm.gantry.json.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Frames of PrusaLink: its status, and the name of the job. */
final class FrameTest implements FrameContract {
    @Override
    public List<String> frames() {
        return List.of("""
                {"printer": {"state": "IDLE", "temp_nozzle": 24, "target_nozzle": 0, "temp_bed": 23, "target_bed": 0, "axis_z": 2}}""", """
                {"job": {"id": 7, "progress": 0, "time_remaining": 900, "time_printing": 0}, "name": "a.gcode",
                 "printer": {"state": "PRINTING", "temp_nozzle": 24, "target_nozzle": 215, "temp_bed": 23, "target_bed": 60}}""", """
                {"job": {"id": 7, "progress": 42, "time_remaining": 500, "time_printing": 400}, "name": "a.gcode",
                 "printer": {"state": "ATTENTION", "temp_nozzle": 215, "target_nozzle": 215, "axis_z": 3.4}, "dialog": {"code": 27305}}""", """
                {"job": {"id": 7, "progress": 100, "time_printing": 900}, "name": "a.gcode", "printer": {"state": "FINISHED"}}""", """
                {"printer": {"state": "FINISHED", "job_id": 7}}""", """
                {"printer": {"state": "READY", "job_id": 8}}""");
    }

    @Override
    public List<PrinterStatus> read(List<Map<String, Object>> frames) {
        List<PrinterStatus> readings = new ArrayList<>();
        @Nullable PrinterStatus before = null;
        for (Map<String, Object> frame : frames) {
            String name = frame.containsKey("job") ? Tree.text(frame, "name") : null;
            before = PrusaLinkStatusParser.parse(frame, name, before, false);
            readings.add(before);
        }
        return readings;
    }
}
