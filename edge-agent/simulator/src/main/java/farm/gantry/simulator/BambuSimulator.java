package farm.gantry.simulator;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * One simulated printer that is its own MQTT broker on a port of its own, has its file server at the port after it, its camera
 * at the next, and the film of that at the one after.
 */
public final class BambuSimulator implements AutoCloseable, MqttBroker.House {
    private static final String NO_TASK = "0";
    private static final String KIND = "urn:bambulab-com:device:3dprinter:1";

    private final String serial;
    private final String accessCode;
    private final SimulatedPrinter printer;
    private final BambuTrays trays = new BambuTrays();
    private final List<Map<String, Object>> orders = new CopyOnWriteArrayList<>();
    private final MqttBroker port;
    private volatile DeviceCertificate identity;
    /** The number that the sender of the print gave it; one that was begun at the screen has none. */
    private volatile String task = NO_TASK;

    private volatile Map<String, Object> lastReport = Map.of();
    private final Set<String> troubles = ConcurrentHashMap.newKeySet();
    private volatile long lastPass = System.nanoTime();

    /** A port of 0 is any free one. */
    public BambuSimulator(int port, SimulationSpeed pace, String serial, String accessCode) {
        this.serial = serial;
        this.accessCode = accessCode;
        this.identity = DeviceCertificate.of(serial);
        this.printer = new SimulatedPrinter(pace, (_, _) -> {});
        this.port = MqttBroker.open(this, port, this::openDoors);
    }

    private AutoCloseable openDoors(int number) throws IOException {
        SocketListener files =
                new SocketListener(number, this::isReachable, visitor -> new BambuFtpSession(this, visitor).talk());
        try {
            SocketListener camera = new SocketListener(
                    number + 1, this::isReachable, visitor -> new BambuCameraSession(this, visitor).show());
            try {
                SocketListener film = new SocketListener(
                        number + 2, this::isReachable, visitor -> new BambuRtspSession(this, visitor).talk());
                return () -> {
                    film.close();
                    camera.close();
                    files.close();
                };
            } catch (IOException e) {
                camera.close();
                throw e;
            }
        } catch (IOException e) {
            files.close();
            throw e;
        }
    }

    /** Tells of this printer to whoever looks for its kind. */
    public DiscoveryResponder beacon() throws IOException {
        return DiscoveryResponder.light(
                DiscoveryResponder.Answer.toWord("ST: " + KIND, notice("HTTP/1.1 200 OK", "ST")));
    }

    /** What such a printer says by itself now and then. */
    public String notice() {
        return notice("NOTIFY * HTTP/1.1", "NT");
    }

    private String notice(String head, String kind) {
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

    public int port() {
        return port.number();
    }

    /** What has changed goes to all; a printer that stutters says it twice, and then what it said before. */
    @Override
    public void pass(MqttBroker through) {
        long now = System.nanoTime();
        printer.pass((now - lastPass) / 1e9);
        lastPass = now;
        Map<String, Object> before = lastReport;
        Map<String, Object> report = new BambuStatus(this).all();
        lastReport = report;
        Map<String, Object> delta = new LinkedHashMap<>();
        report.forEach((name, value) -> {
            if (!Objects.equals(value, before.get(name))) {
                delta.put(name, value);
            }
        });
        if (delta.isEmpty() || has("silent")) {
            return;
        }
        through.tell(reports(), BambuStatus.changed(delta));
        if (has("stutter")) {
            Map<String, Object> old = new LinkedHashMap<>(before);
            old.keySet().retainAll(delta.keySet());
            through.tell(reports(), BambuStatus.changed(old));
            through.tell(reports(), BambuStatus.changed(delta));
            through.tell(reports(), BambuStatus.changed(delta));
        }
    }

    private String reports() {
        return "device/" + serial + "/report";
    }

    /** As the real ones do, it hears of what is sent without care only when it has nothing else to do. */
    @Override
    public void take(MqttConnection from, String topic, Map<String, Object> message, boolean careless) {
        if (!has("silent") && !(careless && printer.print().isActive())) {
            new BambuCommands(this).answer(message).ifPresent(answer -> from.tell(reports(), answer));
        }
    }

    @Override
    public Map<String, Object> log() {
        Map<String, Object> log = new LinkedHashMap<>(printer.log());
        log.put("orders", new ArrayList<>(orders));
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
            }
            case "silent",
                    "stutter",
                    "signatures",
                    "upload-cut",
                    "upload-unanswered",
                    "clear-files",
                    "lost-files",
                    "full",
                    "rtsps",
                    "film-off",
                    "camera-broken" -> troubles.add(kind);
            case "other-certificate" -> {
                identity = DeviceCertificate.of(serial);
                port.hangUp();
            }
            case "other-printer" -> {
                identity = DeviceCertificate.of("ANOTHER");
                port.hangUp();
            }
            case "reboot" -> {
                printer.fail(kind);
                port.hangUp();
            }
            case "started-at-screen" -> {
                printer.fail(kind);
                task = NO_TASK;
            }
            default -> printer.fail(kind);
        }
    }

    @Override
    public void recover() {
        troubles.retainAll(Set.of("upload-cut", "clear-files", "lost-files", "rtsps", "film-off"));
        printer.recover();
    }

    /** Neither when it is off nor while it starts. */
    @Override
    public boolean isReachable() {
        return !has("offline") && !printer.klippy().equals("startup");
    }

    /** Whether it obeys only those who sign their orders. */
    boolean wantsSignatures() {
        return has("signatures");
    }

    /** Whether its camera stops in the middle of a picture. */
    boolean isCameraBroken() {
        return has("camera-broken");
    }

    /** Where it shows a film, and no pictures, as the larger ones, and whether that is on. */
    Map<String, ?> camera() {
        if (has("film-off")) {
            return Map.of("rtsp_url", "disable");
        }
        return has("rtsps") ? Map.of("rtsp_url", "rtsps://127.0.0.1:322/streaming/live/1") : Map.of("ipcam_dev", "1");
    }

    void begin(String fileName, String number) throws RpcException {
        printer.start(fileName);
        task = number;
    }

    String task() {
        return task;
    }

    String accessCode() {
        return accessCode;
    }

    boolean isFull() {
        return has("full");
    }

    /** Once: the line breaks in the middle of the next upload. */
    boolean cuts() {
        return troubles.remove("upload-cut");
    }

    /** Once: it says nothing when it has a file. */
    boolean fallsSilent() {
        return troubles.remove("upload-unanswered");
    }

    /** Whether it breaks off where its files come in TLS, as some of the smaller ones. */
    boolean breaksTls() {
        return has("clear-files");
    }

    /** Whether it takes files without TLS; in TLS, they are lost without a word. */
    boolean takesInClear() {
        return breaksTls() || has("lost-files");
    }

    private boolean has(String trouble) {
        return troubles.contains(trouble);
    }

    @Override
    public boolean admits(String user, String code) {
        return user.equals("bblp") && code.equals(accessCode);
    }

    void obeyed(Map<String, Object> order) {
        orders.add(order);
    }

    @Override
    public DeviceCertificate identity() {
        return identity;
    }

    SimulatedPrinter printer() {
        return printer;
    }

    BambuTrays trays() {
        return trays;
    }

    @Override
    public void close() {
        port.close();
    }
}
