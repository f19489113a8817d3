package farm.gantry.simulator.octoprint;

import farm.gantry.simulator.camera.SimulatedCamera;
import farm.gantry.simulator.network.DeviceCertificate;
import farm.gantry.simulator.network.DiscoveryResponder;
import farm.gantry.simulator.network.HttpResponses;
import farm.gantry.simulator.network.MdnsService;
import farm.gantry.simulator.network.PrinterSimulator;
import farm.gantry.simulator.network.RestServer;
import farm.gantry.simulator.network.WebSocketConnection;
import farm.gantry.simulator.printer.RpcException;
import farm.gantry.simulator.printer.SimulatedPrinter;
import farm.gantry.simulator.printer.SimulationSpeed;
import io.netty.channel.Channel;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Simulates an OctoPrint on its own port, and the printer at its USB port. */
public final class OctoPrintSimulator extends PrinterSimulator implements RestServer.Routes {
    static final String USER = "gantry";
    static final String SESSION = "LGZ0trf8By";

    private static final int CONNECTIONS = 100;
    private static final String HOST = "octopi";
    private static final long LEAVES_AFTER_MILLIS = 1;
    private static final String CONNECTION = "/api/connection";
    private static final String DESCRIPTION = "/plugin/discovery/discovery.xml";
    private static final String UUID = "5d6f0c2a-0001";
    /** A fault: the discovery plugin is off. */
    private static final String NAMELESS = "nameless";
    /** The user and session of every login. */
    static final String LOGIN = USER + ":" + SESSION;
    /** How long OctoPrint waits for a printer that has stopped answering before it closes the serial connection. */
    private static final long CLOSES_AFTER_SECONDS = 10;

    private final String apiKey;
    private final RestServer server;
    private volatile DeviceCertificate certificate = DeviceCertificate.of(HOST);
    private volatile boolean plugged = true;
    private volatile boolean connected = true;
    private volatile boolean hung;
    private volatile boolean disconnectingWhenAsked;
    private volatile String error = "";
    private volatile OctoPrintState lastState = OctoPrintState.offline;
    private final Set<OctoPrintListener> listeners = ConcurrentHashMap.newKeySet();

    /** Port 0 chooses a free port. */
    public OctoPrintSimulator(int port, SimulationSpeed speed, String apiKey) {
        super(new SimulatedPrinter(speed), Set.of(OTHER_MACHINE, NAMELESS, CHANGES_NOT_SENT));
        this.apiKey = apiKey;
        this.server = new RestServer(port, printer(), CONNECTIONS, this);
    }

    /** Answers multicast DNS queries for OctoPrint. */
    public DiscoveryResponder discoveryResponder() throws IOException {
        return DiscoveryResponder.start(
                new MdnsService("_octoprint._tcp", "OctoPrint \"Höhle\"", HOST, port(), Map.of("model", "MK3")));
    }

    /** Answers SSDP searches for any root device. */
    public DiscoveryResponder upnpResponder() throws IOException {
        return DiscoveryResponder.start(DiscoveryResponder.Reply.whenContains(
                "ST: upnp:rootdevice",
                String.join(
                        "\r\n",
                        "HTTP/1.1 200 OK",
                        "ST: upnp:rootdevice",
                        "USN: uuid:" + UUID + "::upnp:rootdevice",
                        "Location: http://127.0.0.1:" + port() + DESCRIPTION,
                        "Cache-Control: max-age=60",
                        "",
                        "")));
    }

    @Override
    public int port() {
        return server.port();
    }

    /** Serves HTTP and HTTPS at the same port. */
    @Override
    public void configure(ChannelPipeline pipeline) {
        certificate.addOptionalTls(pipeline);
    }

    @Override
    public void answer(FullHttpRequest request, Channel channel) throws IOException, RpcException {
        String path = new QueryStringDecoder(request.uri()).path();
        if (path.equals(SimulatedCamera.PATH)) {
            SimulatedCamera.JPEG.sendImage(channel);
            return;
        }
        if (path.equals(DESCRIPTION) && !has(NAMELESS)) {
            HttpResponses.xml(channel, description());
            return;
        }
        if (!apiKey.equals(request.headers().get("X-Api-Key"))) {
            throw new RpcException(403, "Invalid API key");
        }
        if (hung && path.equals(CONNECTION) && request.method().equals(HttpMethod.POST)) {
            hung = false;
            disconnectLater(channel);
            return;
        }
        try {
            new OctoPrintRoutes(this, request).respondTo(channel);
        } finally {
            server.answerUpload(() -> closeSoon(channel));
        }
    }

