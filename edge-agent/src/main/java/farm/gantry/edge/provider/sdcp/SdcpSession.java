package farm.gantry.edge.provider.sdcp;

import farm.gantry.edge.camera.CameraImage;
import farm.gantry.edge.camera.HttpCamera;
import farm.gantry.edge.printer.connection.PrinterBindings;
import farm.gantry.edge.printer.connection.PrinterConnection;
import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.connection.Provider.Listener;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.edge.session.PrinterSession;
import farm.gantry.edge.session.PushConnection;
import farm.gantry.edge.session.PushConnection.MessageQueue;
import farm.gantry.edge.session.PushConnection.Protocol;
import farm.gantry.edge.trust.PinnedIdentity;
import farm.gantry.json.Tree;
import farm.gantry.wire.Command;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The connection to one printer. */
final class SdcpSession implements PrinterConnection, Protocol<SdcpSocket, SdcpSocket.Status> {
    private static final Logger LOG = LoggerFactory.getLogger(SdcpSession.class);
    private static final Duration START_TIMEOUT = Duration.ofSeconds(15);
    /**
     * The maximum number of start attempts: after an upload, a printer verifies the file for some seconds, and starts
     * nothing.
     */
    private static final int MAX_STARTS = 15;

    private static final Duration BETWEEN_STARTS = Duration.ofSeconds(1);

    private final HttpClient http;
    private final SdcpAddress address;
    private final PinnedIdentity pin;
    private final PrinterBindings bindings;
    private final Duration interval;
    private final PushConnection<SdcpSocket, SdcpSocket.Status> connection;
    private volatile @Nullable String newestPrint;

    /**
     * Creates a session. {@code interval} is how often the status is requested, which also keeps the connection open.
     */
    SdcpSession(
            HttpClient http,
            SdcpAddress address,
            PinnedIdentity pin,
            PrinterBindings bindings,
            Duration interval,
            Listener listener) {
        this.http = http;
        this.address = address;
        this.pin = pin;
        this.bindings = bindings;
        this.interval = interval;
        this.connection = new PushConnection<>(this, interval.multipliedBy(3).dividedBy(2), listener);
    }

    SdcpSession start() {
        connection.start();
        return this;
    }

    @Override
    public SdcpSocket open(MessageQueue<SdcpSocket.Status> messages) throws IOException, InterruptedException {
        return new SdcpSocket(address, messages);
    }

    @Override
    public void onConnect(SdcpSocket socket) {
        connection.repeat(interval, socket, SdcpSocket::requestStatus);
    }

    @Override
    public boolean onSilence(SdcpSocket socket) throws IOException, InterruptedException {
        socket.requestStatus();
        return false;
    }

    /** Handles a status. Throws if the address belongs to another printer. */
    @Override
    public void onMessage(SdcpSocket socket, SdcpSocket.Status message) throws IOException, InterruptedException {
        if (!address.mainboardId().isEmpty() && !address.mainboardId().equals(message.mainboardId())) {
            throw new IOException(
                    "another printer answers at " + address.host() + ", with mainboard " + message.mainboardId());
        }
        Map<String, Object> status = message.status();
        boolean online = connection.isOnline();
        if (!online && address.mainboardId().isEmpty()) {
            pin.check(message.mainboardId(), address);
        }
        String task = Tree.text(status, "PrintInfo", "TaskId");
        if (task != null && !task.isBlank()) {
            newestPrint = task;
        } else if (!online) {
            newestPrint = newestPrint(socket);
        }
        PrinterStatus before = online ? connection.session().lastStatus() : null;
        connection.onStatus(SdcpStatusParser.parse(status, before).withPrintCounter(newestPrint));
        connection.onWholeStatus();
    }

    private @Nullable String newestPrint(SdcpSocket socket) throws InterruptedException {
        try {
            return new SdcpHistory(socket).newestPrint();
        } catch (IOException | Refusal e) {
            LOG.debug("{}: cannot read its history: {}", address, e.getMessage());
            return null;
        }
    }

    @Override
    public PrinterStatus currentStatus(PrinterSession session) throws Refusal, InterruptedException {
        return connection.fetchStatus(SdcpSocket::requestStatus);
    }

