package farm.gantry.simulator.prusalink;

import farm.gantry.simulator.camera.SimulatedCamera;
import farm.gantry.simulator.network.HttpResponses;
import farm.gantry.simulator.printer.GcodeFile;
import farm.gantry.simulator.printer.RpcException;
import farm.gantry.simulator.printer.SimulatedPrinter;
import farm.gantry.simulator.prusalink.PrusaLinkSimulator.Generation;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Handles one HTTP request to a simulated PrusaLink. */
record PrusaLinkRoutes(PrusaLinkSimulator simulator, FullHttpRequest request) {
    private static final int MAX_PATH = 100;
    private static final String FILES = "/api/v1/files/";
    private static final double END_SECONDS = 2;
    private static final double LAYER_MILLIMETRES = 0.2;
    private static final String JOB = "/api/v1/job/";

    void respondTo(Channel channel) throws RpcException {
        String authorization = request.headers().get("Authorization", "");
        if (isFirmware() && authorization.startsWith("Basic")) {
            return; // Like the real one, it never answers.
        }
        if (!simulator.authentication().accepts(request.method().name(), request.headers())) {
            FullHttpResponse challenge = new DefaultFullHttpResponse(
                    HttpVersion.HTTP_1_1, HttpResponseStatus.UNAUTHORIZED, Unpooled.EMPTY_BUFFER);
            challenge
                    .headers()
                    .set("WWW-Authenticate", simulator.authentication().challenge(request.headers()));
            HttpResponses.send(channel, challenge);
            return;
        }
        String path = new QueryStringDecoder(request.uri()).path();
        if (path.equals("/api/v1/cameras/snap") && !isFirmware()) {
            SimulatedCamera.PNG.sendImage(channel);
            return;
        }
        Object body = respond(path);
        if (body == null) {
            HttpResponses.empty(channel, HttpResponseStatus.NO_CONTENT);
        } else if (request.method().equals(HttpMethod.PUT)) {
            simulator.answerUpload(() -> HttpResponses.json(channel, 201, body));
        } else {
            HttpResponses.json(channel, 200, body);
        }
    }

    private boolean isFirmware() {
        return simulator.generation() == Generation.FIRMWARE;
    }

    /** Returns null for a response without content. */
    private @Nullable Object respond(String path) throws RpcException {
        if (isFirmware() && path.length() > MAX_PATH) {
            throw new RpcException(414, "URI Too Long");
        }
        return switch (path) {
            case "/api/v1/status" -> status();
            case "/api/v1/info" -> Map.of("serial", simulator.serial(), "nozzle_diameter", 0.4, "hostname", "prusa");
            case "/api/v1/job" -> hasJob() ? job() : null;
            case "/api/job" -> legacyJob();
            default -> {
                if (path.startsWith(JOB)) {
                    control(path.substring(JOB.length()));
                    yield null;
                }
                String folder = FILES + (isFirmware() ? "usb/" : "local/");
                if (!path.startsWith(folder)) {
                    throw new RpcException(404, "Not Found");
                }
                yield file(path.substring(folder.length()));
            }
        };
    }

    private @Nullable Object file(String name) throws RpcException {
        if (request.method().equals(HttpMethod.PUT)) {
            checkUpload(name);
            simulator.store(GcodeFile.of(name, ByteBufUtil.getBytes(request.content())));
            if ("?1".equals(request.headers().get("Print-After-Upload"))) {
                simulator.printer().start(name);
            }
            return Map.of("name", name);
        }
        if (!simulator.knows(name)) {
            throw new RpcException(404, "Not Found");
        }
        if (request.method().equals(HttpMethod.DELETE)) {
            simulator.remove(name);
            return null;
        }
        if (request.method().equals(HttpMethod.POST)) {
            if (hasJob() || isShowingEnd()) {
                throw new RpcException(409, "Can't print right now");
            }
            simulator.printer().start(name);
            return null;
        }
        return Map.of("name", name);
    }

    private void checkUpload(String name) throws RpcException {
        if (!request.headers().contains("Content-Length")) {
            throw new RpcException(411, "Length Required");
        }
        String type = request.headers().get("Content-Type");
        if (!isFirmware() && !"text/x.gcode".equals(type)) {
            throw new RpcException(type == null ? 415 : 500, "");
        }
        if (name.matches(".*[\\\\?\"%*:|<>].*")) {
            throw new RpcException(422, "Filename contains invalid characters");
        }
        GcodeFile printing = simulator.printer().print().file();
        if (hasJob() && printing != null && printing.name().equals(name)) {
            throw new RpcException(409, "File is busy");
        }
        if (simulator.knows(name) && !"?1".equals(request.headers().get("Overwrite"))) {
            throw new RpcException(409, "File already exists");
        }
    }

