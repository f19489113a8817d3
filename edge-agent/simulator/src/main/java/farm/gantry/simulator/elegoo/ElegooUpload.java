package farm.gantry.simulator.elegoo;

import farm.gantry.simulator.network.UploadForm;
import farm.gantry.simulator.printer.GcodeFile;
import farm.gantry.simulator.printer.RpcException;
import farm.gantry.simulator.printer.SimulatedPrinter;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Accepts uploads to a simulated Elegoo printer over HTTP: one file at a time, in parts, verified by MD5. */
final class ElegooUpload {
    private static final Pattern RANGE = Pattern.compile("bytes (\\d+)-(\\d+)/(\\d+)");
    private static final int MAX_PART = 1 << 20;
    private static final int NO_LOGIN = 1000;
    private static final int BAD_VALUE = 1003;
    private static final int WRONG_OFFSET = 9000;
    private static final int NOT_WRITTEN = 9002;
    private static final int WRONG_SUM = 9004;

    private final SimulatedPrinter printer;
    private final String token;
    private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
    private final List<String> receivedParts = new CopyOnWriteArrayList<>();
    private volatile boolean full;

    ElegooUpload(SimulatedPrinter printer, String token) {
        this.printer = printer;
        this.token = token;
    }

    List<String> receivedParts() {
        return List.copyOf(receivedParts);
    }

    void simulateFullDisk() {
        full = true;
    }

    synchronized Map<String, Object> receive(FullHttpRequest request) throws RpcException {
        if (!request.method().equals(HttpMethod.PUT) || !request.uri().equals("/upload")) {
            throw new RpcException(404, "Not Found");
        }
        int code = errorCode(request);
        return code == 0 ? Map.of("error_code", 0, "offset", taken.size() - 1) : Map.of("error_code", code);
    }

    private int errorCode(FullHttpRequest request) {
        String range = Objects.requireNonNullElse(request.headers().get("Content-Range"), "");
        byte[] part = ByteBufUtil.getBytes(request.content());
        Matcher numbers = RANGE.matcher(range);
        if (!token.equals(request.headers().get("X-Token"))) {
            return NO_LOGIN;
        }
        if (!numbers.matches() || part.length > MAX_PART) {
            return BAD_VALUE;
        }
        long from = Long.parseLong(numbers.group(1));
        if (from == 0) {
            taken.reset();
        }
        if (full) {
            return NOT_WRITTEN;
        }
        if (from != taken.size() || Long.parseLong(numbers.group(2)) != from + part.length - 1) {
            return WRONG_OFFSET;
        }
        taken.writeBytes(part);
        receivedParts.add(range);
        return taken.size() == Long.parseLong(numbers.group(3)) ? complete(request) : 0;
    }

    private int complete(FullHttpRequest request) {
        if (!UploadForm.hash("MD5", taken.toByteArray())
                .equals(request.headers().get("X-File-MD5"))) {
            return WRONG_SUM;
        }
        try {
            printer.upload(GcodeFile.of(String.valueOf(request.headers().get("X-File-Name")), taken.toByteArray()));
            return 0;
        } catch (RpcException e) {
            return NOT_WRITTEN;
        }
    }
}