    @Override
    public void upload(Path file, String sha256, String fileName) throws IOException, Refusal, InterruptedException {
        String uuid = UUID.randomUUID().toString().replace("-", "");
        try {
            new SdcpFileUpload(http, address, uuid).send(file, fileName);
        } catch (IOException e) {
            connection.send(socket -> socket.send(SdcpMethod.ABORT_UPLOAD, Map.of("Uuid", uuid, "FileName", fileName)));
            throw e;
        }
    }

    /**
     * Sends the removal without waiting for a response: not every firmware sends one, and a file that stays is
     * harmless.
     */
    @Override
    public void removeFile(String fileName) throws IOException, Refusal, InterruptedException {
        Map<String, ?> files = Map.of("FileList", List.of(SdcpRequests.path(fileName)), "FolderList", List.of());
        PrinterSession session = connection.session();
        session.removeFile(fileName, _ -> connection.connected().send(SdcpMethod.DELETE_FILES, files));
    }

    /** Starts a print. Retries only if the printer responds that it is busy, and only while it shows no print. */
    @Override
    public void start(String fileName, Command.@Nullable Print wanted, StatusCheck check)
            throws IOException, Refusal, InterruptedException {
        Map<String, Object> options = wanted == null || wanted.options() == null ? Map.of() : wanted.options();
        SdcpRequests.MethodCall order = new SdcpRequests(bindings).start(fileName, options);
        PrinterSession session = connection.session();
        session.runExclusively(() -> {
            for (int attempt = 1; ; attempt++) {
                PrinterStatus now = currentStatus(session);
                if (attempt > 1 && now.status().isBusy() && now.fileName().equals(fileName)) {
                    return true;
                }
                session.requireStartable(now);
                check.check(now);
                int ack = SdcpSocket.parseAck(connection.connected().request(order.cmd(), order.data()));
                if (ack == 0) {
                    connection.send(SdcpSocket::requestStatus);
                    connection.awaitStatus(
                            status -> status.fileName().equals(fileName)
                                    && status.status().isBusy(),
                            START_TIMEOUT);
                    return true;
                }
                if (ack != SdcpSocket.BUSY || attempt == MAX_STARTS) {
                    throw Refusal.byPrinter(SdcpSocket.errorText(ack));
                }
                Thread.sleep(BETWEEN_STARTS);
            }
        });
    }

    @Override
    public void control(Control control, StatusCheck check) throws IOException, Refusal, InterruptedException {
        SdcpMethod cmd = switch (control) {
            case PAUSE -> SdcpMethod.PAUSE;
            case RESUME -> SdcpMethod.RESUME;
            case CANCEL -> SdcpMethod.STOP;
        };
        connection.session().control(control, check, now -> {
            if (!control.isDone(now)) {
                connection.connected().requestSuccess(cmd, Map.of());
            }
        });
    }

    @Override
    public void sendProviderCommand(Command.Send send) throws IOException, Refusal, InterruptedException {
        if (send.command().equals("resync-data")) {
            connection.connected().requestStatus();
            return;
        }
        List<SdcpRequests.MethodCall> orders = new SdcpRequests(bindings).convert(send);
        connection.session().runExclusively(() -> {
            for (SdcpRequests.MethodCall order : orders) {
                connection.connected().requestSuccess(order.cmd(), order.data());
            }
            return true;
        });
    }

    /** Returns the first frame of the camera's video, and closes it at once, because the printer serves few clients. */
    @Override
    public CameraImage takeSnapshot() throws IOException, Refusal, InterruptedException {
        Map<String, Object> answer = connection.connected().request(SdcpMethod.FILM, Map.of("Enable", 1));
        String reported = Tree.text(answer, "VideoUrl");
        switch (SdcpSocket.parseAck(answer)) {
            case 0 -> {}
            case 1 -> throw new Refusal("the printer's video has reached its limit of clients");
            default -> throw new Refusal("the printer has no camera");
        }
        try {
            String film =
                    reported == null || reported.contains("://") ? String.valueOf(reported) : "http://" + reported;
            return HttpCamera.of(http, address.upload(), film).readImage();
        } finally {
            connection.send(socket -> socket.send(SdcpMethod.FILM, Map.of("Enable", 0)));
        }
    }

    @Override
    public Optional<RecordedEnding> findRecordedEnding(String fileName)
            throws IOException, Refusal, InterruptedException {
        return new SdcpHistory(connection.connected()).ending(fileName).map(RecordedEnding::of);
    }

    @Override
    public void close() {
        connection.close();
    }
}
