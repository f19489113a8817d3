package farm.gantry.simulator;

import farm.gantry.json.Json;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** One simulated Moonraker on a port of its own. What happened to it outlives any agent that it talks to. */
public final class MoonrakerSimulator implements AutoCloseable, FaultInjection.Simulated {
    private final Set<MoonrakerConnection> clients = ConcurrentHashMap.newKeySet();
    private final @Nullable String apiKey;
    private final SimulatedPrinter printer;
    private final MoonrakerMethods methods;
    private final HttpListener port;
    private final Set<String> troubles = ConcurrentHashMap.newKeySet();
    private volatile boolean offline;
    private volatile long lastPass = System.nanoTime();

    /** A port of 0 is any free one; with a key, whoever comes without it is turned away. */
    public MoonrakerSimulator(int port, SimulationSpeed pace, @Nullable String apiKey) {
        this(port, pace, apiKey, 0);
    }

    /** With a multi-material unit of so many gates; without one where there are none. */
    public MoonrakerSimulator(int port, SimulationSpeed pace, @Nullable String apiKey, int gates) {
        this.apiKey = apiKey;
        this.printer = new SimulatedPrinter(pace, this::notify, gates == 0 ? null : FilamentUnit.of(gates));
        this.methods = new MoonrakerMethods(printer, "token-" + System.nanoTime());
        this.port = new HttpListener(port, () -> new WebSocketConnection(new MoonrakerConnection(this)), this::pass);
    }

    /** Tells of this Moonraker to whoever looks for one. */
    public DiscoveryResponder beacon() throws IOException {
        return DiscoveryResponder.light(new MdnsService(
                "_moonraker._tcp", "Moonraker Instance on simulated", "simulated", port(), Map.of("uuid", "k-1")));
    }

    public int port() {
        return port.number();
    }

    private void pass() {
        long now = System.nanoTime();
        printer.pass((now - lastPass) / 1e9);
        lastPass = now;
        clients.forEach(client -> client.update(methods));
    }

    /** Klipper's end is the end of all subscriptions. */
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

    @Override
    public Map<String, Object> log() {
        return printer.log();
    }

    /** What {@link SimulatedPrinter#fail} knows, or of the network: {@code disconnect}, {@code offline}, {@code silent}… */
    @Override
    public void fail(String kind) throws RpcException {
        switch (kind) {
            case "upload-cut" -> port.cutUpload();
            case "silent", "stutter" -> troubles.add(kind);
            case "disconnect" -> clients.forEach(MoonrakerConnection::hangUp);
            case "offline" -> {
                offline = true;
                clients.forEach(MoonrakerConnection::hangUp);
            }
            default -> printer.fail(kind);
        }
    }

    @Override
    public void recover() {
        offline = false;
        troubles.clear();
        printer.recover();
    }

    boolean isOffline() {
        return offline;
    }

    /** Whether its lines are up, and nothing comes of them. */
    boolean isSilent() {
        return troubles.contains("silent");
    }

    /** Whether it says everything twice, and what is old again. */
    boolean stutters() {
        return troubles.contains("stutter");
    }

    boolean admits(@Nullable String key, @Nullable String token) {
        return apiKey == null || apiKey.equals(key) || methods.oneshotToken().equals(token);
    }

    MoonrakerMethods methods() {
        return methods;
    }

    SimulatedPrinter printer() {
        return printer;
    }

    void joined(MoonrakerConnection client) {
        clients.add(client);
    }

    void left(MoonrakerConnection client) {
        clients.remove(client);
    }

    @Override
    public void close() {
        clients.forEach(MoonrakerConnection::hangUp);
        port.close();
    }
}
