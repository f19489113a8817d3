package farm.gantry.simulator;

import farm.gantry.json.Tree;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a simulated printer of Anycubic's does when it is told to, and what it says of it. */
record AnycubicCommands(AnycubicSimulator simulator) {
    private static final int REFUSED = 10_102;

    /** None to what it does not understand. */
    Optional<Map<String, Object>> answer(Map<String, Object> message, boolean fromSlicer) {
        String type = String.valueOf(message.get("type"));
        String action = String.valueOf(message.get("action"));
        Map<String, Object> data = Tree.object(message, "data");
        AnycubicStatus info = new AnycubicStatus(simulator);
        return switch (type + " " + action) {
            case "info query" -> Optional.of(info.report());
            case "multiColorBox getInfo" ->
                Optional.of(AnycubicSimulator.report(type, action, "success", AnycubicStatus.boxes()));
            case "print start", "print pause", "print resume", "print stop", "print update", "light control" ->
                Optional.of(done(type, action, data, fromSlicer));
            case "axis move" -> {
                simulator.obeyed(Map.of("type", type, "action", action, "data", data));
                yield Optional.empty();
            }
            case "video startCapture", "video stopCapture" ->
                Optional.of(AnycubicSimulator.report(type, action, film(action), Map.of()));
            default -> Optional.empty();
        };
    }

    private String film(String action) {
        if (action.equals("stopCapture")) {
            simulator.film().end();
            return "pushStopped";
        }
        simulator.film().begin();
        return "initSuccess";
    }

    private Map<String, Object> done(String type, String action, Map<String, Object> data, boolean fromSlicer) {
        try {
            obey(action, data, fromSlicer);
            simulator.obeyed(Map.of("type", type, "action", action, "data", data));
            return AnycubicSimulator.report(type, action, "done", Map.of());
        } catch (RpcException e) {
            Map<String, Object> report = AnycubicSimulator.report(type, action, "failed", Map.of());
            report.put("code", REFUSED);
            report.put("msg", String.valueOf(e.getMessage()));
            return report;
        }
    }

    private void obey(String action, Map<String, Object> data, boolean fromSlicer) throws RpcException {
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
            case "update" -> heat(printer, Tree.object(data, "settings"));
            default -> {}
        }
    }

    /** Each as it lies in its slot: one that is not there is no reason to begin. */
    private static void checkFilaments(List<?> filaments) throws RpcException {
        for (Object filament : filaments) {
            int slot = (int) Tree.number(filament, "ams_index", -1);
            boolean there = AnycubicStatus.loaded(slot).equals(Tree.text(filament, "material_type"))
                    && Tree.list(filament, "ams_color").size() == 4;
            if (!there) {
                throw RpcException.refused("no filament in slot " + slot);
            }
        }
    }

    private static void heat(SimulatedPrinter printer, Map<String, Object> settings) throws RpcException {
        Double nozzle = Tree.number(settings, "target_nozzle_temp");
        Double bed = Tree.number(settings, "target_hotbed_temp");
        if (nozzle != null) {
            printer.script("M104 S" + nozzle);
        }
        if (bed != null) {
            printer.script("M140 S" + bed);
        }
    }
}
