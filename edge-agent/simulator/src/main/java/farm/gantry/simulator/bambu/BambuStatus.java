package farm.gantry.simulator.bambu;

import farm.gantry.simulator.printer.GcodeFile;
import farm.gantry.simulator.printer.PrintState;
import farm.gantry.simulator.printer.SimulatedPrinter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Status reports of a simulated Bambu printer. */
record BambuStatus(BambuSimulator simulator) {
    private static final double FIRST_SECONDS = 5;
    private static final int BED_HEATING = 2;
    private static final long CANCELLED = 0x0300_400C;
    private static final long FAILED = 0x0300_8009;
    private static final List<Map<String, Object>> DEAD = List.of(Map.of("attr", 0x0300_0100, "code", 0x0001_0001));

    static Map<String, Object> fullReport(Map<String, Object> all) {
        return message(all, 0);
    }

    static Map<String, Object> changeReport(Map<String, Object> some) {
        return message(some, 1);
    }

    private static Map<String, Object> message(Map<String, Object> fields, int kind) {
        Map<String, Object> print = new LinkedHashMap<>(fields);
        print.put("command", "push_status");
        print.put("msg", kind);
        print.put("sequence_id", "0");
        return Map.of("print", print);
    }

    private SimulatedPrinter printer() {
        return simulator.printer();
    }

    Map<String, Object> allFields() {
        PrintState print = printer().print();
        GcodeFile file = print.file();
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("gcode_state", Objects.requireNonNullElseGet(simulator.lingeringState(), this::state));
        all.put("stg_cur", isHeating() ? BED_HEATING : 0);
        all.put("subtask_name", print.fileName());
        all.put("gcode_file", file == null ? "" : "/data/Metadata/plate_1.gcode");
        all.put("task_id", simulator.task());
        all.put("mc_percent", print.percent());
        all.put("mc_remaining_time", Math.round(print.remaining() / 60));
        all.put("layer_num", print.layer());
        all.put("total_layer_num", print.layers());
        all.put("print_error", error());
        all.put("nozzle_temper", rounded(printer().nozzle().temperature()));
        all.put("nozzle_target_temper", printer().nozzle().target());
        all.put("bed_temper", rounded(printer().bed().temperature()));
        all.put("bed_target_temper", printer().bed().target());
        all.put("chamber_temper", 5);
        all.put("cooling_fan_speed", print.isPrinting() ? "15" : "0");
        all.put("hms", printer().isShutDown() ? DEAD : List.of());
        all.put("fun", simulator.has("signatures") ? "20000000" : "0");
        all.put("ipcam", simulator.camera());
        all.putAll(simulator.trays().report());
        return all;
    }

    private boolean isHeating() {
        PrintState print = printer().print();
        return print.isPrinting() && print.printed() == 0;
    }

    private String state() {
        PrintState print = printer().print();
        if (printer().isShutDown()) {
            return print.isActive() ? "FAILED" : "IDLE";
        }
        return switch (print.state()) {
            case "standby" -> "IDLE";
            case "printing" -> print.printed() == 0 && print.total() < FIRST_SECONDS ? "PREPARE" : "RUNNING";
            case "paused" -> "PAUSE";
            case "complete" -> "FINISH";
            default -> "FAILED";
        };
    }

    private long error() {
        return switch (printer().print().state()) {
            case "cancelled" -> CANCELLED;
            case "error" -> FAILED;
            default -> 0;
        };
    }

    private static double rounded(double value) {
        return Math.round(value * 100) / 100.0;
    }
}
