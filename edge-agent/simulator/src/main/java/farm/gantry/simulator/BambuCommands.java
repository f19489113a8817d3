package farm.gantry.simulator;

import farm.gantry.json.Tree;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a simulated printer does when it is told to, and what it says of it. */
record BambuCommands(BambuSimulator simulator) {
    private static final int NOT_SIGNED = 84_033_543;
    private static final String CARD = "ftp://";

    /** The answer to a message; none to some. */
    Optional<Map<String, Object>> answer(Map<String, Object> message) {
        for (Map.Entry<String, Object> part : message.entrySet()) {
            Map<String, Object> order = Tree.object(part.getValue());
            String command = String.valueOf(Tree.text(order, "command"));
            return switch (command) {
                case "pushall" -> Optional.of(BambuStatus.whole(new BambuStatus(simulator).all()));
                case "start", "get_version" -> Optional.empty();
                default -> Optional.of(Map.of(part.getKey(), obey(command, order)));
            };
        }
        return Optional.empty();
    }

    private Map<String, Object> obey(String command, Map<String, Object> order) {
        Map<String, Object> answer = new LinkedHashMap<>(order);
        if (simulator.wantsSignatures()) {
            answer.put("result", "failed");
            answer.put("err_code", NOT_SIGNED);
            return answer;
        }
        try {
            act(command, order);
            simulator.obeyed(order);
            answer.put("result", "success");
        } catch (RpcException e) {
            answer.put("result", "fail");
            answer.put("reason", String.valueOf(e.getMessage()));
        }
        return answer;
    }

    private void act(String command, Map<String, Object> order) throws RpcException {
        SimulatedPrinter printer = simulator.printer();
        switch (command) {
            case "project_file" -> print(order);
            case "pause" -> printer.pause();
            case "resume" -> printer.resume();
            case "stop" -> printer.cancel();
            case "gcode_line" -> printer.script(String.valueOf(Tree.text(order, "param")));
            case "ams_filament_setting" -> simulator.trays().fill(order);
            case "ledctrl", "skip_objects", "ams_change_filament", "ams_get_rfid", "calibration" -> {}
            default -> throw RpcException.refused("unknown command " + command);
        }
    }

    private void print(Map<String, Object> order) throws RpcException {
        String url = String.valueOf(Tree.text(order, "url"));
        String id = String.valueOf(Tree.text(order, "task_id"));
        List<String> wanted = List.of("param", "subtask_name", "bed_type");
        if (!url.startsWith(CARD) || !order.keySet().containsAll(wanted) || id.length() > 10) {
            throw RpcException.refused("the order is not whole");
        }
        simulator.begin(bare(url.substring(CARD.length())), id);
    }

    /** A print is called after its project. */
    static String bare(String fileName) {
        return fileName.replaceFirst("\\.3mf$", "");
    }
}
