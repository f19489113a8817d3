package farm.gantry.simulator;

import farm.gantry.json.Json;
import farm.gantry.json.MergePatch;
import farm.gantry.json.Tree;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One simulated printer of Elegoo's MQTT generation: its broker on a port of its own, its files and its film at the port
 * after it.
 */
public final class ElegooSimulator implements AutoCloseable, MqttBroker.House, RestServer.Rest {
    private static final Duration PATIENCE = Duration.ofSeconds(65);
    private static final int MOST_CLIENTS = 4;
    private static final int CONNECTIONS = 100;
    /** How far the count of changes jumps when some are lost. */
    private static final int LOST = 3;

    private final String serial;
    private final String accessCode;
    private final Duration patience;
    private final SimulatedPrinter printer;
    private final ElegooUpload upload;
    private final SimulatedVideo film = SimulatedVideo.ofPictures();
    private final ConcurrentMap<MqttConnection, Double> heard = new ConcurrentHashMap<>();
    private final ConcurrentMap<MqttConnection, String> registered = new ConcurrentHashMap<>();
    private final List<Map<String, Object>> orders = new CopyOnWriteArrayList<>();
    private final Set<String> troubles = ConcurrentHashMap.newKeySet();
    private final AtomicInteger changes = new AtomicInteger();
    private final AtomicInteger toLose = new AtomicInteger();
    private final MqttBroker port;
    private volatile @Nullable RestServer files;
    private volatile Map<String, Object> lastStatus = Map.of();

    /** A port of 0 is any free one. */
    public ElegooSimulator(int port, SimulationSpeed pace, String serial, String accessCode) {
        this(port, pace, serial, accessCode, PATIENCE);
    }

    /** {@code patience}: how long a client may say nothing. */
    public ElegooSimulator(int port, SimulationSpeed pace, String serial, String accessCode, Duration patience) {
        this.serial = serial;
        this.accessCode = accessCode;
        this.patience = patience;
        this.printer = new SimulatedPrinter(pace, (_, _) -> {});
        this.upload = new ElegooUpload(printer, accessCode);
        this.port = MqttBroker.open(this, port, this::serveFiles);
    }

    private RestServer serveFiles(int number) {
        RestServer opened = new RestServer(number, printer, CONNECTIONS, this);
        files = opened;
        return opened;
    }

    /** Tells of this printer to whoever asks. */
    public DiscoveryResponder beacon() throws IOException {
        return DiscoveryResponder.light(DiscoveryResponder.Answer.toWord("7000", description()));
    }

    private String description() {
        Map<String, Object> told = Map.of("host_name", "Simulated", "machine_model", "Centauri Carbon 2", "sn", serial);
        return Json.write(Map.of("id", 0, "result", told));
    }

    public int port() {
        return port.number();
    }

    /** What has changed goes to all; whoever has been quiet for too long is hung up on. */
    @Override
    public void pass(MqttBroker through) {
        heard.forEach((client, at) -> {
            if (printer.uptime() - at > patience.toMillis() / 1e3) {
                client.hangUp();
            }
        });
        Map<String, Object> before = lastStatus;
        Map<String, Object> status = new ElegooStatus(printer, hasCamera()).all();
        lastStatus = status;
        Map<String, Object> delta = Tree.object(MergePatch.between(before, status));
        if (delta.isEmpty() || has("silent") || !isReachable()) {
            return;
        }
        int number = changes.incrementAndGet();
        if (toLose.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            return;
        }
        tell(through, number, delta);
        if (has("stutter")) {
            tell(through, number - 1, Tree.object(MergePatch.between(status, before)));
            tell(through, number, delta);
            tell(through, number, delta);
        }
    }

    private void tell(MqttBroker through, int number, Map<String, Object> delta) {
        Map<String, Object> result = new LinkedHashMap<>(delta);
        result.put("error_code", 0);
        through.tell(topic("api_status"), Map.of("id", number, "method", 6000, "result", result));
    }

    private String topic(String below) {
        return "elegoo/" + serial + "/" + below;
    }

    @Override
    public void take(MqttConnection from, String topic, Map<String, Object> message, boolean careless) {
        heard.put(from, printer.uptime());
        if (has("silent")) {
            return;
        }
        if (topic.equals(topic("api_register"))) {
            register(from, message);
            return;
        }
        String client = registered.get(from);
        if (client == null || !topic.equals(topic(client + "/api_request"))) {
            return;
        }
        String responses = topic(client + "/api_response");
        if ("PING".equals(message.get("type"))) {
            from.tell(responses, Map.of("type", "PONG"));
        } else {
            from.tell(responses, new ElegooCommands(this).answer(message));
        }
    }

    private void register(MqttConnection from, Map<String, Object> message) {
        String client = String.valueOf(message.get("client_id"));
        boolean full = has("crowded") || registered.size() >= MOST_CLIENTS;
        if (!full) {
            registered.put(from, client);
        }
        from.tell(
                topic(message.get("request_id") + "/register_response"),
                Map.of("client_id", client, "error", full ? "too many clients" : "ok"));
    }

    @Override
    public void left(MqttConnection client) {
        registered.remove(client);
        heard.remove(client);
    }

    @Override
    public void answer(FullHttpRequest request, Channel channel) throws RpcException {
        if (request.method().equals(HttpMethod.GET) && film.isShown()) {
            film.show(channel);
        } else {
            MoonrakerRoutes.answer(channel, 200, upload.take(request));
        }
    }

    @Override
    public String faultField() {
        return "message";
    }

    @Override
    public Map<String, Object> log() {
        Map<String, Object> log = new LinkedHashMap<>(printer.log());
        log.put("orders", new ArrayList<>(orders));
        log.put("parts", upload.parts());
        log.put("film", film.isShown());
        return log;
    }

    /** What {@link SimulatedPrinter#fail} knows, and what only such a printer can suffer. */
    @Override
    public void fail(String kind) throws RpcException {
        switch (kind) {
            case "disconnect" -> port.hangUp();
            case "offline" -> {
                troubles.add(kind);
                port.hangUp();
                files().fail(kind);
            }
            case "silent", "stutter", "crowded", "no-camera" -> troubles.add(kind);
            case "changes-lost" -> toLose.set(LOST);
            case "full" -> upload.fill();
            case "film-to-others" -> film.begin();
            case "upload-cut" -> files().fail(kind);
            case "reboot" -> {
                printer.fail(kind);
                port.hangUp();
            }
            default -> printer.fail(kind);
        }
    }

    private RestServer files() {
        RestServer open = files;
        if (open == null) {
            throw new IllegalStateException("the file server is not open yet");
        }
        return open;
    }

    @Override
    public void recover() {
        troubles.clear();
        files().recover();
    }

    /** Neither when it is off nor while it starts. */
    @Override
    public boolean isReachable() {
        return !has("offline") && !printer.klippy().equals("startup");
    }

    private boolean has(String trouble) {
        return troubles.contains(trouble);
    }

    @Override
    public boolean admits(String user, String code) {
        return user.equals("elegoo") && code.equals(accessCode);
    }

    @Override
    public @Nullable DeviceCertificate identity() {
        return null;
    }

    void obeyed(Map<String, Object> order) {
        orders.add(order);
    }

    SimulatedVideo film() {
        return film;
    }

    /** Whether there is a camera at all. */
    boolean hasCamera() {
        return !has("no-camera");
    }

    SimulatedPrinter printer() {
        return printer;
    }

    @Override
    public void close() {
        port.close();
    }
}
