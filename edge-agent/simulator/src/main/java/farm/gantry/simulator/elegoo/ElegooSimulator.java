package farm.gantry.simulator.elegoo;

import farm.gantry.json.Json;
import farm.gantry.json.MergePatch;
import farm.gantry.json.Tree;
import farm.gantry.simulator.camera.SimulatedVideo;
import farm.gantry.simulator.network.BrokerConnection;
import farm.gantry.simulator.network.DeviceCertificate;
import farm.gantry.simulator.network.DiscoveryResponder;
import farm.gantry.simulator.network.HttpResponses;
import farm.gantry.simulator.network.PrinterSimulator;
import farm.gantry.simulator.network.RestServer;
import farm.gantry.simulator.network.SimulatedBroker;
import farm.gantry.simulator.printer.RpcException;
import farm.gantry.simulator.printer.SimulatedPrinter;
import farm.gantry.simulator.printer.SimulationSpeed;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Simulates a printer of Elegoo's MQTT generation: its broker on its port, file server and video at the next port. */
public final class ElegooSimulator extends PrinterSimulator implements SimulatedBroker.Device, RestServer.Routes {
    private static final Duration CLIENT_TIMEOUT = Duration.ofSeconds(65);
    private static final int MAX_CLIENTS = 4;
    private static final int CONNECTIONS = 100;
    /** The number of changes that the fault {@code changes-lost} drops. */
    private static final int LOST = 3;

    private final String serial;
    private final String accessCode;
    private final Duration clientTimeout;
    private final ElegooUpload upload;
    private final SimulatedVideo video = SimulatedVideo.mjpeg();
    private final ConcurrentMap<BrokerConnection, Double> lastMessageAt = new ConcurrentHashMap<>();
    private final ConcurrentMap<BrokerConnection, String> registered = new ConcurrentHashMap<>();
    /**
     * The time at which each client last sent a message. The slot of a disconnected client stays reserved for a while.
     */
    private final ConcurrentMap<String, Double> places = new ConcurrentHashMap<>();

    private final AtomicInteger changes = new AtomicInteger();
    private final AtomicInteger toLose = new AtomicInteger();
    private final SimulatedBroker broker;
    private volatile @Nullable RestServer files;
    private volatile Map<String, Object> lastStatus = Map.of();
    private volatile Map<String, Object> lastAnswer = Map.of();

    /** Port 0 chooses a free port. */
    public ElegooSimulator(int port, SimulationSpeed speed, String serial, String accessCode) {
        this(port, speed, serial, accessCode, CLIENT_TIMEOUT);
    }

    /** {@code clientTimeout}: how long a client may send nothing. */
    public ElegooSimulator(int port, SimulationSpeed speed, String serial, String accessCode, Duration clientTimeout) {
        super(
                new SimulatedPrinter(speed),
                Set.of("silent", CHANGES_NOT_SENT, LATE_ANSWERS, "stutter", "crowded", "no-camera"));
        this.serial = serial;
        this.accessCode = accessCode;
        this.clientTimeout = clientTimeout;
        this.upload = new ElegooUpload(printer(), accessCode);
        this.broker = SimulatedBroker.open(this, port, this::serveFiles);
    }

    private RestServer serveFiles(int number) {
        RestServer opened = new RestServer(number, printer(), CONNECTIONS, this);
        files = opened;
        return opened;
    }

    /** Answers discovery requests. */
    public DiscoveryResponder discoveryResponder() throws IOException {
        return DiscoveryResponder.start(DiscoveryResponder.Reply.whenContains("7000", description()));
    }

    private String description() {
        Map<String, Object> description =
                Map.of("host_name", "Simulated", "machine_model", "Centauri Carbon 2", "sn", serial);
        return Json.write(Map.of("id", 0, "result", description));
    }

    @Override
    public int port() {
        return broker.port();
    }

