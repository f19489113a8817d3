package farm.gantry.edge.provider.octoprint;

import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.provider.FrameContract;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.json.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Frames of OctoPrint: its responses about the printer and the job. */
final class FrameTest implements FrameContract {
    @Override
    public List<String> frames() {
        return List.of("""
                {"printer": {"state": {"flags": {"ready": true, "operational": true}},
                  "temperature": {"tool0": {"actual": 24.1, "target": 0}, "tool1": {"actual": null}, "bed": {"actual": 23, "target": 0}}},
                 "job": {"job": {"file": {"name": null}}, "progress": {"completion": null}, "state": "Operational"}}""", """
                {"printer": {"state": {"flags": {"printing": true}}, "temperature": {"tool0": {"actual": 100, "target": 210}}},
                 "job": {"job": {"file": {"name": "a.gcode", "display": "A.gcode"}},
                  "progress": {"completion": 1.5, "printTime": 12, "printTimeLeft": 900, "filepos": 1200}, "state": "Printing"}}""", """
                {"printer": {"state": {"flags": {"pausing": true, "printing": true}}},
                 "job": {"job": {"file": {"name": "a.gcode", "display": "A.gcode"}}, "progress": {"completion": 50, "printTime": 400}}}""", """
                {"printer": {"state": {"flags": {"error": true}}}, "job": {"state": "Error", "error": "MINTEMP",
                  "job": {"file": {"display": "A.gcode"}}}}""", """
                {"printer": {"state": {"flags": {"ready": true}}}, "job": {"job": {"file": {"display": "A.gcode"}},
                  "progress": {"completion": 100, "printTime": 900}}}""");
    }

    @Override
    public List<PrinterStatus> read(List<Map<String, Object>> frames) throws Refusal {
        List<PrinterStatus> readings = new ArrayList<>();
        @Nullable PrinterStatus before = null;
        for (Map<String, Object> frame : frames) {
            before = OctoPrintStatusParser.parse(Tree.object(frame, "printer"), Tree.object(frame, "job"), before);
            readings.add(before);
        }
        return readings;
    }
}
