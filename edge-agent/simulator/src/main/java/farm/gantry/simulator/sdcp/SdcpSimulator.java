package farm.gantry.simulator.sdcp;

import farm.gantry.json.Json;
import farm.gantry.simulator.camera.SimulatedVideo;
import farm.gantry.simulator.network.DiscoveryResponder;
import farm.gantry.simulator.network.HttpListener;
import farm.gantry.simulator.network.PrinterSimulator;
import farm.gantry.simulator.network.WebSocketConnection;
import farm.gantry.simulator.printer.RpcException;
import farm.gantry.simulator.printer.SimulatedPrinter;
import farm.gantry.simulator.printer.SimulationSpeed;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Simulates an SDCP printer, which accepts uploads at the same port. */
public final class SdcpSimulator extends PrinterSimulator {
    private static final int SOCKETS = 4;
    private final String mainboardId;
    private final SdcpUploads uploads;
    private final Set<WebSocketConnection> clients = ConcurrentHashMap.newKeySet();
    private final AtomicInteger maxClients = new AtomicInteger();
    private final ConcurrentMap<String, Object> settings = new ConcurrentHashMap<>();
    private final SimulatedVideo video = SimulatedVideo.mjpeg();
    private final HttpListener listener;
    private volatile String lastStatus = "";
    private volatile String lastMessage = "";
    private volatile int refusals;

    /** Port 0 chooses a free port. */
    public SdcpSimulator(int port, SimulationSpeed speed, String mainboardId) {
        super(new SimulatedPrinter(speed), Set.of("silent", CHANGES_NOT_SENT, "stutter", OTHER_MACHINE));
        this.mainboardId = mainboardId;
        this.uploads = new SdcpUploads(this);
        this.listener =
                new HttpListener(port, _ -> {}, this, () -> new WebSocketConnection(new SdcpClient(this)), this::tick);
    }

    /** Answers SDCP discovery requests. */
    public DiscoveryResponder discoveryResponder() throws IOException {
        return DiscoveryResponder.start(DiscoveryResponder.Reply.whenContains("M99999", description()));
    }

    @Override
    public int port() {
        return listener.port();
    }

    private String description() {
        return Json.write(Map.of(
                "Id",
                "simulator",
                "Data",
                Map.of(
                        "Name",
                        "Simulated",
                        "MachineName",
                        "Centauri Carbon",
                        "MainboardIP",
                        "127.0.0.1",
                        "MainboardID",
                        mainboardId)));
    }

    private void tick() {
        printer().advance();
        String status = Json.write(new SdcpStatus(this).allFields());
        if (!status.equals(lastStatus)) {
            lastStatus = status;
            if (!has(CHANGES_NOT_SENT)) {
                publishStatus();
            }
        }
    }

    /** Sends the status to all clients. */
    void publishStatus() {
        String message = Json.write(Map.of(
                "Status",
                new SdcpStatus(this).allFields(),
                "MainboardID",
                mainboardId(),
                "TimeStamp",
                System.currentTimeMillis() / 1000,
                "Topic",
                "sdcp/status/" + mainboardId()));
        String before = lastMessage;
        lastMessage = message;
        clients.forEach(client -> send(client, message, before));
    }

    /**
     * Sends a message: nothing with the fault {@code silent}; with {@code stutter}, also a duplicate and the previous
     * message.
     */
    void send(WebSocketConnection client, String message, String before) {
        if (has("silent")) {
            return;
        }
        client.send(message);
        if (has("stutter")) {
            client.send(message);
            client.send(before.isEmpty() ? message : before);
            client.send(message);
        }
    }

    @Override
    public Map<String, Object> log() {
        Map<String, Object> log = super.log();
        log.put("film", video.isRunning());
        log.put("connections", maxClients.get());
        return log;
    }

    @Override
    public void fail(String kind) throws RpcException {
        switch (kind) {
            case "upload-cut" -> listener.breakNextUpload();
            case "film-to-others" -> video.start();
            case "second-piece-cut" -> uploads.breakSecondPiece();
            case "looks-through-file" -> refusals = 2;
            case OTHER_MACHINE -> {
                super.fail(kind);
                disconnectAll();
            }
            default -> super.fail(kind);
        }
    }

    /** Restarts, as after a piece of a file that is too large. */
    void reboot() {
        printer().restart();
        disconnectAll();
    }

    @Override
    public void disconnectAll() {
        clients.forEach(WebSocketConnection::disconnect);
    }

    /**
     * Returns whether the printer accepts connections: not while it is off, starts, or has reached its connection
     * limit.
     */
    @Override
    public boolean isReachable() {
        return super.isReachable() && clients.size() < SOCKETS;
    }

    /** Returns whether it is still verifying the last uploaded file. */
    boolean isScanningFile() {
        int left = refusals;
        refusals = Math.max(0, left - 1);
        return left > 0;
    }

    void onConnect(WebSocketConnection client) {
        clients.add(client);
        maxClients.accumulateAndGet(clients.size(), Math::max);
    }

    void onDisconnect(WebSocketConnection client) {
        clients.remove(client);
    }

    String mainboardId() {
        return has(OTHER_MACHINE) ? "other-" + mainboardId : mainboardId;
    }

    /** Returns fans, lights and other settings, by their names in the status. */
    ConcurrentMap<String, Object> settings() {
        return settings;
    }

    SimulatedVideo video() {
        return video;
    }

    SdcpUploads uploads() {
        return uploads;
    }

    @Override
    public void close() {
        disconnectAll();
        listener.close();
    }
}
