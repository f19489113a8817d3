package farm.gantry.edge.provider.elegoo;

import farm.gantry.edge.camera.CameraImage;
import farm.gantry.edge.camera.HttpCamera;
import farm.gantry.edge.mqtt.MqttMessage;
import farm.gantry.edge.mqtt.PrinterMqtt;
import farm.gantry.edge.printer.connection.PrinterBindings;
import farm.gantry.edge.printer.connection.PrinterConnection;
import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.connection.Provider.Listener;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.edge.session.PrinterSession;
import farm.gantry.edge.session.PushConnection;
import farm.gantry.edge.session.PushConnection.MessageQueue;
import farm.gantry.edge.session.PushConnection.Protocol;
import farm.gantry.edge.session.PushConnection.Request;
import farm.gantry.edge.trust.PinnedIdentity;
import farm.gantry.json.Tree;
import farm.gantry.wire.Command;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The connection to one printer. */
final class ElegooSession implements PrinterConnection, Protocol<PrinterMqtt, MqttMessage> {
    private static final int STATUS_CHANGED = 6000;
    private static final Map<String, ?> PING = Map.of("type", "PING");
    private static final Duration SETTLING = Duration.ofSeconds(15);

    private final HttpClient http;
    private final ElegooAddress address;
    private final PinnedIdentity pin;
    private final PrinterBindings bindings;
    private final PushConnection<PrinterMqtt, MqttMessage> connection;
    private final PollTiming rhythm;
    private final AtomicInteger numbers = new AtomicInteger();
    private final ReentrantLock uploading = new ReentrantLock();
    /** The registered client; null before the first connection. */
    private volatile @Nullable ElegooClient client;

    private volatile ElegooState reported = ElegooState.empty();
    private volatile boolean isRegistered;
    private volatile boolean asking;
    /** The number of the status request whose response, or a later one, decides about a command. */
    private volatile int awaited;
    /** Whether the printer has sent its history on this connection; the first status waits for it. */
    private volatile boolean historyReceived;

    private volatile boolean held;

    ElegooSession(
            HttpClient http,
            ElegooAddress address,
            PinnedIdentity pin,
            PrinterBindings bindings,
            PollTiming rhythm,
            Listener listener) {
        this.http = http;
        this.address = address;
        this.bindings = bindings;
        this.pin = pin;
        this.rhythm = rhythm;
        this.connection = new PushConnection<>(this, rhythm.silence(), listener);
    }

    /**
     * The times of a connection. {@code pingInterval} is how often the agent sends a keep-alive; {@code queryInterval}
     * is how often the status is requested, because the last change may have been lost; {@code silence} is how long the
     * printer may send nothing before it is probed, and then disconnected.
     */
    record PollTiming(Duration pingInterval, Duration queryInterval, Duration silence) {}

    ElegooSession start() {
        connection.start();
        return this;
    }

    @Override
    public PrinterMqtt open(MessageQueue<MqttMessage> messages) throws IOException, InterruptedException {
        ElegooClient known = ElegooClient.load(address.serial(), pin);
        client = known;
        return PrinterMqtt.open(address.broker(known), messages::add, messages::end);
    }

    private ElegooClient requireClient() {
        return Objects.requireNonNull(client, "the connection is missing");
    }

    @Override
    public void onConnect(PrinterMqtt mqtt) throws IOException, InterruptedException {
        reported = ElegooState.empty();
        isRegistered = false;
        historyReceived = false;
        held = false;
        mqtt.subscribe(requireClient().registrationResponseTopic());
        mqtt.publish(requireClient().registrationTopic(), requireClient().registrationMessage());
    }

    @Override
    public boolean onSilence(PrinterMqtt mqtt) throws IOException, InterruptedException {
        if (isRegistered) {
            requestAll(mqtt);
        }
        return false;
    }

