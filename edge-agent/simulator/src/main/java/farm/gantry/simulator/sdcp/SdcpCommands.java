package farm.gantry.simulator.sdcp;

import farm.gantry.json.Tree;
import farm.gantry.simulator.printer.RpcException;
import farm.gantry.simulator.printer.SimulatedPrinter;
import java.util.List;
import java.util.Map;

/** Executes SDCP commands and creates their responses. */
record SdcpCommands(SdcpSimulator simulator) {
    private static final int BUSY = 1;
    private static final int NOT_FOUND = 2;
    private static final int SHOWN_TO_OTHERS = 1;
    private static final String LOCAL = "/local/";

    Map<String, Object> respond(Map<String, Object> request) {
        int cmd = (int) Tree.number(request, "Cmd", -1);
        Map<String, Object> data = Tree.object(request, "Data");
        try {
            return switch (cmd) {
                case 0, 1 -> ack(0);
                case 320 -> Map.of("Ack", 0, "HistoryData", ids());
                case 386 -> video(Tree.number(data, "Enable", 0) == 1);
                case 321 -> Map.of("Ack", 0, "HistoryDetailList", tasks(Tree.list(data, "Id")));
                default -> {
                    int ack = execute(cmd, data);
                    if (ack == 0) {
                        simulator.printer().record(Map.of("Cmd", cmd, "Data", data));
                    }
                    yield ack(ack);
                }
            };
        } catch (RpcException e) {
            return ack(BUSY);
        }
    }

    private static Map<String, Object> ack(int ack) {
        return Map.of("Ack", ack);
    }

    private SimulatedPrinter printer() {
        return simulator.printer();
    }

    private int execute(int cmd, Map<String, Object> data) throws RpcException {
        switch (cmd) {
            case 128 -> {
                return start(String.valueOf(data.get("Filename")));
            }
            case 129 -> printer().pause();
            case 130 -> {
                if (!printer().print().isActive()) {
                    return BUSY;
                }
                printer().cancel();
            }
            case 131 -> printer().resume();
            case 255 -> simulator.uploads().abort(String.valueOf(data.get("Uuid")));
            case 259 -> {
                for (Object path : Tree.list(data, "FileList")) {
                    printer().remove(name(String.valueOf(path)));
                }
            }
            case 401, 402 -> {
                if (printer().print().isActive()) {
                    return BUSY;
                }
            }
            case 403 -> set(data);
            default -> {
                return BUSY;
            }
        }
        return 0;
    }

    private int start(String path) throws RpcException {
        String name = name(path);
        if (printer().file(name) == null) {
            return NOT_FOUND;
        }
        if (simulator.isScanningFile()) {
            return BUSY;
        }
        printer().start(name);
        return 0;
    }

    private static String name(String path) {
        return path.startsWith(LOCAL) ? path.substring(LOCAL.length()) : path;
    }

    private void set(Map<String, Object> data) throws RpcException {
        printer().heat(Tree.number(data, "TempTargetNozzle"), Tree.number(data, "TempTargetHotbed"));
        simulator.settings().putAll(Tree.object(data, "TargetFanSpeed"));
        simulator.settings().putAll(Tree.object(data, "LightStatus"));
    }

    private Map<String, Object> video(boolean on) {
        if (!on) {
            simulator.video().stop();
            return Map.of("Ack", 0);
        }
        return simulator.video().start()
                ? Map.of("Ack", 0, "VideoUrl", "127.0.0.1:" + simulator.port() + "/video")
                : Map.of("Ack", SHOWN_TO_OTHERS);
    }

    private List<String> ids() {
        return printer().history().stream()
                .map(job -> String.valueOf(job.get("job_id")))
                .toList();
    }

    private List<Map<String, Object>> tasks(List<?> ids) {
        return printer().history().stream()
                .filter(job -> ids.contains(job.get("job_id")))
                .map(job -> Map.of(
                        "TaskId",
                        job.get("job_id"),
                        "TaskName",
                        job.get("filename"),
                        "BeginTime",
                        Integer.parseInt(String.valueOf(job.get("job_id")), 16),
                        "TaskStatus",
                        status(String.valueOf(job.get("status")))))
                .toList();
    }

    private static int status(String historyStatus) {
        return switch (historyStatus) {
            case "in_progress" -> 0;
            case "completed" -> 1;
            case "cancelled" -> 3;
            default -> 2;
        };
    }
}
