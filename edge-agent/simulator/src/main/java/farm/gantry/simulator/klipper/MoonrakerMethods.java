package farm.gantry.simulator.klipper;

import farm.gantry.json.Tree;
import farm.gantry.simulator.printer.GcodeFile;
import farm.gantry.simulator.printer.RpcException;
import farm.gantry.simulator.printer.SimulatedPrinter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Moonraker's methods, which clients call over the WebSocket or as HTTP paths. */
record MoonrakerMethods(SimulatedPrinter printer, Predicate<String> faults, String oneshotToken) {

    Object call(String method, Map<String, Object> params) throws RpcException {
        return switch (method) {
            case "server.connection.identify" -> Map.of("connection_id", 1);
            case "access.oneshot_token" -> oneshotToken;
            case "server.info" -> info();
            case "server.database.get_item", "server.database.item" -> {
                if (faults.test(MoonrakerSimulator.NAMELESS)) {
                    throw new RpcException(-32601, "Key 'instance_id' in namespace 'moonraker' not found");
                }
                yield Map.of("value", faults.test(MoonrakerSimulator.OTHER_INSTANCE) ? "k-2" : MoonrakerSimulator.ID);
            }
            case "machine.system_info" ->
                Map.of("system_info", Map.of("cpu_info", Map.of("serial_number", cpuSerial())));
            case "printer.info" ->
                Map.of("state", printer.klippy(), "state_message", printer.klippyMessage(), "hostname", "simulator");
            case "printer.objects.list" ->
                Map.of("objects", List.copyOf(printer.objects().keySet()));
            case "printer.objects.query", "printer.objects.subscribe" -> {
                requireKlippy();
                yield Map.of(
                        "eventtime", System.nanoTime() / 1e9, "status", selectFields(Tree.object(params, "objects")));
            }
            case "server.webcams.list" ->
                Map.of(
                        "webcams",
                        List.of(Map.of("name", "bed", "enabled", true, "snapshot_url", "/webcam/?action=snapshot")));
            case "server.files.metadata" -> metadata(text(params, "filename"));
            case "server.history.list" -> {
                List<Map<String, Object>> jobs = printer.history();
                Integer limit = Tree.integer(params, "limit");
                yield Map.of(
                        "count",
                        jobs.size(),
                        "jobs",
                        jobs.subList(0, Math.min(jobs.size(), limit == null ? 50 : limit)));
            }
            case "printer.print.start" -> {
                printer.start(text(params, "filename"));
                yield "ok";
            }
            case "printer.print.pause" -> {
                printer.pause();
                yield "ok";
            }
            case "printer.print.resume" -> {
                printer.resume();
                yield "ok";
            }
            case "printer.print.cancel" -> {
                printer.cancel();
                yield "ok";
            }
            case "printer.gcode.script" -> {
                printer.script(text(params, "script"));
                yield "ok";
            }
            case "printer.emergency_stop" -> {
                printer.shutDown("Shutdown due to webhooks request");
                yield "ok";
            }
            case "printer.firmware_restart", "printer.restart" -> {
                printer.restart();
                yield "ok";
            }
            default -> throw new RpcException(-32601, "Method not found");
        };
    }

    private String cpuSerial() {
        return faults.test(MoonrakerSimulator.NAMELESS)
                ? ""
                : faults.test(MoonrakerSimulator.OTHER_HOST) ? "b827eb02" : "b827eb01";
    }

    private Map<String, Object> info() {
        boolean startup = printer.isStarting();
        return Map.of(
                "klippy_connected",
                !startup,
                "klippy_state",
                faults.test(MoonrakerSimulator.RESTARTED) ? "startup" : startup ? "disconnected" : printer.klippy(),
                "moonraker_version",
                "simulated",
                "api_version_string",
                "1.5.0");
    }

    private void requireKlippy() throws RpcException {
        if (printer.isStarting()) {
            throw new RpcException(503, "Klippy Host not connected");
        }
    }

    private Map<String, Object> metadata(String name) throws RpcException {
        GcodeFile file = printer.file(name);
        if (file == null) {
            throw new RpcException(404, "Metadata not available for <" + name + ">");
        }
        return file.metadata();
    }

    /**
     * Returns the requested objects with the requested fields. Null instead of the objects, or of a list of fields,
     * selects all.
     */
    Map<String, Object> selectFields(Map<String, Object> requested) {
        Map<String, Object> selected = new LinkedHashMap<>();
        printer.objects().forEach((name, fields) -> {
            if (requested.containsKey(name)) {
                selected.put(name, fields(fields, requested.get(name)));
            }
        });
        return selected;
    }

    private static Map<String, Object> fields(Map<String, Object> all, @Nullable Object requested) {
        if (!(requested instanceof List<?> names)) {
            return all;
        }
        Map<String, Object> some = new LinkedHashMap<>(all);
        some.keySet().retainAll(names);
        return some;
    }

    private static String text(Map<String, Object> params, String name) throws RpcException {
        String text = Tree.text(params, name);
        if (text == null) {
            throw RpcException.refused("No data for argument: " + name);
        }
        return text;
    }
}