    private void requestAll(PrinterMqtt mqtt) throws IOException, InterruptedException {
        asking = true;
        toRequest(ElegooCommand.STATUS).sender().send(mqtt);
        toRequest(ElegooCommand.SLOTS).sender().send(mqtt);
    }

    @Override
    public void onMessage(PrinterMqtt mqtt, MqttMessage message) throws IOException, InterruptedException {
        Map<String, Object> body = message.body();
        if (message.topic().equals(requireClient().registrationResponseTopic())) {
            onRegistered(mqtt, Tree.text(body, "error"));
            return;
        }
        Integer method = Tree.integer(body, "method");
        Integer number = Tree.integer(body, "id");
        if (method == null || number == null) {
            return;
        }
        Map<String, Object> result = Tree.object(body, "result");
        if (method == STATUS_CHANGED) {
            onChange(mqtt, number, result);
        } else if (method == ElegooCommand.STATUS.method() && result.containsKey("machine_status")) {
            asking = false;
            reported = reported.withFullStatus(result);
            if (historyReceived || held) {
                publishStatus();
                if (number >= awaited) {
                    connection.onWholeStatus();
                }
            }
            held = true;
        } else if (method == ElegooCommand.HISTORY.method()) {
            historyReceived = true;
            reported = reported.withNewestPrint(new ElegooHistory(body).newestPrint());
            if (held) {
                publishStatus();
            }
        } else if (method == ElegooCommand.SLOTS.method() && result.containsKey("canvas_info")) {
            reported = reported.withSlots(Tree.object(result, "canvas_info"));
            if (connection.isOnline()) {
                publishStatus();
            }
        }
        if (message.topic().equals(requireClient().responseTopic())) {
            connection.onAnswer(String.valueOf(number), body);
        }
    }

    private void onRegistered(PrinterMqtt mqtt, @Nullable String error) throws IOException, InterruptedException {
        if (!"ok".equals(error)) {
            throw new IOException("the printer rejects the registration: " + error);
        }
        if (isRegistered) {
            return;
        }
        isRegistered = true;
        mqtt.subscribe(requireClient().statusTopic());
        mqtt.subscribe(requireClient().responseTopic());
        toRequest(ElegooCommand.SLOTS).sender().send(mqtt);
        toRequest(ElegooCommand.HISTORY).sender().send(mqtt);
        connection.repeat(
                rhythm.pingInterval(),
                mqtt,
                sent -> sent.publish(requireClient().requestTopic(), PING));
        connection.repeat(
                rhythm.queryInterval(),
                mqtt,
                sent -> toRequest(ElegooCommand.STATUS).sender().send(sent));
    }

    /**
     * Handles a change of the status. Changes are ignored before the first full status; after a gap in their numbers,
     * the full status is requested again.
     */
    private void onChange(PrinterMqtt mqtt, int number, Map<String, Object> result)
            throws IOException, InterruptedException {
        if (!connection.isOnline()) {
            return;
        }
        boolean gap = reported.isGap(number);
        reported = reported.withChange(number, result);
        publishStatus();
        if (gap && !asking) {
            requestAll(mqtt);
        }
    }

    private void publishStatus() throws InterruptedException {
        PrinterStatus before = connection.session().lastStatus();
        PrinterStatus reading = ElegooStatusParser.parse(reported, connection.session());
        connection.onStatus(reading);
        if (before != null && before.status().isBusy() != reading.status().isBusy()) {
            connection.send(toRequest(ElegooCommand.HISTORY).sender());
        }
    }

    @Override
    public PrinterStatus currentStatus(PrinterSession session) throws Refusal, InterruptedException {
        Request<PrinterMqtt> question = toRequest(ElegooCommand.STATUS);
        awaited = Integer.parseInt(question.id());
        return connection.fetchStatus(question.sender());
    }

