package farm.gantry.edge.provider.bambu;

import farm.gantry.edge.camera.CameraImage;
import farm.gantry.edge.camera.Ffmpeg;
import farm.gantry.edge.mqtt.MqttMessage;
import farm.gantry.edge.mqtt.PrinterMqtt;
import farm.gantry.edge.printer.connection.PrinterBindings;
import farm.gantry.edge.printer.connection.PrinterConnection;
import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.connection.Provider.Listener;
import farm.gantry.edge.provider.bambu.BambuLabCommands.Payload;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.edge.session.PrinterSession;
import farm.gantry.edge.session.PushConnection;
import farm.gantry.edge.session.PushConnection.MessageQueue;
import farm.gantry.edge.session.PushConnection.Protocol;
import farm.gantry.edge.session.PushConnection.Request;
import farm.gantry.edge.time.Uptime;
import farm.gantry.edge.trust.PrinterTrust;
import farm.gantry.json.Tree;
import farm.gantry.wire.Command;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The connection to one printer. */
final class BambuLabSession implements PrinterConnection, Protocol<PrinterMqtt, MqttMessage> {
    private static final Map<String, ?> PUSH_ALL =
            Map.of("pushing", Map.of("sequence_id", "0", "command", "pushall", "version", 1, "push_target", 1));
    private static final Map<String, ?> START_PUSHING =
            Map.of("pushing", Map.of("sequence_id", "0", "command", "start", "version", 1, "push_target", 1));

    private final BambuLabAddress address;
    private final PrinterTrust trust;
    private final Ffmpeg ffmpeg;
    private final PrinterBindings bindings;
    private final BambuLabFiles files;
    private final PushConnection<PrinterMqtt, MqttMessage> connection;
    private final AtomicLong numbers = new AtomicLong(System.currentTimeMillis());
    private volatile BambuLabState reported = BambuLabState.empty();

    /**
     * Creates a session. {@code silence} is how long the printer may send nothing before it is probed, and then
     * disconnected.
     */
    BambuLabSession(
            BambuLabAddress address,
            PrinterTrust trust,
            Ffmpeg ffmpeg,
            PrinterBindings bindings,
            Duration silence,
            Listener listener) {
        this.address = address;
        this.trust = trust;
        this.ffmpeg = ffmpeg;
        this.bindings = bindings;
        this.files = new BambuLabFiles(address, trust, BambuLabFiles.DEFAULT_TIMEOUT);
        this.connection = new PushConnection<>(this, silence, listener);
    }

    BambuLabSession start() {
        connection.start();
        return this;
    }

    @Override
    public PrinterMqtt open(MessageQueue<MqttMessage> messages) throws IOException, InterruptedException {
        return PrinterMqtt.open(address.broker(trust), messages::add, messages::end);
    }

    @Override
    public void onConnect(PrinterMqtt mqtt) throws IOException, InterruptedException {
        mqtt.subscribe(address.reportTopic());
        requestAll(mqtt);
        reported = reported.afterReconnect(Uptime.withSleep());
    }

    @Override
    public boolean onSilence(PrinterMqtt mqtt) throws IOException, InterruptedException {
        mqtt.publish(address.requestTopic(), START_PUSHING);
        requestAll(mqtt);
        return false;
    }

    /** Handles a message. Changes are ignored until a full report has arrived. */
    @Override
    public void onMessage(PrinterMqtt mqtt, MqttMessage message) {
        switch (BambuLabMessage.parse(message.body())) {
            case BambuLabMessage.Report(Map<String, Object> print) -> {
                boolean whole = BambuLabState.isFullReport(print);
                if (whole || connection.isOnline()) {
                    reported = reported.merge(print);
                    connection.onStatus(BambuLabStatusParser.parse(reported, connection.session()));
                }
                if (whole) {
                    connection.onWholeStatus();
                }
            }
            case BambuLabMessage.Answer(String number, Map<String, Object> order) -> connection.onAnswer(number, order);
            case BambuLabMessage.Other() -> {}
        }
    }

