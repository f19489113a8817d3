package farm.gantry.simulator;

import farm.gantry.json.Tree;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.FullHttpRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** One simulated printer of Anycubic's in LAN mode: HTTP on a port of its own, its broker at any other. */
public final class AnycubicSimulator implements AutoCloseable, MqttBroker.House, RestServer.Rest {
    static final String MODEL = "20025";

    private static final int CONNECTIONS = 100;
    private static final String PREFIX = "anycubic/anycubicCloud/v1/";

    private final String device = UUID.randomUUID().toString().replace("-", "");
    private final SimulatedPrinter printer;
    private final List<Map<String, Object>> orders = new CopyOnWriteArrayList<>();
    private final Set<String> troubles = ConcurrentHashMap.newKeySet();
    private final SimulatedVideo film = SimulatedVideo.ofVideo();
    private final RestServer http;
    private final MqttBroker broker;
    private volatile AnycubicCredentials door = AnycubicCredentials.anew();
    private volatile DeviceCertificate identity = DeviceCertificate.of("192.168.1.1");
    private volatile Map<String, Object> lastTemperatures = Map.of();
    private volatile Map<String, Object> lastJob = Map.of();

    /** A port of 0 is any free one. */
    public AnycubicSimulator(int port, SimulationSpeed pace) {
        this.printer = new SimulatedPrinter(pace, (_, _) -> {});
        this.http = new RestServer(port, printer, CONNECTIONS, this);
        this.broker = MqttBroker.open(this, 0, _ -> () -> {});
    }

    /** Tells of this printer to whoever looks for its kind. */
    public DiscoveryResponder beacon() throws IOException {
        String query = "modelId=20024&modelName=Anycubic+Kobra+3&cn=SIMULATED&token=secret&ctrlType=lan";
        return DiscoveryResponder.light(DiscoveryResponder.Answer.toWord(
                "ST: ac:3dprinter:fdm",
                String.join(
                        "\r\n",
                        "HTTP/1.1 200 OK",
                        "SERVER: ac:fdm:ssdp",
                        "USN: uuid:fdm:0123456789AB",
                        "LOCATION: http://127.0.0.1:" + port() + "/info?" + query,
                        "",
                        "")));
    }

    public int port() {
        return http.number();
    }

    /** Temperatures and the job are told when they change; all else is told to whoever asks. */
    @Override
    public void pass(MqttBroker through) {
        AnycubicStatus info = new AnycubicStatus(this);
        Map<String, Object> temperatures = info.temperatures();
        Map<String, Object> job = info.job();
        Map<String, Object> before = lastJob;
        boolean warmer = !temperatures.equals(lastTemperatures);
        boolean further = !job.equals(before) && !job.isEmpty();
        lastTemperatures = temperatures;
        lastJob = job;
        if (has("silent") || !isReachable()) {
            return;
        }
        if (warmer) {
            tell(through, "tempature", report("tempature", "auto", "done", temperatures));
        }
        if (further) {
            tell(through, "print", job(job));
            if (has("stutter")) {
                tell(through, "print", job(job));
                tell(through, "print", job(before.isEmpty() ? job : before));
                tell(through, "info", info.report());
            }
        }
    }

    private static Map<String, Object> job(Map<String, Object> job) {
        return report("print", "start", String.valueOf(job.get("state")), job);
    }

    static Map<String, Object> report(String type, String action, String state, Map<String, Object> data) {
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("type", type);
        report.put("action", action);
        report.put("msgid", UUID.randomUUID().toString());
        report.put("state", state);
        report.put("code", 200);
        report.put("msg", "done");
        report.put("data", data);
        return report;
    }

    private String place() {
        return MODEL + "/" + device + "/";
    }

    private void tell(MqttBroker through, String type, Map<String, Object> report) {
        through.tell(reports(type), report);
    }

    private String reports(String type) {
        return PREFIX + "printer/public/" + place() + type + "/report";
    }

