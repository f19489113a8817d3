package farm.gantry.simulator.octoprint;

import farm.gantry.json.Json;
import farm.gantry.json.Tree;
import farm.gantry.simulator.camera.SimulatedCamera;
import farm.gantry.simulator.network.HttpResponses;
import farm.gantry.simulator.network.UploadForm;
import farm.gantry.simulator.printer.RpcException;
import farm.gantry.simulator.printer.SimulatedPrinter;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Handles one authenticated request to a simulated OctoPrint. */
record OctoPrintRoutes(OctoPrintSimulator simulator, FullHttpRequest request) {
    private static final String FILES = "/api/files/local";
    private static final String CONNECTION = "/api/connection";
    private static final String USB = "/dev/ttyACM0";
    private static final String PRINTER = "/api/printer/";
    private static final double FIRST_PRINT = 1_763_800_000.5;

    void respondTo(Channel channel) throws IOException, RpcException {
        String path = new QueryStringDecoder(request.uri()).path();
        if (request.method().equals(HttpMethod.GET)) {
            HttpResponses.json(channel, 200, resource(path));
        } else if (request.method().equals(HttpMethod.DELETE)) {
            remove(fileNameOf(path));
            HttpResponses.empty(channel, HttpResponseStatus.NO_CONTENT);
        } else if (path.equals("/api/login") && Tree.flag(body(), "passive")) {
            HttpResponses.json(
                    channel, 200, Map.of("name", OctoPrintSimulator.USER, "session", OctoPrintSimulator.SESSION));
        } else if (path.equals(FILES)) {
            Map<String, Object> taken = upload();
            simulator.answerUpload(() -> HttpResponses.json(channel, 201, taken));
        } else {
            execute(path, body());
            HttpResponses.empty(channel, HttpResponseStatus.NO_CONTENT);
        }
    }

    private SimulatedPrinter printer() {
        return simulator.printer();
    }

    private Map<String, ?> resource(String path) throws RpcException {
        return switch (path) {
            case "/api/version" -> Map.of("api", "0.1", "server", "1.10.3", "text", "OctoPrint 1.10.3");
            case "/api/printer" -> {
                requireOperational();
                Map<String, Object> state = simulator.state().printer(printer());
                simulator.afterStateSent();
                yield state;
            }
            case PRINTER + "error" ->
                simulator.error().isEmpty()
                        ? Map.of("error", "", "reason", "")
                        : Map.of("error", simulator.error(), "reason", "firmware", "consequence", "cancel");
            case "/api/settings" ->
                Map.of(
                        "webcam",
                        Map.of("snapshotUrl", "http://localhost:" + simulator.port() + SimulatedCamera.PATH),
                        "serial",
                        Map.of("autoconnect", true));
            case CONNECTION ->
                Map.of(
                        "options",
                        Map.of(
                                "ports",
                                simulator.isPrinterPluggedIn() ? List.of(USB) : List.of(),
                                "portPreference",
                                USB));
            case "/api/job" -> simulator.state().job(printer());
            case FILES ->
                Map.of("files", printer().fileNames().stream().map(this::file).toList(), "free", 1_000_000_000L);
            default -> file(fileNameOf(path));
        };
    }

    private void requireOperational() throws RpcException {
        if (!simulator.state().isOperational()) {
            throw new RpcException(409, "Printer is not operational");
        }
    }

    private Map<String, Object> body() throws IOException, RpcException {
        if (!"application/json".equals(request.headers().get("Content-Type"))) {
            throw RpcException.refused("Expected content-type JSON");
        }
        return Json.tree(request.content().toString(StandardCharsets.UTF_8));
    }

    private String fileNameOf(String path) throws RpcException {
        String name = path.startsWith(FILES + "/") ? path.substring(FILES.length() + 1) : "";
        if (printer().file(name) == null) {
            throw new RpcException(404, "Not Found");
        }
        return name;
    }

