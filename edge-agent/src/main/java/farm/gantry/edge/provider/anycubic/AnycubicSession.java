package farm.gantry.edge.provider.anycubic;

import farm.gantry.edge.camera.CameraImage;
import farm.gantry.edge.camera.Ffmpeg;
import farm.gantry.edge.camera.HttpCamera;
import farm.gantry.edge.file.Md5;
import farm.gantry.edge.http.MultipartForm;
import farm.gantry.edge.http.PrinterHttp;
import farm.gantry.edge.http.PrinterResponse;
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
import farm.gantry.edge.trust.PrinterTrust;
import farm.gantry.json.Tree;
import farm.gantry.wire.Command;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** The connection to one printer. */
final class AnycubicSession implements PrinterConnection, Protocol<PrinterMqtt, MqttMessage> {
    private final HttpClient http;
    private final AnycubicAddress address;
    private final PrinterTrust trust;
    private final PinnedIdentity pin;
    private final Ffmpeg ffmpeg;
    private final PrinterBindings bindings;
    private final PollTiming rhythm;
    private final PushConnection<PrinterMqtt, MqttMessage> connection;
    private final ConcurrentMap<String, String> sums = new ConcurrentHashMap<>();
    private final RequestNumbers questions = new RequestNumbers();
    private volatile @Nullable AnycubicLogin login;
    private volatile AnycubicState reported = AnycubicState.empty();

    AnycubicSession(
            HttpClient http,
            AnycubicAddress address,
            PrinterTrust trust,
            PinnedIdentity pin,
            Ffmpeg ffmpeg,
            PrinterBindings bindings,
            PollTiming rhythm,
            Listener listener) {
        this.http = http;
        this.address = address;
        this.trust = trust;
        this.pin = pin;
        this.ffmpeg = ffmpeg;
        this.bindings = bindings;
        this.rhythm = rhythm;
        this.connection = new PushConnection<>(this, rhythm.silence(), listener);
    }

    /**
     * The times of a connection. {@code queryInterval} is how often the status is requested, because the printer does
     * not send all of it by itself; {@code silence} is how long the printer may send nothing before it is probed, and
     * then disconnected.
     */
    record PollTiming(Duration queryInterval, Duration silence) {}

    AnycubicSession start() {
        connection.start();
        return this;
    }

    /** Opens a connection. Throws if the address belongs to another printer, which may have the same certificate. */
    @Override
    public PrinterMqtt open(MessageQueue<MqttMessage> messages) throws IOException, Refusal, InterruptedException {
        AnycubicLogin current = new AnycubicHandshake(http, address).requestLogin();
        pin.check(current.device(), address);
        login = current;
        return PrinterMqtt.open(current.broker(trust), messages::add, messages::end);
    }

    private AnycubicLogin requireLogin() {
        return Objects.requireNonNull(login, "the handshake is missing");
    }

    @Override
    public void onConnect(PrinterMqtt mqtt) throws IOException, InterruptedException {
        reported = AnycubicState.empty();
        mqtt.subscribe(requireLogin().reportTopics());
        connection.repeat(rhythm.queryInterval(), mqtt, sent -> send(sent, AnycubicCommand.INFO));
        connection.repeat(rhythm.queryInterval(), mqtt, sent -> send(sent, AnycubicCommand.BOXES));
    }

    @Override
    public boolean onSilence(PrinterMqtt mqtt) throws IOException, InterruptedException {
        send(mqtt, AnycubicCommand.INFO);
        return false;
    }

    private void send(PrinterMqtt mqtt, AnycubicCommand order) throws IOException, InterruptedException {
        mqtt.publish(requireLogin().commandTopic(order.type()), order.message(questions.nextNumber()));
    }

    /** Handles a report. Changes are ignored until a full report has arrived. */
    @Override
    public void onMessage(PrinterMqtt mqtt, MqttMessage message) {
        Map<String, Object> body = message.body();
        String type = requireLogin().reportType(message.topic());
        if (type == null) {
            return;
        }
        AnycubicState before = reported;
        Map<String, Object> data = Tree.object(body, "data");
        reported = switch (type) {
            case "info" -> data.isEmpty() ? before : before.withFullReport(body);
            case "tempature" -> before.withTemperatures(data); // As the printer spells it.
            case "print" -> before.withJobReport(body);
            case "multiColorBox" -> before.withBoxes(data);
            default -> before;
        };
        boolean whole = type.equals("info") && !data.isEmpty();
        if (whole || (connection.isOnline() && !reported.equals(before))) {
            connection.onStatus(AnycubicStatusParser.parse(reported, connection.session()));
        }
        String number = Tree.text(body, "msgid");
        if (whole && questions.isAnswered(number)) {
            connection.onWholeStatus();
        }
        if (number != null) {
            connection.onAnswer(number, body);
        }
    }

