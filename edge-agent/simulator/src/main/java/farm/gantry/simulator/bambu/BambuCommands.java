package farm.gantry.simulator.bambu;

import farm.gantry.json.Tree;
import farm.gantry.simulator.printer.RpcException;
import farm.gantry.simulator.printer.SimulatedPrinter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Executes the commands of a simulated Bambu Lab printer and creates their responses. */
record BambuCommands(BambuSimulator simulator) {
    private static final int NOT_SIGNED = 84_033_543;
    private static final String CARD = "ftp://";

    /** Returns the response to a message; empty for those without one. */
    Optional<Map<String, Object>> respond(Map<String, Object> message) {
        for (Map.Entry<String, Object> part : message.entrySet()) {
            Map<String, Object> request = Tree.object(part.getValue());
            String command = String.valueOf(Tree.text(request, "command"));
            return switch (command) {
                case "pushall" -> Optional.of(BambuStatus.fullReport(new BambuStatus(simulator).allFields()));
                case "start", "get_version" -> Optional.empty();
                case "project_file" ->
                    simulator.startReading(request) ? Optional.empty() : Optional.of(response(part.getKey(), request));
                default ->
                    simulator.has(BambuSimulator.PARSING)
                            ? Optional.empty()
                            : Optional.of(response(part.getKey(), request));
            };
        }
        return Optional.empty();
    }

    private Map<String, Object> response(String part, Map<String, Object> request) {
        return Map.of(part, respond(String.valueOf(Tree.text(request, "command")), request));
    }

    Map<String, Object> respond(String command, Map<String, Object> request) {
        Map<String, Object> answer = new LinkedHashMap<>(request);
        if (simulator.has("signatures")) {
            answer.put("result", "failed");
            answer.put("err_code", NOT_SIGNED);
            return answer;
        }
        try {
            execute(command, request);
            simulator.printer().record(request);
            answer.put("result", "success");
        } catch (RpcException e) {
            answer.put("result", "fail");
            answer.put("reason", String.valueOf(e.getMessage()));
        }
        return answer;
    }

    private void execute(String command, Map<String, Object> request) throws RpcException {
        SimulatedPrinter printer = simulator.printer();
        switch (command) {
            case "project_file" -> print(request);
            case "pause" -> simulator.pause();
            case "resume" -> printer.resume();
            case "stop" -> printer.cancel();
            case "gcode_line" -> printer.script(String.valueOf(Tree.text(request, "param")));
            case "ams_filament_setting" -> simulator.trays().setFilament(request);
            case "ledctrl", "skip_objects", "ams_change_filament", "ams_get_rfid", "calibration" -> {}
            default -> throw RpcException.refused("unknown command " + command);
        }
    }

    private void print(Map<String, Object> request) throws RpcException {
        String url = String.valueOf(Tree.text(request, "url"));
        String id = String.valueOf(Tree.text(request, "task_id"));
        List<String> wanted = List.of("param", "subtask_name", "bed_type");
        if (!url.startsWith(CARD) || !request.keySet().containsAll(wanted) || id.length() > 10) {
            throw RpcException.refused("the order is not whole");
        }
        simulator.startPrint(withoutExtension(url.substring(CARD.length())), id);
    }

    /** Returns the name of a print, which is that of its project. */
    static String withoutExtension(String fileName) {
        return fileName.replaceFirst("\\.3mf$", "");
    }
}
