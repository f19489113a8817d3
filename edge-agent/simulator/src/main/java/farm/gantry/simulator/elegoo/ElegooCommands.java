package farm.gantry.simulator.elegoo;

import farm.gantry.json.Tree;
import farm.gantry.simulator.printer.GcodeFile;
import farm.gantry.simulator.printer.RpcException;
import farm.gantry.simulator.printer.SimulatedPrinter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Executes the requests of a simulated Elegoo printer and creates their responses. */
record ElegooCommands(ElegooSimulator simulator) {
    static final int STATUS = 1002;
    private static final int UNKNOWN_COMMAND = 1001;
    private static final int BAD_VALUE = 1003;
    private static final int NOT_REMOVED = 1007;
    private static final int BUSY = 1009;
    private static final int NOT_PRINTING = 1010;
    private static final int NO_FILE = 1021;

    Map<String, Object> respond(Map<String, Object> request) {
        int method = (int) Tree.number(request, "method", 0);
        Map<String, Object> params = Tree.object(request, "params");
        Map<String, Object> result = new LinkedHashMap<>();
        try {
            result.putAll(executeAndRespond(method, params));
            result.put("error_code", 0);
        } catch (RpcException e) {
            result.put("error_code", e.code());
        }
        return Map.of("id", Objects.requireNonNullElse(request.get("id"), 0), "method", method, "result", result);
    }

    private SimulatedPrinter printer() {
        return simulator.printer();
    }

    private Map<String, Object> executeAndRespond(int method, Map<String, Object> params) throws RpcException {
        return switch (method) {
            case STATUS -> new ElegooStatus(printer(), simulator.hasCamera()).allFields();
            case 1046 -> details(String.valueOf(params.get("filename")));
            case 1036 -> Map.of("history_task_list", tasks());
            case 1042 -> video(Tree.number(params, "enable", 0) == 1);
            case 2005 -> Map.of("canvas_info", filamentUnits());
            default -> {
                execute(method, params);
                simulator.printer().record(Map.of("method", method, "params", params));
                yield Map.of();
            }
        };
    }

    private Map<String, Object> details(String name) throws RpcException {
        GcodeFile file = printer().file(name);
        if (file == null) {
            throw new RpcException(NO_FILE, "no such file");
        }
        return Map.of("filename", name, "size", file.size(), "layer", (int) file.number("layer_count", 0));
    }

    /** Returns the prints, the oldest first. */
    private List<Map<String, Object>> tasks() {
        return printer().history().reversed().stream()
                .map(job -> Map.of(
                        "task_id",
                        job.get("job_id"),
                        "task_name",
                        job.get("filename"),
                        "begin_time",
                        Integer.parseInt(String.valueOf(job.get("job_id")), 16),
                        "task_status",
                        status(String.valueOf(job.get("status")))))
                .toList();
    }

    private static int status(String historyStatus) {
        return switch (historyStatus) {
            case "in_progress" -> 4;
            case "completed" -> 1;
            case "cancelled" -> 3;
            default -> 2;
        };
    }

    private Map<String, Object> video(boolean on) throws RpcException {
        if (!on) {
            simulator.video().stop();
        } else if (!simulator.video().start()) {
            throw new RpcException(BUSY, "shown to others");
        }
        return Map.of();
    }

    private void execute(int method, Map<String, Object> params) throws RpcException {
        switch (method) {
            case 1020 -> start(params);
            case 1021 -> control(printer()::pause);
            case 1022 -> control(printer()::cancel);
            case 1023 -> control(printer()::resume);
            case 1026 -> printer().script("G28 " + params.get("homed_axes"));
            case 1027 -> printer().script("G1 " + params.get("axes") + params.get("distance"));
            case 1028 -> heat(params);
            case 1029, 1030 -> {}
            case 1047 -> {
                if (!printer().remove(String.valueOf(params.get("filename")))) {
                    throw new RpcException(NOT_REMOVED, "cannot delete file");
                }
            }
            default -> throw new RpcException(UNKNOWN_COMMAND, "unknown interface");
        }
    }

    private void start(Map<String, Object> params) throws RpcException {
        Map<String, Object> config = Tree.object(params, "config");
        boolean whole = Stream.of("delay_video", "printer_check", "print_layout", "bedlevel_force", "slot_map")
                .allMatch(config::containsKey);
        if (!whole || !"local".equals(params.get("storage_media"))) {
            throw new RpcException(BAD_VALUE, "the order is not whole");
        }
        String name = String.valueOf(params.get("filename"));
        if (printer().print().isActive()) {
            throw new RpcException(BUSY, "printer is busy");
        }
        details(name);
        printer().start(name);
    }

    private interface PrintControl {
        void run() throws RpcException;
    }

    private void control(PrintControl control) throws RpcException {
        if (!printer().print().isActive()) {
            throw new RpcException(NOT_PRINTING, "not in printing state");
        }
        control.run();
    }

    private void heat(Map<String, Object> params) throws RpcException {
        String script = params.entrySet().stream()
                .map(heater -> (heater.getKey().equals("extruder") ? "M104 S" : "M140 S") + heater.getValue())
                .collect(Collectors.joining("\n"));
        printer().script(script);
    }

    private static Map<String, Object> filamentUnits() {
        List<Map<String, Object>> trays = List.of(
                tray(0, "PLA", "#2850DF", 1),
                tray(1, "PETG", "#FFFFFF", 2),
                tray(2, "PLA", "#F32FF8", 1),
                tray(3, "", "", 0));
        return Map.of(
                "active_canvas_id",
                0,
                "active_tray_id",
                1,
                "auto_refill",
                false,
                "canvas_list",
                List.of(Map.of("canvas_id", 0, "connected", 1, "tray_list", trays)));
    }

    private static Map<String, Object> tray(int id, String type, String color, int status) {
        return Map.of("tray_id", id, "filament_type", type, "filament_color", color, "status", status);
    }
}
