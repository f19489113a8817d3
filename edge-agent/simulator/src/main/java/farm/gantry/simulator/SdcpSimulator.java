package farm.gantry.simulator;

import farm.gantry.json.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** One simulated printer that speaks SDCP and takes files at the same port. */
public final class SdcpSimulator implements AutoCloseable, FaultInjection.Simulated {
    private static final int SOCKETS = 4;

    private final String mainboardId;
    private final SimulatedPrinter printer;
    private final SdcpUploads uploads;
    private final Set<WebSocketConnection> clients = ConcurrentHashMap.newKeySet();
    private final AtomicInteger mostClients = new AtomicInteger();
    private final List<Map<String, Object>> orders = new CopyOnWriteArrayList<>();
    private final ConcurrentMap<String, Object> settings = new ConcurrentHashMap<>();
    private final SimulatedVideo film = SimulatedVideo.ofPictures();
    private final HttpListener port;
    private volatile String lastStatus = "";
    private volatile String lastTold = "";
    private volatile long lastPass = System.nanoTime();
    private volatile boolean offline;
    private volatile boolean silent;
    private volatile boolean stuttering;
    private volatile int refusals;

    /** A port of 0 is any free one. */
    public SdcpSimulator(int port, SimulationSpeed pace, String mainboardId) {
        this.mainboardId = mainboardId;
        this.printer = new SimulatedPrinter(pace, (_, _) -> {});
        this.uploads = new SdcpUploads(this);
        this.port = new HttpListener(port, () -> new WebSocketConnection(new SdcpConnection(this)), this::pass);
    }

    /** Tells of this printer to whoever says the word. */
    public DiscoveryResponder beacon() throws IOException {
        return DiscoveryResponder.light(DiscoveryResponder.Answer.toWord("M99999", description()));
    }

    public int port() {
        return port.number();
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

    private void pass() {
        long now = System.nanoTime();
        printer.pass((now - lastPass) / 1e9);
        lastPass = now;
        String status = Json.write(new SdcpStatus(this).all());
        if (!status.equals(lastStatus)) {
            lastStatus = status;
            tellStatus();
        }
    }

    /** To all, whoever asked for it; a printer that stutters says it twice, what it said before, and it again. */
    void tellStatus() {
        String message = Json.write(Map.of(
                "Status",
                new SdcpStatus(this).all(),
                "MainboardID",
                mainboardId,
                "TimeStamp",
                System.currentTimeMillis() / 1000,
                "Topic",
                "sdcp/status/" + mainboardId));
        String before = lastTold;
        lastTold = message;
        clients.forEach(client -> say(client, message, before));
    }

    /** Nothing to a client, when it is silent. */
    void say(WebSocketConnection client, String message, String before) {
        if (silent) {
            return;
        }
        client.send(message);
        if (stuttering) {
            client.send(message);
            client.send(before.isEmpty() ? message : before);
            client.send(message);
        }
    }

    @Override
    public Map<String, Object> log() {
        Map<String, Object> log = new LinkedHashMap<>(printer.log());
        log.put("orders", new ArrayList<>(orders));
        log.put("film", film.isShown());
        log.put("connections", mostClients.get());
        return log;
    }

    /** What {@link SimulatedPrinter#fail} knows, and what only such a printer can suffer. */
    @Override
    public void fail(String kind) throws RpcException {
        switch (kind) {
            case "disconnect" -> hangUp();
            case "offline" -> {
                offline = true;
                hangUp();
            }
            case "silent" -> silent = true;
            case "stutter" -> stuttering = true;
            case "upload-cut" -> port.cutUpload();
            case "film-to-others" -> film.begin();
            case "second-piece-cut" -> uploads.cutSecond();
            case "looks-through-file" -> refusals = 2;
            case "reboot" -> reboot();
            default -> printer.fail(kind);
        }
    }

    /** As on too large a piece of a file. */
    void reboot() {
        printer.restart();
        hangUp();
    }

    @Override
    public void recover() {
        offline = false;
        silent = false;
        stuttering = false;
        printer.recover();
    }

    private void hangUp() {
        clients.forEach(WebSocketConnection::hangUp);
    }

    /** Neither when it is off, nor while it starts, nor when too many are on its line. */
    boolean isReachable() {
        return !offline && !printer.klippy().equals("startup") && clients.size() < SOCKETS;
    }

    boolean isSilent() {
        return silent;
    }

    /** Whether it still looks through the file that came last. */
    boolean isLooking() {
        int left = refusals;
        refusals = Math.max(0, left - 1);
        return left > 0;
    }

    void joined(WebSocketConnection client) {
        clients.add(client);
        mostClients.accumulateAndGet(clients.size(), Math::max);
    }

    void left(WebSocketConnection client) {
        clients.remove(client);
    }

    void obeyed(Map<String, Object> order) {
        orders.add(order);
    }

    String mainboardId() {
        return mainboardId;
    }

    /** Fans, lights and whatever else was set, by the names of the status. */
    ConcurrentMap<String, Object> settings() {
        return settings;
    }

    SimulatedVideo film() {
        return film;
    }

    SdcpUploads uploads() {
        return uploads;
    }

    SimulatedPrinter printer() {
        return printer;
    }

    @Override
    public void close() {
        hangUp();
        port.close();
    }
}