    /** Uploads files one after the other, because the printer would mix the parts of two files. */
    @Override
    public void upload(Path file, String sha256, String fileName) throws IOException, Refusal, InterruptedException {
        uploading.lockInterruptibly();
        try {
            new ElegooFileUpload(http, address).send(file, fileName);
            if (connection.isOnline()) {
                checkFileSize(file, fileName);
                connection.awaitStatus(
                        status -> !status.status().isBusy(), SETTLING); // It reports busy while it receives a file.
            }
        } finally {
            uploading.unlock();
        }
    }

    private void checkFileSize(Path file, String fileName) throws IOException, InterruptedException {
        try {
            Double arrived = Tree.number(
                    connection.sendAndAwait(toRequest(ElegooCommand.requestDetails(fileName))), "result", "size");
            if (arrived != null && arrived != Files.size(file)) {
                throw new IOException("the upload is incomplete");
            }
        } catch (Refusal e) {
            // It received the file a moment ago; if it has lost it, it refuses to start it.
        }
    }

    /**
     * Sends the removal without waiting for a response: not every firmware sends one, and a file that stays is
     * harmless.
     */
    @Override
    public void removeFile(String fileName) throws IOException, Refusal, InterruptedException {
        Request<PrinterMqtt> removal = toRequest(ElegooCommand.removeFile(fileName));
        connection.session().removeFile(fileName, _ -> removal.sender().send(connection.connected()));
    }

    @Override
    public void start(String fileName, Command.@Nullable Print wanted, StatusCheck check)
            throws IOException, Refusal, InterruptedException {
        connection.start(fileName, toRequest(new ElegooPrintCommand(fileName, wanted, bindings).toCommand()), check);
    }

    @Override
    public void control(Control control, StatusCheck check) throws IOException, Refusal, InterruptedException {
        ElegooCommand order = switch (control) {
            case PAUSE -> ElegooCommand.PAUSE;
            case RESUME -> ElegooCommand.RESUME;
            case CANCEL -> ElegooCommand.STOP;
        };
        connection.control(control, check, toRequest(order));
    }

    @Override
    public void sendProviderCommand(Command.Send send) throws IOException, Refusal, InterruptedException {
        if (PushConnection.REFRESH_COMMANDS.contains(send.command())) {
            requestAll(connection.connected());
        } else {
            connection.sendAndAwait(toRequest(ElegooCommand.convert(send, bindings)));
        }
    }

    /** Returns the first frame of the camera's video, and closes it at once, because the camera serves few clients. */
    @Override
    public CameraImage takeSnapshot() throws IOException, Refusal, InterruptedException {
        connection.connected();
        if (!reported.hasCamera()) {
            throw new Refusal("the printer has no camera");
        }
        connection.sendAndAwait(toRequest(ElegooCommand.switchVideo(true)));
        try {
            return new HttpCamera(http, address.videoUrl()).readImage();
        } finally {
            connection.send(toRequest(ElegooCommand.switchVideo(false)).sender());
        }
    }

    @Override
    public Optional<RecordedEnding> findRecordedEnding(String fileName)
            throws IOException, Refusal, InterruptedException {
        return new ElegooHistory(connection.sendAndAwait(toRequest(ElegooCommand.HISTORY)))
                .ending(fileName)
                .map(RecordedEnding::of);
    }

    private Request<PrinterMqtt> toRequest(ElegooCommand order) {
        int number = numbers.incrementAndGet();
        Map<String, ?> message = Map.of("id", number, "method", order.method(), "params", order.params());
        return new Request<>(
                String.valueOf(number), mqtt -> mqtt.publish(requireClient().requestTopic(), message));
    }

    /** Throws if a response reports a failure, or has no result, which leaves the outcome unknown. */
    @Override
    public void check(Map<String, Object> answer) throws IOException, Refusal {
        Integer code = Tree.integer(answer, "result", "error_code");
        if (code == null && !answer.isEmpty()) {
            throw new IOException("unknown whether the printer carried out the command");
        }
        if (code != null && code != 0) {
            throw Refusal.byPrinter("the printer rejects the command: " + ElegooErrors.message(code));
        }
    }

    @Override
    public void close() {
        connection.close();
    }
}