    /** Each message is acknowledged, whatever comes of it; its report tells that. */
    @Override
    public void take(MqttConnection from, String topic, Map<String, Object> message, boolean careless) {
        String type = String.valueOf(message.get("type"));
        boolean slicer = topic.equals(PREFIX + "slicer/printer/" + place() + type);
        if (has("silent") || !(slicer || topic.equals(PREFIX + "web/printer/" + place() + type))) {
            return;
        }
        Object number = Objects.requireNonNullElse(message.get("msgid"), "");
        from.tell(PREFIX + "printer/public/" + place() + "response", Map.of("msgid", number));
        new AnycubicCommands(this).answer(message, slicer).ifPresent(report -> {
            report.put("msgid", number);
            from.tell(reports(type), report);
        });
    }

    @Override
    public void answer(FullHttpRequest request, Channel channel) throws IOException, RpcException {
        String path = request.uri().replaceFirst("\\?.*", "");
        switch (path) {
            case "/info" -> MoonrakerRoutes.answer(channel, 200, door.info(address(), has("cloud-mode")));
            case "/ctrl" ->
                MoonrakerRoutes.answer(
                        channel, 200, door.login(request, "mqtts://127.0.0.1:" + broker.number(), device));
            case "/gcode_upload" -> MoonrakerRoutes.answer(channel, 200, upload(request));
            case "/flv" -> {
                if (!film.isShown()) {
                    throw new RpcException(404, "the camera is off");
                }
                film.show(channel);
            }
            default -> throw new RpcException(404, "Not Found");
        }
    }

    private Map<String, Object> upload(FullHttpRequest request) throws IOException, RpcException {
        if (!request.uri().endsWith("?s=" + door.uploads())) {
            throw new RpcException(403, "the token is not good");
        }
        UploadForm form = UploadForm.of(request);
        if (!form.fileName().equals(form.fields().get("filename"))) {
            throw RpcException.refused("the form is not whole");
        }
        if (has("full")) {
            return Map.of("code", 10_012, "message", "no space left");
        }
        printer.upload(form.file());
        return Map.of("code", 200, "data", Map.of("gcode", form.fileName()));
    }

    @Override
    public String faultField() {
        return "message";
    }

    @Override
    public Map<String, Object> log() {
        Map<String, Object> log = new LinkedHashMap<>(printer.log());
        log.put("orders", new ArrayList<>(orders));
        log.put("film", film.isShown());
        return log;
    }

    /** What {@link SimulatedPrinter#fail} knows, and what only such a printer can suffer. */
    @Override
    public void fail(String kind) throws RpcException {
        switch (kind) {
            case "silent", "stutter", "full", "login-refused" -> troubles.add(kind);
            case "disconnect" -> broker.hangUp();
            case "offline" -> {
                troubles.add(kind);
                http.fail(kind);
                broker.hangUp();
            }
            case "cloud-mode" -> {
                troubles.add(kind);
                broker.hangUp();
            }
            case "upload-cut" -> http.fail(kind);
            case "other-certificate" -> {
                identity = DeviceCertificate.of("192.168.1.2");
                broker.hangUp();
            }
            case "reboot" -> {
                printer.fail(kind);
                door = AnycubicCredentials.anew();
                broker.hangUp();
            }
            default -> printer.fail(kind);
        }
    }

    @Override
    public void recover() {
        troubles.clear();
        http.recover();
    }

    /** Neither when it is off, nor while it starts, nor when it serves a cloud. */
    @Override
    public boolean isReachable() {
        return !has("offline") && !has("cloud-mode") && !printer.klippy().equals("startup");
    }

    private boolean has(String trouble) {
        return troubles.contains(trouble);
    }

    @Override
    public boolean admits(String user, String password) {
        return !has("login-refused") && door.admits(user, password);
    }

    @Override
    public DeviceCertificate identity() {
        return identity;
    }

    SimulatedVideo film() {
        return film;
    }

    String address() {
        return "http://127.0.0.1:" + port();
    }

    String uploads() {
        return address() + "/gcode_upload?s=" + door.uploads();
    }

    void obeyed(Map<String, Object> order) {
        orders.add(Tree.object(order));
    }

    SimulatedPrinter printer() {
        return printer;
    }

    @Override
    public void close() {
        broker.close();
        http.close();
    }
}
