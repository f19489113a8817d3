package farm.gantry.simulator.bambu;

import farm.gantry.simulator.network.BrokerConnection;
import farm.gantry.simulator.network.DeviceCertificate;
import farm.gantry.simulator.network.DiscoveryResponder;
import farm.gantry.simulator.network.PrinterSimulator;
import farm.gantry.simulator.network.SimulatedBroker;
import farm.gantry.simulator.network.SocketListener;
import farm.gantry.simulator.printer.RpcException;
import farm.gantry.simulator.printer.SimulatedPrinter;
import farm.gantry.simulator.printer.SimulationSpeed;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Simulates a Bambu Lab printer: an MQTT broker, its file server at the next port, then its camera and then its video
 * stream.
 */
public final class BambuSimulator extends PrinterSimulator implements SimulatedBroker.Device {
    private static final String NO_TASK = "0";
    /** A fault: the printer reads a project and does nothing else meanwhile. */
    static final String PARSING = "parsing";
    /** A fault: the printer still reports the end of the last print while it already names the next print. */
    private static final String STATE_LINGERS = "state-lingers";

    private static final String KIND = "urn:bambulab-com:device:3dprinter:1";

    private final String serial;
    private final String accessCode;
    private final BambuTrays trays = new BambuTrays();
    private final SimulatedBroker broker;
    private volatile DeviceCertificate certificate;
    /** The task id sent with the print; {@code 0} for one started at the screen. */
    private volatile String task = NO_TASK;

    /**
     * Whether a pause arrived while the print was prepared. Such a pause is ignored, and the print cannot be paused any
     * more.
     */
    private volatile boolean unpausable;

    private volatile Map<String, Object> lastReport = Map.of();
    private volatile Map<String, Object> parsed = Map.of();

    /** Port 0 chooses a free port. */
    public BambuSimulator(int port, SimulationSpeed speed, String serial, String accessCode) {
        super(
                new SimulatedPrinter(speed),
                Set.of(
                        "silent",
                        CHANGES_NOT_SENT,
                        PARSING,
                        STATE_LINGERS,
                        "stutter",
                        "signatures",
                        "upload-cut",
                        "upload-stalled",
                        "upload-unanswered",
                        "clear-files",
                        "lost-files",
                        "full",
                        "card-locked",
                        "rtsps",
                        "film-off",
                        "endless-reply",
                        "camera-broken"));
        this.serial = serial;
        this.accessCode = accessCode;
        this.certificate = DeviceCertificate.of(serial);
        this.broker = SimulatedBroker.open(this, port, this::openListeners);
    }

    private AutoCloseable openListeners(int number) throws IOException {
        return SocketListener.openAll(
                number,
                this::isReachable,
                client -> new BambuFtpSession(this, client).run(),
                client -> new BambuCameraSession(this, client).run(),
                client -> new BambuRtspSession(this, client).run());
    }

    /** Answers SSDP searches. */
    public DiscoveryResponder discoveryResponder() throws IOException {
        return DiscoveryResponder.start(
                DiscoveryResponder.Reply.whenContains("ST: " + KIND, announcement("HTTP/1.1 200 OK", "ST")));
    }

    /** Returns the SSDP announcement of such a printer. */
    public String announcement() {
        return announcement("NOTIFY * HTTP/1.1", "NT");
    }

    private String announcement(String head, String kind) {
        return String.join(
                "\r\n",
                head,
                kind + ": " + KIND,
                "Location: 127.0.0.1",
                "USN: " + serial,
                "DevModel.bambu.com: C12",
                "DevName.bambu.com: Simulated",
                "DevConnect.bambu.com: lan",
                "",
                "");
    }

    @Override
    public int port() {
        return broker.port();
    }

    /** Publishes changes; with the fault {@code stutter}, also duplicates and outdated values. */
    @Override
    public void tick(SimulatedBroker sender) {
        printer().advance();
        Map<String, Object> before = lastReport;
        Map<String, Object> report = new BambuStatus(this).allFields();
        lastReport = report;
        Map<String, Object> delta = new LinkedHashMap<>();
        report.forEach((name, value) -> {
            if (!Objects.equals(value, before.get(name))) {
                delta.put(name, value);
            }
        });
        if (delta.isEmpty() || has("silent") || has(CHANGES_NOT_SENT)) {
            return;
        }
        sender.publish(reports(), BambuStatus.changeReport(delta));
        if (has("stutter")) {
            Map<String, Object> old = new LinkedHashMap<>(before);
            old.keySet().retainAll(delta.keySet());
            sender.publish(reports(), BambuStatus.changeReport(old));
            sender.publish(reports(), BambuStatus.changeReport(delta));
            sender.publish(reports(), BambuStatus.changeReport(delta));
        }
    }

