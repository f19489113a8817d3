package farm.gantry.simulator.anycubic;

import farm.gantry.json.Tree;
import farm.gantry.simulator.printer.RpcException;
import farm.gantry.simulator.printer.SimulatedPrinter;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Executes the commands of a simulated Anycubic printer and creates their reports. */
record AnycubicCommands(AnycubicSimulator simulator) {
    private static final int REFUSED = 10_102;

    /** Returns the report on a command; empty if the command is unknown. */
    Optional<Map<String, Object>> respond(Map<String, Object> message, boolean fromSlicer) {
        String type = String.valueOf(message.get("type"));
        String action = String.valueOf(message.get("action"));
        Map<String, Object> data = Tree.object(message, "data");
        AnycubicStatus info = new AnycubicStatus(simulator);
        return switch (type + " " + action) {
            case "info query" -> Optional.of(info.report());
            case "multiColorBox getInfo" ->
                Optional.of(AnycubicSimulator.report(type, action, "success", AnycubicStatus.boxes()));
            case "print start", "print pause", "print resume", "print stop", "print update", "light control" ->
                Optional.of(executeAndReport(type, action, data, fromSlicer));
            case "axis move" -> {
                simulator.printer().record(Map.of("type", type, "action", action, "data", data));
                yield Optional.empty();
            }
            case "video startCapture", "video stopCapture" ->
                Optional.of(AnycubicSimulator.report(type, action, controlVideo(action), Map.of()));
            default -> Optional.empty();
        };
    }

    private String controlVideo(String action) {
        if (action.equals("stopCapture")) {
            simulator.video().stop();
            return "pushStopped";
        }
        simulator.video().start();
        return "initSuccess";
    }

    private Map<String, Object> executeAndReport(
            String type, String action, Map<String, Object> data, boolean fromSlicer) {
        try {
            execute(action, data, fromSlicer);
            simulator.printer().record(Map.of("type", type, "action", action, "data", data));
            return AnycubicSimulator.report(type, action, "done", Map.of());
        } catch (RpcException e) {
            Map<String, Object> report = AnycubicSimulator.report(type, action, "failed", Map.of());
            report.put("code", REFUSED);
            report.put("msg", String.valueOf(e.getMessage()));
            return report;
        }
    }

    private void execute(String action, Map<String, Object> data, boolean fromSlicer) throws RpcException {
        SimulatedPrinter printer = simulator.printer();
        if (!action.equals("control") && !"-1".equals(data.get("taskid"))) {
            throw RpcException.refused("no such task");
        }
        switch (action) {
            case "start" -> {
                if (!fromSlicer || Tree.text(data, "md5") == null) {
                    throw RpcException.refused("the order is not whole");
                }
                checkFilaments(Tree.list(data, "ams_settings", "ams_box_mapping"));
                printer.start(String.valueOf(data.get("filename")));
            }
            case "pause" -> printer.pause();
            case "resume" -> printer.resume();
            case "stop" -> printer.cancel();
            case "update" -> {
                Map<String, Object> settings = Tree.object(data, "settings");
                printer.heat(Tree.number(settings, "target_nozzle_temp"), Tree.number(settings, "target_hotbed_temp"));
            }
            default -> {}
        }
    }

    /** Refuses filaments that do not match their slots. */
    private static void checkFilaments(List<?> filaments) throws RpcException {
        for (Object filament : filaments) {
            int slot = (int) Tree.number(filament, "ams_index", -1);
            boolean there = AnycubicStatus.filamentType(slot).equals(Tree.text(filament, "material_type"))
                    && Tree.list(filament, "ams_color").size() == 4;
            if (!there) {
                throw RpcException.refused("no filament in slot " + slot);
            }
        }
    }
}
