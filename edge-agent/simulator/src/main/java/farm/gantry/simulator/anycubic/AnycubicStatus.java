package farm.gantry.simulator.anycubic;

import farm.gantry.simulator.printer.PrintState;
import farm.gantry.simulator.printer.SimulatedPrinter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reports of a simulated Anycubic printer. */
record AnycubicStatus(AnycubicSimulator simulator) {
    private static final double FIRST_SECONDS = 5;
    private static final int BROKEN = 10_501;
    private static final int SECONDS = 60;
    private static final List<Map<String, Object>> SLOTS = List.of(
            slot(0, "PLA", List.of(255, 255, 255)), slot(1, "PETG", List.of(33, 39, 33)), slot(2, "", List.of()));

    private SimulatedPrinter printer() {
        return simulator.printer();
    }

    Map<String, Object> report() {
        boolean busy = printer().isShutDown() || printer().print().isActive();
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("model", "Simulated");
        data.put("state", busy ? "busy" : "free");
        data.put("temp", temperatures());
        data.put("urls", Map.of("fileUploadurl", simulator.uploadUrl(), "rtspUrl", simulator.address() + "/flv"));
        data.put("project", busy ? job() : null);
        data.put("last_project", busy || job().isEmpty() ? null : job());
        Map<String, Object> report = AnycubicSimulator.report("info", "report", "done", data);
        if (printer().isShutDown()) {
            report.put("code", BROKEN);
            report.put("msg", printer().klippyMessage());
        }
        return report;
    }

    Map<String, Object> temperatures() {
        return Map.of(
                "curr_nozzle_temp",
                Math.round(printer().nozzle().temperature()),
                "target_nozzle_temp",
                Math.round(printer().nozzle().target()),
                "curr_hotbed_temp",
                Math.round(printer().bed().temperature()),
                "target_hotbed_temp",
                Math.round(printer().bed().target()),
                "curr_chamber_temp",
                0);
    }

    /** Returns an empty job before the first print. */
    Map<String, Object> job() {
        PrintState print = printer().print();
        if (print.file() == null) {
            return Map.of();
        }
        Map<String, Object> job = new LinkedHashMap<>();
        job.put("taskid", "-1");
        job.put("state", state(print));
        job.put("filename", print.fileName());
        job.put("progress", print.percent());
        job.put("curr_layer", print.layer());
        job.put("total_layers", print.layers());
        job.put("print_time", Math.round(print.printed() / SECONDS));
        job.put("remain_time", Math.round(print.remaining() / SECONDS));
        job.put("pause", print.state().equals("paused") && !printer().isShutDown() ? 1 : 0);
        return job;
    }

    private String state(PrintState print) {
        if (printer().isShutDown()) {
            return "failed";
        }
        return switch (print.state()) {
            case "printing" -> print.printed() == 0 ? warmingUp(print) : "printing";
            case "paused" -> "paused";
            case "complete" -> "finished";
            case "error" -> "failed";
            default -> "stoped";
        };
    }

    private static String warmingUp(PrintState print) {
        return print.total() < FIRST_SECONDS ? "auto_leveling" : "preheating";
    }

    static Map<String, Object> boxes() {
        return Map.of("multi_color_box", List.of(Map.of("id", 0, "loaded_slot", 1, "slots", SLOTS)));
    }

    /** Returns the filament type in this slot of the only box. */
    static String filamentType(int slot) {
        return slot < 0 || slot >= SLOTS.size()
                ? ""
                : String.valueOf(SLOTS.get(slot).get("type"));
    }

    private static Map<String, Object> slot(int index, String type, List<Integer> color) {
        return Map.of("index", index, "type", type, "color", color, "status", type.isEmpty() ? 0 : 5);
    }
}