    private void control(String what) throws RpcException {
        List<String> parts = List.of(what.split("/"));
        if (!hasJob() || !parts.getFirst().equals(String.valueOf(jobId()))) {
            throw new RpcException(404, "Not Found");
        }
        try {
            switch (request.method().name() + parts.getLast()) {
                case "PUTpause" -> simulator.printer().pause();
                case "PUTresume" -> simulator.printer().resume();
                default -> simulator.printer().cancel();
            }
        } catch (RpcException e) {
            throw new RpcException(409, "Conflict");
        }
    }

    private int jobId() {
        return 41 + simulator.printer().startedPrints();
    }

    /** Returns whether there is a job; a finished print is not a job any more. */
    private boolean hasJob() {
        return simulator.printer().isReady() && simulator.printer().print().isActive();
    }

    /**
     * Returns whether the end of a print is shown, during which no print can be started. The firmware can start the
     * next print as soon as one is finished.
     */
    private boolean isShowingEnd() {
        return state().equals("STOPPED") || (!isFirmware() && state().equals("FINISHED"));
    }

    private String state() {
        SimulatedPrinter printer = simulator.printer();
        if (simulator.has("attention")) {
            return "ATTENTION";
        }
        return switch (printer.klippy()) {
            case "startup" -> "BUSY";
            case "shutdown" -> "ERROR";
            default ->
                switch (printer.print().state()) {
                    case "standby" -> "IDLE";
                    case "printing" -> "PRINTING";
                    case "paused" -> "PAUSED";
                    case "complete" ->
                        isFirmware() || printer.secondsSinceEndShown() < END_SECONDS ? "FINISHED" : "IDLE";
                    case "cancelled" -> printer.secondsSinceEndShown() < END_SECONDS ? "STOPPED" : "IDLE";
                    default -> "ERROR";
                };
        };
    }

    private Map<String, Object> progress() {
        SimulatedPrinter printer = simulator.printer();
        double done = printer.print().progress();
        double printed = printer.print().printed();
        Map<String, Object> job = new LinkedHashMap<>();
        job.put("id", jobId());
        job.put("progress", Math.floor(done * 100));
        job.put("time_printing", Math.round(printed));
        if (done > 0) {
            job.put("time_remaining", Math.round(printed / done - printed));
        }
        return job;
    }

    private Map<String, Object> status() {
        SimulatedPrinter printer = simulator.printer();
        Map<String, Object> status = new LinkedHashMap<>();
        if (hasJob()) {
            status.put("job", progress());
        }
        Map<String, Object> storage =
                Map.of("path", isFirmware() ? "/usb/" : "/local", "name", "files", "read_only", false);
        Map<String, Object> card = Map.of("path", "/sdcard", "name", "SD Card", "read_only", true);
        status.put("storage", isFirmware() ? storage : List.of(card, storage));
        status.put(
                "printer",
                Map.of(
                        "axis_z",
                        LAYER_MILLIMETRES * printer.print().layer(),
                        "state",
                        state(),
                        "temp_nozzle",
                        printer.nozzle().temperature(),
                        "target_nozzle",
                        printer.nozzle().target(),
                        "temp_bed",
                        printer.bed().temperature(),
                        "target_bed",
                        printer.bed().target()));
        return status;
    }

    /** Returns the job as a Raspberry Pi reports it, which names the file of the last print even after its end. */
    private Map<String, Object> legacyJob() {
        GcodeFile file = simulator.printer().print().file();
        return file == null || (isFirmware() && !hasJob())
                ? Map.of()
                : Map.of("job", Map.of("file", Map.of("name", file.name())));
    }

    private Map<String, Object> job() {
        Map<String, Object> job = progress();
        GcodeFile file = simulator.printer().print().file();
        String name = file == null ? "" : file.name();
        job.put("state", state());
        if (simulator.reportsFile()) {
            job.put("file", Map.of("name", isFirmware() ? "GANTRY~1.GCO" : name, "display_name", name));
        }
        return job;
    }
}
