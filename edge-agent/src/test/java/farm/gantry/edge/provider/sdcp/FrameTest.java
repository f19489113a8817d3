package farm.gantry.edge.provider.sdcp;

import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.provider.FrameContract;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Frames of an SDCP printer: its complete status each time. */
final class FrameTest implements FrameContract {
    @Override
    public List<String> frames() {
        return List.of("""
                {"CurrentStatus": [0], "TempOfNozzle": 24.1, "TempTargetNozzle": 0, "TempOfHotbed": 24, "TempTargetHotbed": 0, "TempOfBox": 25,
                 "TempTargetBox": 0, "PrintInfo": {"Status": 0, "CurrentLayer": 0, "TotalLayer": 0, "CurrentTicks": 0, "TotalTicks": 0,
                 "Filename": "", "ErrorNumber": 0, "TaskId": "", "Progress": 0}}""", """
                {"CurrentStatus": [1], "TempOfNozzle": 210, "PrintInfo": {"Status": 13, "CurrentLayer": 4, "TotalLayer": 20,
                 "CurrentTicks": 60, "TotalTicks": 900, "Filename": "/local/a.gcode", "ErrorNumber": 0, "TaskId": "t1", "Progress": 11}}""", """
                {"CurrentStatus": 1, "PrintInfo": {"Status": 6, "CurrentLayer": 4, "TotalLayer": 20, "CurrentTicks": 61000,
                 "TotalTicks": 900000, "Filename": "a.gcode", "ErrorNumber": 3, "TaskId": "t1"}}""", """
                {"CurrentStatus": [0, 2], "PrintInfo": {"Status": 9, "CurrentLayer": 20, "TotalLayer": 20, "Filename": "a.gcode"}}""", """
                {"CurrentStatus": [0], "PrintInfo": {"Status": 0, "Filename": ""}}""");
    }

    @Override
    public List<PrinterStatus> read(List<Map<String, Object>> frames) {
        List<PrinterStatus> readings = new ArrayList<>();
        @Nullable PrinterStatus before = null;
        for (Map<String, Object> frame : frames) {
            before = SdcpStatusParser.parse(frame, before);
            readings.add(before);
        }
        return readings;
    }
}