    private String description() {
        String uuid = has(OTHER_MACHINE) ? "0" + UUID : UUID;
        return "<root><device><friendlyName>OctoPrint</friendlyName><UDN>uuid:" + uuid + "</UDN></device></root>";
    }

    @Override
    public WebSocketConnection.Handler webSocketClient() {
        return new OctoPrintListener(this);
    }

    void onConnect(OctoPrintListener listener) {
        listeners.add(listener);
    }

    void onDisconnect(OctoPrintListener listener) {
        listeners.remove(listener);
    }

    @Override
    public synchronized void onTick() {
        OctoPrintState state = state();
        if (state != lastState) {
            lastState = state;
            if (has(CHANGES_NOT_SENT)) {
                return;
            }
            listeners.forEach(listener -> listener.send(
                    "PrinterStateChanged", Map.of("state_id", state.name().toUpperCase(Locale.ROOT))));
        }
    }

    OctoPrintState state() {
        return OctoPrintState.of(printer(), !connected);
    }

    void answerUpload(Runnable answer) {
        server.answerUpload(answer);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // A simulator that was closed meanwhile answers nothing.
    private void disconnectLater(Channel channel) {
        channel.eventLoop()
                .schedule(
                        () -> {
                            disconnect();
                            HttpResponses.empty(channel, HttpResponseStatus.NO_CONTENT);
                            closeSoon(channel);
                        },
                        CLOSES_AFTER_SECONDS,
                        TimeUnit.SECONDS);
    }

    /** Closes the connection soon after a response, without announcing it in a header. */
    @SuppressWarnings("FutureReturnValueIgnored") // What cannot be closed is closed.
    private static void closeSoon(Channel channel) {
        channel.eventLoop().schedule(() -> channel.close(), LEAVES_AFTER_MILLIS, TimeUnit.MILLISECONDS);
    }

    @Override
    public String errorField() {
        return "error";
    }

    @Override
    public Map<String, Object> log() {
        Map<String, Object> log = server.log();
        log.put("sendsEvents", listeners.stream().anyMatch(OctoPrintListener::isAuthorized));
        return log;
    }

    /** Injects a fault of {@link RestServer#fail}, of the USB port or the firmware, or another certificate. */
    @Override
    public void fail(String kind) throws RpcException {
        switch (kind) {
            case "unplugged" -> {
                plugged = false;
                connected = false;
            }
            case "plugged-in" -> plugged = true;
            case "disconnected" -> disconnect();
            case "disconnected-when-asked" -> disconnectingWhenAsked = true;
            case "hung" -> hung = true;
            case "firmware-error" -> {
                error = "Heating failed, system stopped! Heater_ID: 0";
                printer().cancel();
            }
            case "other-certificate" -> {
                certificate = DeviceCertificate.of(HOST);
                disconnectAll();
            }
            case OTHER_MACHINE -> {
                super.fail(kind);
                server.fail("disconnect");
            }
            case NAMELESS, CHANGES_NOT_SENT -> super.fail(kind);
            default -> server.fail(kind);
        }
        onTick(); // sends the change as an event, even if another one follows at once
    }

    @Override
    public void recover() {
        plugged = true;
        connected = true;
        hung = false;
        disconnectingWhenAsked = false;
        super.recover();
        server.recover();
    }

    @Override
    public void disconnectAll() {
        server.disconnectAll();
    }

    boolean isPrinterPluggedIn() {
        return plugged;
    }

    /**
     * Returns the printer error because of which OctoPrint cancelled the last print. This OctoPrint is configured to
     * stay connected after errors.
     */
    String error() {
        return error;
    }

    void start(String fileName) throws RpcException {
        error = "";
        printer().start(fileName);
    }

    /** Opens the serial connection, which resets the printer's board. */
    void connect() {
        error = "";
        connected = plugged;
        if (connected && !printer().isReady()) {
            printer().restart();
        }
    }

    /** Called after the printer's state was sent, before the client requests the state of its job. */
    void afterStateSent() {
        if (disconnectingWhenAsked) {
            disconnectingWhenAsked = false;
            disconnect();
        }
    }

    /** Closes the serial connection, which ends the print. It is recorded as failed unless it was paused. */
    void disconnect() {
        connected = false;
        if (printer().print().isPrinting()) {
            printer().restart();
        } else if (printer().print().isActive()) {
            printer().dropPrint();
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