    @Override
    public PrinterStatus currentStatus(PrinterSession session) throws Refusal, InterruptedException {
        questions.invalidateEarlier();
        return connection.fetchStatus(mqtt -> send(mqtt, AnycubicCommand.INFO));
    }

    @Override
    public void upload(Path file, String sha256, String fileName) throws IOException, Refusal, InterruptedException {
        String place = reported.uploadUrl();
        if (place == null) {
            throw new IOException("the printer has not reported its upload address");
        }
        sums.clear();
        sums.put(fileName, Md5.of(file));
        MultipartForm form =
                new MultipartForm(Map.of("filename", fileName), "gcode", fileName, BodyPublishers.ofFile(file));
        HttpRequest request = HttpRequest.newBuilder(
                        HttpCamera.of(http, address.infoUrl(), place).address())
                .timeout(PrinterHttp.uploadTimeout(file))
                .header("Content-Type", MultipartForm.CONTENT_TYPE)
                .POST(form.body())
                .build();
        PrinterResponse answer = PrinterHttp.send(http, request);
        Double code = Tree.number(answer.parseJson(), "code");
        if (code == null) {
            throw new IOException("the printer does not confirm the upload");
        }
        if (code != 200) {
            throw new Refusal(
                    "the printer rejects the file: " + answer.errorText() + " (code " + code.intValue() + ")");
        }
    }

    @Override
    public void start(String fileName, Command.@Nullable Print wanted, StatusCheck check)
            throws IOException, Refusal, InterruptedException {
        connection.connected();
        AnycubicCommand order = new AnycubicPrintCommand(fileName, sums.get(fileName), wanted).toCommand(reported);
        connection.start(fileName, toRequest(requireLogin().startTopic(), order), check);
    }

    @Override
    public void control(Control control, StatusCheck check) throws IOException, Refusal, InterruptedException {
        String action = switch (control) {
            case PAUSE -> "pause";
            case RESUME -> "resume";
            case CANCEL -> "stop";
        };
        connection.control(control, check, toRequest(AnycubicCommand.controlPrint(action)));
    }

    @Override
    public void sendProviderCommand(Command.Send send) throws IOException, Refusal, InterruptedException {
        if (PushConnection.REFRESH_COMMANDS.contains(send.command())) {
            send(connection.connected(), AnycubicCommand.INFO);
            send(connection.connected(), AnycubicCommand.BOXES);
            return;
        }
        AnycubicCommand order = AnycubicCommand.convert(send, bindings);
        if (order.type().equals("axis")) {
            moveWithoutReport(order);
        } else {
            connection.sendAndAwait(toRequest(order));
        }
    }

    /**
     * Moves an axis without waiting for a report, because the printer's reports about its axes are undocumented.
     * Refused during a print.
     */
    private void moveWithoutReport(AnycubicCommand order) throws IOException, Refusal, InterruptedException {
        PrinterMqtt mqtt = connection.connected();
        if (connection.session().requireStatus().status().isBusy()) {
            throw new Refusal("the printer has a print, so its axes must not be moved");
        }
        send(mqtt, order);
    }

    /** Returns the first frame of the camera's video, and then switches the video off. */
    @Override
    public CameraImage takeSnapshot() throws IOException, Refusal, InterruptedException {
        ffmpeg.requireInstalled();
        Request<PrinterMqtt> off = toRequest(AnycubicCommand.FILM_OFF);
        FlvCamera film = new FlvCamera(HttpCamera.of(http, address.infoUrl(), reported.videoUrl(address)), ffmpeg);
        connection.send(toRequest(AnycubicCommand.FILM_ON).sender());
        try {
            return film.readImage();
        } finally {
            connection.send(off.sender());
        }
    }

    private Request<PrinterMqtt> toRequest(AnycubicCommand order) throws Refusal {
        connection.connected();
        return toRequest(requireLogin().commandTopic(order.type()), order);
    }

    private Request<PrinterMqtt> toRequest(String topic, AnycubicCommand order) {
        String number = questions.nextNumber();
        return new Request<>(number, mqtt -> mqtt.publish(topic, order.message(number)));
    }

    /**
     * Throws if a response reports a failure. An error code alone is not a failure, because it may concern another
     * problem.
     */
    @Override
    public void check(Map<String, Object> answer) throws IOException, Refusal {
        AnycubicState.PrinterError trouble = AnycubicState.PrinterError.parse(answer);
        if ("failed".equals(Tree.text(answer, "state"))) {
            throw Refusal.byPrinter(
                    "the printer rejects the command: " + (trouble == null ? "failed" : trouble.message()));
        }
        if (trouble != null) {
            throw new IOException("unknown whether the printer carried out the command: " + trouble.message());
        }
    }

    @Override
    public void close() {
        connection.close();
    }
}