    @Override
    public PrinterStatus currentStatus(PrinterSession session) throws Refusal, InterruptedException {
        return connection.fetchStatus(this::requestAll);
    }

    /**
     * Returns the last status: the printer sends each change at once, and frequent requests for the full status delay
     * its answers.
     */
    @Override
    public PrinterStatus recentStatus(PrinterSession session) throws Refusal {
        return session.requireStatus();
    }

    private void requestAll(PrinterMqtt mqtt) throws IOException, InterruptedException {
        mqtt.publish(address.requestTopic(), PUSH_ALL);
    }

    @Override
    public void upload(Path file, String sha256, String fileName) throws IOException, Refusal, InterruptedException {
        files.upload(file, PrintProjectCommand.projectFileName(fileName));
    }

    @Override
    public void removeFile(String fileName) throws IOException, Refusal, InterruptedException {
        connection
                .session()
                .removeEvenIfShown(fileName, _ -> files.remove(PrintProjectCommand.projectFileName(fileName)));
    }

    @Override
    public void start(String fileName, Command.@Nullable Print wanted, StatusCheck check)
            throws IOException, Refusal, InterruptedException {
        boolean hasUnits =
                AmsUnits.slots(reported.print()).stream().anyMatch(slot -> !AmsUnits.isExternal(slot.amsIndex()));
        Map<String, Object> message = new PrintProjectCommand(fileName, wanted, bindings).message(hasUnits);
        connection.start(fileName, request(new Payload("print", message)), check);
    }

    @Override
    public String farmPrintCounter(String fileName) {
        return PrintProjectCommand.taskId(fileName);
    }

    @Override
    public void control(Control control, StatusCheck check) throws IOException, Refusal, InterruptedException {
        String command = switch (control) {
            case PAUSE -> "pause";
            case RESUME -> "resume";
            case CANCEL -> "stop";
        };
        connection.control(control, check, request(Payload.print(command, Map.of("param", ""))));
    }

    @Override
    public void sendProviderCommand(Command.Send send) throws IOException, Refusal, InterruptedException {
        if (send.command().equals("resync-data")) {
            requestAll(connection.connected());
        } else {
            connection.sendAndAwait(request(new BambuLabCommands(bindings).convert(send)));
        }
    }

    private Request<PrinterMqtt> request(Payload order) throws Refusal {
        if (connection.isOnline() && BambuLabErrors.needsDeveloperMode(reported.print())) {
            throw new Refusal(BambuLabErrors.NEEDS_DEVELOPER_MODE);
        }
        String number = String.valueOf(numbers.incrementAndGet());
        Map<String, Object> message = new LinkedHashMap<>(order.message());
        message.put("sequence_id", number);
        return new Request<>(number, mqtt -> mqtt.publish(address.requestTopic(), Map.of(order.part(), message)));
    }

    @Override
    public void check(Map<String, Object> answer) throws Refusal {
        Integer code = Tree.integer(answer, "err_code");
        if (code != null && code == BambuLabErrors.NOT_SIGNED) {
            throw Refusal.byPrinter(BambuLabErrors.NEEDS_DEVELOPER_MODE);
        }
        String result = Objects.requireNonNullElse(Tree.text(answer, "result"), "");
        if (result.toLowerCase(Locale.ROOT).startsWith("fail")) {
            String reason = Tree.text(answer, "reason");
            throw Refusal.byPrinter("the printer rejects the command" + (reason == null ? "" : ": " + reason));
        }
    }

    /**
     * Takes a snapshot from the single-image camera, or from the video stream whose address the larger printers report.
     */
    @Override
    public CameraImage takeSnapshot() throws IOException, Refusal {
        connection.connected();
        String film = Tree.text(reported.print(), "ipcam", "rtsp_url");
        BambuLabCamera camera = new BambuLabCamera(address, trust);
        return film == null ? camera.readImage() : camera.readImage(film, ffmpeg);
    }

    @Override
    public void close() {
        connection.close();
    }
}