    /** Publishes changes, and disconnects clients that have sent nothing for too long. */
    @Override
    public void tick(SimulatedBroker sender) {
        lastMessageAt.forEach((client, at) -> {
            if (printer().uptime() - at > clientTimeout.toMillis() / 1e3) {
                client.disconnect();
            }
        });
        Map<String, Object> before = lastStatus;
        Map<String, Object> status = new ElegooStatus(printer(), hasCamera()).allFields();
        lastStatus = status;
        Map<String, Object> delta = Tree.object(MergePatch.between(before, status));
        if (delta.isEmpty() || has("silent") || has(CHANGES_NOT_SENT) || !isReachable()) {
            return;
        }
        int number = changes.incrementAndGet();
        if (toLose.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            return;
        }
        publish(sender, number, delta);
        if (has("stutter")) {
            publish(sender, number - 1, Tree.object(MergePatch.between(status, before)));
            publish(sender, number, delta);
            publish(sender, number, delta);
        }
    }

    private void publish(SimulatedBroker broker, int number, Map<String, Object> delta) {
        Map<String, Object> result = new LinkedHashMap<>(delta);
        result.put("error_code", 0);
        broker.publish(topic("api_status"), Map.of("id", number, "method", 6000, "result", result));
    }

    private String topic(String below) {
        return "elegoo/" + serial + "/" + below;
    }

    @Override
    public void onMessage(BrokerConnection from, String topic, Map<String, Object> message, boolean fireAndForget) {
        lastMessageAt.put(from, printer().uptime());
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
            from.publish(responses, Map.of("type", "PONG"));
        } else {
            Map<String, Object> answer = new ElegooCommands(this).respond(message);
            boolean isStatus = Objects.equals(answer.get("method"), ElegooCommands.STATUS);
            Map<String, Object> late = lastAnswer;
            if (has(LATE_ANSWERS) && isStatus && !late.isEmpty()) {
                from.publish(responses, late);
            }
            from.publish(responses, answer);
            lastAnswer = isStatus ? answer : late;
        }
    }

    private void register(BrokerConnection from, Map<String, Object> message) {
        String client = String.valueOf(message.get("client_id"));
        double now = printer().uptime();
        places.entrySet()
                .removeIf(place -> !registered.containsValue(place.getKey())
                        && now - place.getValue() > clientTimeout.toMillis() / 1e3);
        boolean full = has("crowded") || (places.size() >= MAX_CLIENTS && !places.containsKey(client));
        if (!full) {
            registered.put(from, client);
            places.put(client, now);
        }
        from.publish(
                topic(message.get("request_id") + "/register_response"),
                Map.of("client_id", client, "error", full ? "too many clients" : "ok"));
    }

    @Override
    public void onDisconnect(BrokerConnection client) {
        String left = registered.remove(client);
        if (left != null) {
            places.put(left, printer().uptime());
        }
        lastMessageAt.remove(client);
    }

    @Override
    public void answer(FullHttpRequest request, Channel channel) throws RpcException {
        if (request.method().equals(HttpMethod.GET) && video.isRunning()) {
            video.sendVideo(channel);
        } else {
            HttpResponses.json(channel, 200, upload.receive(request));
        }
    }

    @Override
    public Map<String, Object> log() {
        Map<String, Object> log = super.log();
        log.put("parts", upload.receivedParts());
        log.put("film", video.isRunning());
        return log;
    }

    @Override
    public void fail(String kind) throws RpcException {
        switch (kind) {
            case "offline" -> {
                files().fail(kind);
                super.fail(kind);
            }
            case "changes-lost" -> toLose.set(LOST);
            case "full" -> upload.simulateFullDisk();
            case "film-to-others" -> video.start();
            case "upload-cut" -> files().fail(kind);
            default -> super.fail(kind);
        }
    }

    @Override
    public void disconnectAll() {
        broker.disconnectAll();
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
        super.recover();
        files().recover();
    }

    @Override
    public boolean accepts(String user, String code) {
        return user.equals("elegoo") && code.equals(accessCode);
    }

    @Override
    public @Nullable DeviceCertificate certificate() {
        return null;
    }

    SimulatedVideo video() {
        return video;
    }

    /** Returns whether it has a camera. */
    boolean hasCamera() {
        return !has("no-camera");
    }

    @Override
    public void close() {
        broker.close();
    }
}
