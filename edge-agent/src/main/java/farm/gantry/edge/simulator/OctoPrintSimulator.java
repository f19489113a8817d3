package farm.gantry.edge.simulator;

import io.netty.channel.Channel;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.io.IOException;
import java.util.Map;

/** One simulated OctoPrint on a port of its own, and the printer at its USB port. */
public final class OctoPrintSimulator implements AutoCloseable, RestPort.Rest {
    private static final int CONNECTIONS = 100;

    private final String apiKey;
    private final SimulatedPrinter printer;
    private final RestPort port;
    private volatile boolean unplugged;

    /** A port of 0 is any free one. */
    public OctoPrintSimulator(int port, Pace pace, String apiKey) {
        this.apiKey = apiKey;
        this.printer = new SimulatedPrinter(pace, (_, _) -> {});
        this.port = new RestPort(port, printer, CONNECTIONS, this);
    }

    /** Tells of this OctoPrint to whoever looks for one. */
    public Beacon beacon() throws IOException {
        return Beacon.light(
                new Service("_octoprint._tcp", "OctoPrint \"Höhle\"", "octopi", port(), Map.of("model", "MK3")));
    }

    public int port() {
        return port.number();
    }

    @Override
    public void answer(FullHttpRequest request, Channel channel) throws IOException, RpcFault {
        if (new QueryStringDecoder(request.uri()).path().equals(HttpAnswer.WEBCAM)) {
            SimulatedCamera.jpeg.show(channel);
            return;
        }
        if (!apiKey.equals(request.headers().get("X-Api-Key"))) {
            throw new RpcFault(403, "Invalid API key");
        }
        new OctoPrintAnswer(this, request).to(channel);
    }

    @Override
    public String faultField() {
        return "error";
    }

    @Override
    public Map<String, Object> log() {
        return port.log();
    }

    /** What {@link RestPort#fail} knows, and a printer that is no longer at the USB port. */
    @Override
    public void fail(String kind) throws RpcFault {
        if (kind.equals("unplugged")) {
            unplugged = true;
        } else {
            port.fail(kind);
        }
    }

    @Override
    public void recover() {
        unplugged = false;
        port.recover();
    }

    boolean isUnplugged() {
        return unplugged;
    }

    SimulatedPrinter printer() {
        return printer;
    }

    @Override
    public void close() {
        port.close();
    }
}
