package farm.gantry.simulator.klipper;

import farm.gantry.json.Json;
import farm.gantry.simulator.network.DiscoveryResponder;
import farm.gantry.simulator.network.HttpListener;
import farm.gantry.simulator.network.MdnsService;
import farm.gantry.simulator.network.PrinterSimulator;
import farm.gantry.simulator.network.WebSocketConnection;
import farm.gantry.simulator.printer.FilamentUnit;
import farm.gantry.simulator.printer.RpcException;
import farm.gantry.simulator.printer.SimulatedPrinter;
import farm.gantry.simulator.printer.SimulationSpeed;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** Simulates a Moonraker on its own port. Its state outlives the agent's connections. */
public final class MoonrakerSimulator extends PrinterSimulator {
    static final String RESTARTED = "moonraker-restarted";
    /** A fault: another Moonraker on the same host answers. */
    static final String OTHER_INSTANCE = "other-instance";
    /** A fault: another host with a copy of the disk answers. */
    static final String OTHER_HOST = "other-host";
    /** A fault: Moonraker does not reveal its identity. */
    static final String NAMELESS = "nameless";

    /** A fault: the disk is full, and an upload leaves a partial file. */
    static final String DISK_FULL = "disk-full";

    /** A fault: right before the next start, somebody runs a script that moves nothing. */
    static final String SCRIPT_BEFORE_START = "script-before-start";

    /** A fault: uploads are answered only when the printer recovers. */
    static final String SLOW_UPLOAD = "slow-upload";

    static final String ID = "k-1";

    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    private final Queue<Runnable> heldUploads = new ConcurrentLinkedQueue<>();
    private final Set<MoonrakerClient> clients = ConcurrentHashMap.newKeySet();
    private final @Nullable String apiKey;
    private final MoonrakerMethods methods;
    private final HttpListener listener;

    /** Port 0 chooses a free port; with a key, clients without it are refused. */
    public MoonrakerSimulator(int port, SimulationSpeed speed, @Nullable String apiKey) {
        this(port, speed, apiKey, 0);
    }

    /** Creates a simulator with a multi-material unit with this number of gates; 0 means no unit. */
    public MoonrakerSimulator(int port, SimulationSpeed speed, @Nullable String apiKey, int gates) {
        super(
                new SimulatedPrinter(speed, gates == 0 ? null : FilamentUnit.of(gates)),
                Set.of(
                        "silent",
                        CHANGES_NOT_SENT,
                        "stutter",
                        RESTARTED,
                        OTHER_INSTANCE,
                        OTHER_HOST,
                        NAMELESS,
                        DISK_FULL,
                        SCRIPT_BEFORE_START,
                        SLOW_UPLOAD));
        this.apiKey = apiKey;
        this.methods = new MoonrakerMethods(printer(), this::has, "token-" + System.nanoTime());
        printer().setListener(this::notify);
        this.listener = new HttpListener(
                port, _ -> {}, this, () -> new WebSocketConnection(new MoonrakerClient(this)), this::tick);
    }

    /** Answers multicast DNS queries for Moonraker. */
    public DiscoveryResponder discoveryResponder() throws IOException {
        return DiscoveryResponder.start(new MdnsService(
                "_moonraker._tcp", "Moonraker Instance on simulated", "simulated", port(), Map.of("uuid", ID)));
    }

    @Override
    public int port() {
        return listener.port();
    }

    /** Runs a call. A G-code call waits until earlier scripts have ended, even if its connection has broken. */
    void inOrder(String method, Runnable call) {
        if (method.equals("printer.print.start") && faults.remove(SCRIPT_BEFORE_START)) {
            printer().dwell();
        }
        if (printer().isScriptRunning()
                && (method.startsWith("printer.print.") || method.equals("printer.gcode.script"))) {
            waiting.add(call);
        } else {
            call.run();
        }
    }

    private void tick() {
        printer().advance();
        while (!printer().isScriptRunning() && !waiting.isEmpty()) {
            waiting.remove().run();
        }
        clients.forEach(client -> client.notifyChanges(methods));
    }

    /** Notifies the clients; when Klipper disconnects, all subscriptions end. */
    private void notify(String method, Object params) {
        Map<String, Object> message = new LinkedHashMap<>();
        message.put("jsonrpc", "2.0");
        message.put("method", method);
        message.put("params", params);
        String text = Json.write(message);
        clients.forEach(client -> {
            if (method.equals("notify_klippy_disconnected")) {
                client.unsubscribe();
            }
            client.send(text);
        });
    }

    /**
     * Injects a fault. A restart of Klipper leaves Moonraker's connections open. A restarted Moonraker records the
     * print as interrupted in its history, and does not know Klipper's state until it recovers.
     */
    @Override
    public void fail(String kind) throws RpcException {
        switch (kind) {
            case "upload-cut" -> listener.breakNextUpload();
            case "reboot" -> printer().restart();
            case RESTARTED -> {
                super.fail(kind);
                printer().recordHistory("server_exit");
                disconnectAll();
            }
            case OTHER_INSTANCE, OTHER_HOST, NAMELESS -> {
                super.fail(kind);
                disconnectAll();
            }
            default -> super.fail(kind);
        }
    }

    @Override
    public void recover() {
        super.recover();
        for (Runnable answer = heldUploads.poll(); answer != null; answer = heldUploads.poll()) {
            answer.run();
        }
    }

    void answerUpload(Runnable answer) {
        if (has(SLOW_UPLOAD)) {
            heldUploads.add(answer);
        } else {
            answer.run();
        }
    }

    @Override
    public Map<String, Object> log() {
        Map<String, Object> log = super.log();
        log.put("waiting", waiting.size());
        return log;
    }

    @Override
    public void disconnectAll() {
        clients.forEach(MoonrakerClient::disconnect);
    }

    boolean accepts(@Nullable String key, @Nullable String token) {
        return apiKey == null || apiKey.equals(key) || methods.oneshotToken().equals(token);
    }

    MoonrakerMethods methods() {
        return methods;
    }

    void onConnect(MoonrakerClient client) {
        clients.add(client);
    }

    void onDisconnect(MoonrakerClient client) {
        clients.remove(client);
    }

    @Override
    public void close() {
        disconnectAll();
        listener.close();
    }
}
