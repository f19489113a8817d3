package farm.gantry.simulator.sdcp;

import farm.gantry.simulator.printer.GcodeFile;
import farm.gantry.simulator.printer.PrintState;
import farm.gantry.simulator.printer.SimulatedPrinter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Status of a simulated SDCP printer. */
record SdcpStatus(SdcpSimulator simulator) {
    private static final int PREHEATING = 16;
    private static final int PREHEATED = 20;
    private static final int PRINTING = 13;
    private static final int PAUSED = 6;
    private static final int STOPPED = 8;
    private static final int COMPLETE = 9;
    private static final int ERROR = 14;
    private static final double PARKED = 0.3;

    private SimulatedPrinter printer() {
        return simulator.printer();
    }

    Map<String, Object> allFields() {
        Map<String, Object> status = new LinkedHashMap<>();
        status.put("CurrentStatus", List.of(isPrinting() ? 1 : 0));
        status.put("TempOfNozzle", printer().nozzle().temperature());
        status.put("TempTargetNozzle", printer().nozzle().target());
        status.put("TempOfHotbed", printer().bed().temperature());
        status.put("TempTargetHotbed", printer().bed().target());
        status.put("TempOfBox", 24.5);
        status.put("TempTargetBox", 0);
        status.put("CurrenCoord", "202.00,264.50,24.59");
        status.put("CurrentFanSpeed", setting("ModelFan", "AuxiliaryFan", "BoxFan"));
        status.put("LightStatus", setting("SecondLight"));
        status.put("PrintInfo", print());
        return status;
    }

    private Map<String, Object> setting(String... names) {
        Map<String, Object> settings = new LinkedHashMap<>();
        for (String name : names) {
            settings.put(name, simulator.settings().getOrDefault(name, 0));
        }
        return settings;
    }

    private boolean isPrinting() {
        return printer().print().isActive() && !printer().isShutDown();
    }

    /** Returns the print's fields. A stopped print loses its file name and progress, as on the real ones. */
    private Map<String, Object> print() {
        PrintState print = printer().print();
        GcodeFile file = print.state().equals("cancelled") ? null : print.file();
        double progress = file == null ? 0 : print.progress();
        Map<String, Object> info = new LinkedHashMap<>();
        info.put("Status", statusCode(print));
        info.put("CurrentLayer", file == null ? 0 : print.layer());
        info.put("TotalLayer", print.layers());
        info.put("CurrentTicks", file == null ? 0 : print.printed());
        info.put("TotalTicks", file == null ? 0 : print.length());
        info.put("Filename", file == null ? "" : file.name());
        info.put("TaskId", file == null ? "" : printer().newestPrint());
        info.put("ErrorNumber", statusCode(print) == ERROR ? ERROR : 0);
        info.put("PrintSpeedPct", 100);
        info.put("Progress", (int) Math.floor(100 * progress));
        return info;
    }

    /** Returns the state's number. For the first layers, real printers still report the state before printing. */
    private int statusCode(PrintState print) {
        return switch (print.state()) {
            case "standby" -> 0;
            case "printing" -> printer().isShutDown() ? ERROR : printingCode(print);
            case "paused" -> printer().isShutDown() ? ERROR : PAUSED;
            case "complete" -> COMPLETE;
            case "cancelled" -> STOPPED;
            default -> ERROR;
        };
    }

    private int printingCode(PrintState print) {
        if (print.printed() == 0) {
            return PREHEATING;
        }
        return print.progress() < PARKED ? PREHEATED : PRINTING;
    }
}
