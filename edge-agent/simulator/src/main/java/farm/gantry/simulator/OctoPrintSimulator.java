package farm.gantry.simulator;

import io.netty.channel.Channel;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** One simulated OctoPrint on a port of its own, and the printer at its USB port. */
public final class OctoPrintSimulator implements AutoCloseable, RestServer.Rest {
    private static final int CONNECTIONS = 100;
    private static final String HOST = "octopi";
    private static final long LEAVES_AFTER_MILLIS = 1;

    private final String apiKey;
    private final SimulatedPrinter printer;
    private final RestServer port;
    private volatile DeviceCertificate identity = DeviceCertificate.of(HOST);
    private volatile boolean plugged = true;
    private volatile boolean connected = true;

    /** A port of 0 is any free one. */
    public OctoPrintSimulator(int port, SimulationSpeed pace, String apiKey) {
        this.apiKey = apiKey;
        this.printer = new SimulatedPrinter(pace, (_, _) -> {});
        this.port = new RestServer(port, printer, CONNECTIONS, this);
    }

    /** Tells of this OctoPrint to whoever looks for one. */
    public DiscoveryResponder beacon() throws IOException {
        return DiscoveryResponder.light(
                new MdnsService("_octoprint._tcp", "OctoPrint \"Höhle\"", HOST, port(), Map.of("model", "MK3")));
    }

    /** Answers whoever looks for any device. */
    public DiscoveryResponder device() throws IOException {
        return DiscoveryResponder.light(DiscoveryResponder.Answer.toWord(
                "ST: upnp:rootdevice",
                String.join(
                        "\r\n",
                        "HTTP/1.1 200 OK",
                        "ST: upnp:rootdevice",
                        "USN: uuid:5d6f0c2a-0001::upnp:rootdevice",
                        "Location: http://127.0.0.1:" + port() + "/plugin/discovery/discovery.xml",
                        "Cache-Control: max-age=60",
                        "",
                        "")));
    }

    public int port() {
        return port.number();
    }

    /** It is to be had in TLS, and without. */
    @Override
    public void admit(ChannelPipeline pipeline) {
        identity.offerTo(pipeline);
    }

    @Override
    public void answer(FullHttpRequest request, Channel channel) throws IOException, RpcException {
        if (new QueryStringDecoder(request.uri()).path().equals(MoonrakerRoutes.WEBCAM)) {
            SimulatedCamera.jpeg.show(channel);
            return;
        }
        if (!apiKey.equals(request.headers().get("X-Api-Key"))) {
            throw new RpcException(403, "Invalid API key");
        }
        try {
            new OctoPrintRoutes(this, request).to(channel);
        } finally {
            leave(channel);
        }
    }

    /** It keeps no connection longer than this after an answer, and does not say so. */
    @SuppressWarnings("FutureReturnValueIgnored") // What cannot be closed is closed.
    private static void leave(Channel channel) {
        channel.eventLoop().schedule(() -> channel.close(), LEAVES_AFTER_MILLIS, TimeUnit.MILLISECONDS);
    }

    @Override
    public String faultField() {
        return "error";
    }

    @Override
    public Map<String, Object> log() {
        return port.log();
    }

    /** What {@link RestServer#fail} knows, what happens at the USB port, and another certificate. */
    @Override
    public void fail(String kind) throws RpcException {
        switch (kind) {
            case "unplugged" -> {
                plugged = false;
                connected = false;
            }
            case "plugged-in" -> plugged = true;
            case "disconnected" -> connected = false;
            case "other-certificate" -> {
                identity = DeviceCertificate.of(HOST);
                port.hangUp();
            }
            default -> port.fail(kind);
        }
    }

    @Override
    public void recover() {
        plugged = true;
        connected = true;
        port.recover();
    }

    boolean isPlugged() {
        return plugged;
    }

    boolean isConnected() {
        return connected;
    }

    /** It resets the printer's board. */
    void connect() {
        connected = plugged;
        if (connected && !printer.klippy().equals("ready")) {
            printer.restart();
        }
    }

    void disconnect() {
        connected = false;
    }

    SimulatedPrinter printer() {
        return printer;
    }

    @Override
    public void close() {
        port.close();
    }
}
