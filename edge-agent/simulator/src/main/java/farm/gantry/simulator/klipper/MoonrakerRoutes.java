package farm.gantry.simulator.klipper;

import farm.gantry.simulator.camera.SimulatedCamera;
import farm.gantry.simulator.network.HttpResponses;
import farm.gantry.simulator.network.UploadForm;
import farm.gantry.simulator.printer.GcodeFile;
import farm.gantry.simulator.printer.RpcException;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** Handles one HTTP request to a simulated Moonraker. */
@SuppressWarnings("FutureReturnValueIgnored") // What cannot be written closes the channel.
record MoonrakerRoutes(MoonrakerSimulator simulator, FullHttpRequest request) {
    private static final String UPLOAD = "/server/files/upload";
    private static final String FILES = "/server/files/gcodes/";

    void respondTo(Channel channel) throws IOException {
        String path = new QueryStringDecoder(request.uri()).path();
        if (simulator.has("offline")) {
            channel.close();
            return;
        }
        if (simulator.has("silent")) {
            return;
        }
        if (path.equals(SimulatedCamera.PATH)) {
            SimulatedCamera.JPEG.sendImage(channel);
            return;
        }
        try {
            Object body = moonraker(path);
            if (path.equals(UPLOAD)) {
                simulator.answerUpload(() -> HttpResponses.json(channel, 201, body));
            } else {
                HttpResponses.json(channel, 200, body);
            }
        } catch (RpcException e) {
            int status = e.code() < 0 ? 404 : e.code();
            HttpResponses.json(
                    channel,
                    status,
                    Map.of("error", Map.of("code", status, "message", String.valueOf(e.getMessage()))));
        } catch (DiskFull e) {
            String traceback = "Traceback (most recent call last):\n\n" + e.getMessage() + "\n";
            Map<String, Object> error = Map.of("code", 500, "message", "Internal Server Error", "traceback", traceback);
            HttpResponses.json(channel, 500, Map.of("error", error));
        }
    }

    private static final class DiskFull extends IOException {
        DiskFull() {
            super("OSError: [Errno 28] No space left on device");
        }
    }

    private Object moonraker(String path) throws IOException, RpcException {
        if (!simulator.accepts(request.headers().get("X-Api-Key"), null)) {
            throw new RpcException(401, "Unauthorized");
        }
        if (path.equals(UPLOAD)) {
            return upload();
        }
        if (request.method().equals(HttpMethod.DELETE)) {
            return remove(path);
        }
        Map<String, Object> params = new HashMap<>();
        new QueryStringDecoder(request.uri())
                .parameters()
                .forEach((name, values) -> params.put(name, values.getFirst()));
        return Map.of("result", simulator.methods().call(path.substring(1).replace('/', '.'), params));
    }

    private Object remove(String path) throws RpcException {
        String name = path.substring(FILES.length());
        if (!simulator.printer().remove(name)) {
            throw RpcException.refused("Invalid file path: " + name);
        }
        return Map.of("item", Map.of("path", name, "root", "gcodes"), "action", "delete_file");
    }

    private Object upload() throws IOException, RpcException {
        UploadForm form = UploadForm.of(request);
        String checksum = form.fields().get("checksum");
        if (checksum != null && !checksum.equals(UploadForm.hash("SHA-256", form.content()))) {
            throw new RpcException(422, "File checksum mismatch");
        }
        GcodeFile file = form.file();
        if (simulator.has(MoonrakerSimulator.DISK_FULL)) {
            byte[] begin = Arrays.copyOf(form.content(), form.content().length / 2);
            simulator.printer().upload(GcodeFile.of(file.name(), begin));
            throw new DiskFull();
        }
        simulator.printer().upload(file);
        boolean print = form.isTrue("print");
        if (print) {
            simulator.printer().start(file.name());
        }
        Map<String, Object> item = Map.of("path", file.name(), "root", "gcodes", "size", file.size());
        return Map.of("item", item, "print_started", print, "print_queued", false, "action", "create_file");
    }
}
