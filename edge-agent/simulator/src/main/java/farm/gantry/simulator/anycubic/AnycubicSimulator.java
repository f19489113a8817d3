package farm.gantry.simulator.anycubic;

import farm.gantry.simulator.camera.SimulatedVideo;
import farm.gantry.simulator.network.BrokerConnection;
import farm.gantry.simulator.network.DeviceCertificate;
import farm.gantry.simulator.network.DiscoveryResponder;
import farm.gantry.simulator.network.HttpResponses;
import farm.gantry.simulator.network.PrinterSimulator;
import farm.gantry.simulator.network.RestServer;
import farm.gantry.simulator.network.SimulatedBroker;
import farm.gantry.simulator.network.UploadForm;
import farm.gantry.simulator.printer.RpcException;
import farm.gantry.simulator.printer.SimulatedPrinter;
import farm.gantry.simulator.printer.SimulationSpeed;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.FullHttpRequest;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

/** Simulates an Anycubic printer in LAN mode: HTTP on its port, the broker on any free one. */
public final class AnycubicSimulator extends PrinterSimulator implements SimulatedBroker.Device, RestServer.Routes {
    static final String MODEL = "20025";

    private static final int CONNECTIONS = 100;
    private static final String PREFIX = "anycubic/anycubicCloud/v1/";

    private final String device = UUID.randomUUID().toString().replace("-", "");
    private final SimulatedVideo video = SimulatedVideo.flv();
    private final RestServer http;
    private final SimulatedBroker broker;
    private volatile AnycubicCredentials credentials = AnycubicCredentials.random();
    private volatile DeviceCertificate certificate = DeviceCertificate.of("192.168.1.1");
    private volatile Map<String, Object> lastTemperatures = Map.of();
    private volatile Map<String, Object> lastJob = Map.of();
    private volatile Map<String, Object> lastInfo = Map.of();

    /** Port 0 chooses a free port. */
    public AnycubicSimulator(int port, SimulationSpeed speed) {
        super(
                new SimulatedPrinter(speed),
                Set.of("silent", CHANGES_NOT_SENT, LATE_ANSWERS, "stutter", "full", "login-refused"));
        this.http = new RestServer(port, printer(), CONNECTIONS, this);
        this.broker = SimulatedBroker.open(this, 0, _ -> () -> {});
    }