    /** Returns the file with the outcome of its last print, if one has ended. */
    private Map<String, Object> file(String name) {
        Map<String, Object> file = new LinkedHashMap<>(Map.of("name", name, "display", name, "origin", "local"));
        printer().history().stream()
                .filter(print -> name.equals(print.get("filename")) && !"in_progress".equals(print.get("status")))
                .findFirst()
                .ifPresent(print -> file.put(
                        "prints",
                        Map.of(
                                "last",
                                Map.of(
                                        "success",
                                        "completed".equals(print.get("status")),
                                        "date",
                                        FIRST_PRINT + Integer.parseInt(String.valueOf(print.get("job_id")), 16)))));
        return file;
    }

    /** Removes a file; OctoPrint forgets a selected file that is removed. */
    private void remove(String name) throws RpcException {
        try {
            printer().remove(name);
        } catch (RpcException e) {
            throw new RpcException(409, "Trying to delete a file that is currently in use");
        }
        if (printer().print().fileName().equals(name)) {
            printer().dropPrint();
        }
    }

    private Map<String, Object> upload() throws IOException, RpcException {
        UploadForm form = UploadForm.of(request);
        if (!form.fileName().matches("(?i).*\\.(gcode|gco|g)")) {
            throw new RpcException(415, "Could not upload file, invalid type");
        }
        try {
            printer().upload(form.file());
        } catch (RpcException e) {
            throw new RpcException(409, "Trying to overwrite file that is currently being printed");
        }
        if (form.isTrue("print")) {
            simulator.start(form.fileName());
        }
        return Map.of("done", true, "effectivePrint", form.isTrue("print"), "effectiveSelect", form.isTrue("select"));
    }

    private void execute(String path, Map<String, Object> body) throws RpcException {
        String command = String.valueOf(body.get("command"));
        if (path.equals(CONNECTION)) {
            if (command.equals("connect")) {
                simulator.connect();
            } else {
                simulator.disconnect();
            }
            return;
        }
        requireOperational();
        try {
            if (path.equals("/api/job")) {
                control(command, String.valueOf(body.get("action")));
            } else if (path.startsWith(PRINTER)) {
                printer().script(script(path.substring(PRINTER.length()), command, body));
            } else if (command.equals("select") && Tree.flag(body, "print")) {
                simulator.start(fileNameOf(path));
            } else {
                throw RpcException.refused("unknown command " + command);
            }
        } catch (RpcException e) {
            throw e.code() == 404 ? e : new RpcException(409, String.valueOf(e.getMessage()));
        }
    }

    private void control(String command, String action) throws RpcException {
        if (!printer().print().isActive()) {
            throw new RpcException(409, "No active print job");
        }
        switch (command + " " + action) {
            case "pause pause" -> printer().pause();
            case "pause resume" -> printer().resume();
            default -> printer().cancel();
        }
    }

    /** Returns the G-code that OctoPrint sends to the printer. */
    private static String script(String part, String command, Map<String, Object> body) throws RpcException {
        return switch (part + " " + command) {
            case "tool target" ->
                Tree.object(body, "targets").entrySet().stream()
                        .map(target -> "M104 T" + target.getKey().substring("tool".length()) + " S" + target.getValue())
                        .collect(Collectors.joining("\n"));
            case "bed target" -> "M140 S" + body.get("target");
            case "tool select" -> "T" + String.valueOf(body.get("tool")).substring("tool".length());
            case "tool extrude" -> "G1 E" + body.get("amount");
            case "printhead home" ->
                "G28" + Tree.list(body, "axes").stream().map(axis -> " " + axis).collect(Collectors.joining());
            case "printhead jog" ->
                "G1"
                        + Stream.of("x", "y", "z")
                                .filter(body::containsKey)
                                .map(axis -> " " + axis + body.get(axis))
                                .collect(Collectors.joining());
            default -> {
                List<?> commands = Tree.list(body, "commands");
                if (commands.isEmpty()) {
                    throw RpcException.refused("unknown command " + command);
                }
                yield commands.stream().map(String::valueOf).collect(Collectors.joining("\n"));
            }
        };
    }
}