    private String reports() {
        return "device/" + serial + "/report";
    }

    /** Executes a message. Like a real printer, ignores messages with QoS 0 while it prints. */
    @Override
    public void onMessage(BrokerConnection from, String topic, Map<String, Object> message, boolean fireAndForget) {
        if (!has("silent") && !(fireAndForget && printer().print().isActive())) {
            new BambuCommands(this).respond(message).ifPresent(answer -> from.publish(reports(), answer));
        }
    }

    @Override
    public void fail(String kind) throws RpcException {
        switch (kind) {
            case "other-certificate" -> {
                certificate = DeviceCertificate.of(serial);
                disconnectAll();
            }
            case "other-printer" -> {
                certificate = DeviceCertificate.of("ANOTHER");
                disconnectAll();
            }
            case "started-at-screen" -> {
                super.fail(kind);
                task = NO_TASK;
                unpausable = false;
            }
            default -> super.fail(kind);
        }
    }

    @Override
    public void disconnectAll() {
        broker.disconnectAll();
    }

    /**
     * Returns whether the printer is busy reading the project: with the fault {@code parsing}, it neither answers nor
     * shows a print until it recovers.
     */
    boolean startReading(Map<String, Object> project) {
        if (has(PARSING)) {
            parsed = project;
        }
        return has(PARSING);
    }

    @Override
    public void recover() {
        Map<String, Object> project = parsed;
        parsed = Map.of();
        if (!project.isEmpty()) {
            new BambuCommands(this).respond("project_file", project);
        }
        faults.retainAll(Set.of("upload-cut", "clear-files", "lost-files", "rtsps", "film-off"));
        printer().recover();
    }

    /** Returns the camera's fields of the report: larger models stream RTSP, which can be off, and send no images. */
    Map<String, ?> camera() {
        if (has("film-off")) {
            return Map.of("rtsp_url", "disable");
        }
        return has("rtsps") ? Map.of("rtsp_url", "rtsps://127.0.0.1:322/streaming/live/1") : Map.of("ipcam_dev", "1");
    }

    void startPrint(String fileName, String number) throws RpcException {
        printer().start(fileName);
        task = number;
        unpausable = false;
    }

    void pause() throws RpcException {
        unpausable |= printer().print().isPrinting() && printer().print().printed() == 0;
        if (!unpausable) {
            printer().pause();
        }
    }

    /**
     * Returns the state to report instead of the machine's own while the fault {@code state-lingers} is active;
     * otherwise null.
     */
    @Nullable
    Object lingeringState() {
        return has(STATE_LINGERS) ? lastReport.get("gcode_state") : null;
    }

    String task() {
        return task;
    }

    String accessCode() {
        return accessCode;
    }

    /** Returns whether to break the connection in the middle of this upload, and resets the fault. */
    boolean cutsUpload() {
        return faults.remove("upload-cut");
    }

    /** Returns whether the printer accepts no byte of a file, as with a defective card. */
    boolean stallsUpload() {
        return has("upload-stalled");
    }

    /** Returns whether the printer refuses to remove files, as for a moment after a print. */
    boolean refusesRemoval() {
        return has("card-locked");
    }

    /** Returns whether to leave this upload unconfirmed, and resets the fault. */
    boolean dropsUploadReply() {
        return faults.remove("upload-unanswered");
    }

    /** Returns whether the printer aborts uploads over TLS, like some of the smaller models. */
    boolean rejectsTlsUploads() {
        return has("clear-files");
    }

    /** Returns whether the printer stores only uploads without TLS, and loses those over TLS without an error. */
    boolean acceptsPlainUploads() {
        return rejectsTlsUploads() || has("lost-files");
    }

    @Override
    public boolean accepts(String user, String code) {
        return user.equals("bblp") && code.equals(accessCode);
    }

    @Override
    public DeviceCertificate certificate() {
        return certificate;
    }

    BambuTrays trays() {
        return trays;
    }

    @Override
    public void close() {
        broker.close();
    }
}