    /** Answers SSDP searches. */
    public DiscoveryResponder discoveryResponder() throws IOException {
        String query = "modelId=20024&modelName=Anycubic+Kobra+3&cn=SIMULATED&token=secret&ctrlType=lan";
        return DiscoveryResponder.start(DiscoveryResponder.Reply.whenContains(
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

    @Override
    public int port() {
        return http.port();
    }

    /** Publishes temperatures and the job when they change; everything else is sent on request only. */
    @Override
    public void tick(SimulatedBroker to) {
        AnycubicStatus info = new AnycubicStatus(this);
        Map<String, Object> temperatures = info.temperatures();
        Map<String, Object> job = info.job();
        Map<String, Object> before = lastJob;
        boolean warmer = !temperatures.equals(lastTemperatures);
        boolean further = !job.equals(before) && !job.isEmpty();
        lastTemperatures = temperatures;
        lastJob = job;
        if (has("silent") || has(CHANGES_NOT_SENT) || !isReachable()) {
            return;
        }
        if (warmer) {
            publish(to, "tempature", report("tempature", "auto", "done", temperatures));
        }
        if (further) {
            publish(to, "print", job(job));
            if (has("stutter")) {
                publish(to, "print", job(job));
                publish(to, "print", job(before.isEmpty() ? job : before));
                publish(to, "info", info.report());
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

    private String topicPath() {
        return MODEL + "/" + device + "/";
    }

    private void publish(SimulatedBroker to, String type, Map<String, Object> report) {
        to.publish(reports(type), report);
    }

    private String reports(String type) {
        return PREFIX + "printer/public/" + topicPath() + type + "/report";
    }

    /** Executes a message. Each message is acknowledged, even one that fails; the report contains the outcome. */
    @Override
    public void onMessage(BrokerConnection from, String topic, Map<String, Object> message, boolean fireAndForget) {
        String type = String.valueOf(message.get("type"));
        boolean slicer = topic.equals(PREFIX + "slicer/printer/" + topicPath() + type);
        if (has("silent") || !(slicer || topic.equals(PREFIX + "web/printer/" + topicPath() + type))) {
            return;
        }
        Object number = Objects.requireNonNullElse(message.get("msgid"), "");
        from.publish(PREFIX + "printer/public/" + topicPath() + "response", Map.of("msgid", number));
        new AnycubicCommands(this).respond(message, slicer).ifPresent(report -> {
            report.put("msgid", number);
            Map<String, Object> late = lastInfo;
            if (has(LATE_ANSWERS) && type.equals("info") && !late.isEmpty()) {
                from.publish(reports(type), late);
            }
            from.publish(reports(type), report);
            lastInfo = type.equals("info") ? report : late;
        });
    }

    private String topicName() {
        return has(OTHER_MACHINE) ? "other-" + device : device;
    }

    @Override
    public void answer(FullHttpRequest request, Channel channel) throws IOException, RpcException {
        String path = request.uri().replaceFirst("\\?.*", "");
        switch (path) {
            case "/info" -> HttpResponses.json(channel, 200, credentials.info(address(), has("cloud-mode")));
            case "/ctrl" ->
                HttpResponses.json(
                        channel, 200, credentials.login(request, "mqtts://127.0.0.1:" + broker.port(), topicName()));
            case "/gcode_upload" -> HttpResponses.json(channel, 200, upload(request));
            case "/flv" -> {
                if (!video.isRunning()) {
                    throw new RpcException(404, "the camera is off");
                }
                video.sendVideo(channel);
            }
            default -> throw new RpcException(404, "Not Found");
        }
    }

    private Map<String, Object> upload(FullHttpRequest request) throws IOException, RpcException {
        if (!request.uri().endsWith("?s=" + credentials.uploadToken())) {
            throw new RpcException(403, "the token is not good");
        }
        UploadForm form = UploadForm.of(request);
        if (!form.fileName().equals(form.fields().get("filename"))) {
            throw RpcException.refused("the form is not whole");
        }
        if (has("full")) {
            return Map.of("code", 10_012, "message", "no space left");
        }
        printer().upload(form.file());
        return Map.of("code", 200, "data", Map.of("gcode", form.fileName()));
    }

    @Override
    public Map<String, Object> log() {
        Map<String, Object> log = super.log();
        log.put("film", video.isRunning());
        return log;
    }

    @Override
    public void fail(String kind) throws RpcException {
        switch (kind) {
            case "offline" -> {
                http.fail(kind);
                super.fail(kind);
            }
            case "cloud-mode", OTHER_MACHINE -> {
                faults.add(kind);
                disconnectAll();
            }
            case "upload-cut" -> http.fail(kind);
            case "other-certificate" -> {
                certificate = DeviceCertificate.of("192.168.1.2");
                disconnectAll();
            }
            case "reboot" -> {
                credentials = AnycubicCredentials.random();
                super.fail(kind);
            }
            default -> super.fail(kind);
        }
    }

    @Override
    public void disconnectAll() {
        broker.disconnectAll();
    }

    @Override
    public void recover() {
        super.recover();
        http.recover();
    }

    /** Returns whether the printer accepts connections: not while it is off, starts, or is in cloud mode. */
    @Override
    public boolean isReachable() {
        return super.isReachable() && !has("cloud-mode");
    }

    @Override
    public boolean accepts(String user, String password) {
        return !has("login-refused") && credentials.accepts(user, password);
    }

    @Override
    public DeviceCertificate certificate() {
        return certificate;
    }

    SimulatedVideo video() {
        return video;
    }

    String address() {
        return "http://127.0.0.1:" + port();
    }

    String uploadUrl() {
        return address() + "/gcode_upload?s=" + credentials.uploadToken();
    }

    @Override
    public void close() {
        broker.close();
        http.close();
    }
}
