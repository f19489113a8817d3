package farm.gantry.edge.provider.anycubic;

import farm.gantry.edge.camera.CameraPicture;
import farm.gantry.edge.camera.Ffmpeg;
import farm.gantry.edge.camera.HttpCamera;
import farm.gantry.edge.file.Md5;
import farm.gantry.edge.http.MultipartForm;
import farm.gantry.edge.http.PrinterHttp;
import farm.gantry.edge.http.PrinterResponse;
import farm.gantry.edge.mqtt.MqttMessage;
import farm.gantry.edge.mqtt.PrinterMqtt;
import farm.gantry.edge.printer.Bindings;
import farm.gantry.edge.printer.Connection;
import farm.gantry.edge.printer.PrinterStatus;
import farm.gantry.edge.printer.Provider.Listener;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.edge.session.PrinterSession;
import farm.gantry.edge.session.PushConnection;
import farm.gantry.edge.session.PushConnection.Messages;
import farm.gantry.edge.session.PushConnection.Protocol;
import farm.gantry.edge.session.PushConnection.Request;
import farm.gantry.edge.trust.Pin;
import farm.gantry.edge.trust.Trust;
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
final class AnycubicSession implements Connection, Protocol<PrinterMqtt, MqttMessage> {
    private final HttpClient http;
    private final AnycubicAddress address;
    private final Trust trust;
    private final Pin pin;
    private final Ffmpeg ffmpeg;
    private final Bindings bindings;
    private final Rhythm rhythm;
    private final PushConnection<PrinterMqtt, MqttMessage> connection;
    private final ConcurrentMap<String, String> sums = new ConcurrentHashMap<>();
    private final Questions questions = new Questions();
    private volatile @Nullable AnycubicLogin login;
    private volatile AnycubicState reported = AnycubicState.nothing();

    AnycubicSession(
            HttpClient http,
            AnycubicAddress address,
            Trust trust,
            Pin pin,
            Ffmpeg ffmpeg,
            Bindings bindings,
            Rhythm rhythm,
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
     * {@code queryInterval}: how often the printer's status is requested, because the printer does not send all of it
     * by itself; {@code silence}: how long it may send nothing before it is probed, and then disconnected.
     */
    record Rhythm(Duration queryInterval, Duration silence) {}

    AnycubicSession start() {
        connection.start();
        return this;
    }

    /** Throws if the address belongs to another printer, whose certificate may be the same. */
    @Override
    public PrinterMqtt open(Messages<MqttMessage> messages) throws IOException, Refusal, InterruptedException {
        AnycubicLogin current = new AnycubicHandshake(http, address).login();
        pin.check(current.device(), address);
        login = current;
        return PrinterMqtt.open(current.broker(trust), messages::add, messages::end);
    }

    private AnycubicLogin login() {
        return Objects.requireNonNull(login, "the handshake is missing");
    }

    @Override
    public void onConnect(PrinterMqtt mqtt) throws IOException, InterruptedException {
        reported = AnycubicState.nothing();
        mqtt.subscribe(login().reports());
        connection.repeat(rhythm.queryInterval(), mqtt, sent -> send(sent, AnycubicCommand.INFO));
        connection.repeat(rhythm.queryInterval(), mqtt, sent -> send(sent, AnycubicCommand.BOXES));
    }

    @Override
    public boolean onSilence(PrinterMqtt mqtt) throws IOException, InterruptedException {
        send(mqtt, AnycubicCommand.INFO);
        return false;
    }

    private void send(PrinterMqtt mqtt, AnycubicCommand order) throws IOException, InterruptedException {
        mqtt.publish(login().orders(order.type()), order.message(questions.next()));
    }

    /** Changes are ignored until a full report has arrived. */
    @Override
    public void onMessage(PrinterMqtt mqtt, MqttMessage message) {
        Map<String, Object> body = message.body();
        String type = login().type(message.topic());
        if (type == null) {
            return;
        }
        AnycubicState before = reported;
        Map<String, Object> data = Tree.object(body, "data");
        reported = switch (type) {
            case "info" -> data.isEmpty() ? before : before.whole(body);
            case "tempature" -> before.temperatures(data); // As the printer spells it.
            case "print" -> before.print(body);
            case "multiColorBox" -> before.boxes(data);
            default -> before;
        };
        boolean whole = type.equals("info") && !data.isEmpty();
        if (whole || (connection.isOnline() && !reported.equals(before))) {
            connection.onStatus(AnycubicStatusParser.of(reported, connection.session()));
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
        questions.waitForNext();
        return connection.fetchStatus(mqtt -> send(mqtt, AnycubicCommand.INFO));
    }

    @Override
    public void upload(Path file, String sha256, String fileName) throws IOException, Refusal, InterruptedException {
        String place = reported.uploads();
        if (place == null) {
            throw new IOException("the printer has not reported its upload address");
        }
        sums.clear();
        sums.put(fileName, Md5.of(file));
        MultipartForm form =
                new MultipartForm(Map.of("filename", fileName), "gcode", fileName, BodyPublishers.ofFile(file));
        HttpRequest request = HttpRequest.newBuilder(
                        HttpCamera.of(http, address.info(), place).address())
                .timeout(PrinterHttp.uploadTime(file))
                .header("Content-Type", MultipartForm.CONTENT_TYPE)
                .POST(form.body())
                .build();
        PrinterResponse answer = PrinterHttp.send(http, request);
        Double code = Tree.number(answer.tree(), "code");
        if (code == null) {
            throw new IOException("the printer does not confirm the upload");
        }
        if (code != 200) {
            throw new Refusal("the printer rejects the file: " + answer.words() + " (code " + code.intValue() + ")");
        }
    }

    @Override
    public void start(String fileName, Command.@Nullable Print wanted, StatusCheck check)
            throws IOException, Refusal, InterruptedException {
        connection.connected();
        AnycubicCommand order = new AnycubicStart(fileName, sums.get(fileName), wanted).order(reported);
        connection.start(fileName, request(login().starts(), order), check);
    }

    @Override
    public void control(Control control, StatusCheck check) throws IOException, Refusal, InterruptedException {
        String action = switch (control) {
            case PAUSE -> "pause";
            case RESUME -> "resume";
            case CANCEL -> "stop";
        };
        connection.control(control, check, request(AnycubicCommand.steer(action)));
    }

    @Override
    public void order(Command.Send send) throws IOException, Refusal, InterruptedException {
        if (PushConnection.REFRESH_COMMANDS.contains(send.command())) {
            send(connection.connected(), AnycubicCommand.INFO);
            send(connection.connected(), AnycubicCommand.BOXES);
            return;
        }
        AnycubicCommand order = AnycubicCommand.of(send, bindings);
        if (order.type().equals("axis")) {
            move(order);
        } else {
            connection.ask(request(order));
        }
    }

    /**
     * Moves an axis without waiting for a report, because the printer's reports about its axes are undocumented.
     * Refused during a print.
     */
    private void move(AnycubicCommand order) throws IOException, Refusal, InterruptedException {
        PrinterMqtt mqtt = connection.connected();
        if (connection.session().requireStatus().status().isBusy()) {
            throw new Refusal("the printer has a print, so its axes must not be moved");
        }
        send(mqtt, order);
    }

    /** Closes the video after its first frame. */
    @Override
    public CameraPicture snapshot() throws IOException, Refusal, InterruptedException {
        ffmpeg.requireInstalled();
        Request<PrinterMqtt> off = request(AnycubicCommand.FILM_OFF);
        FlvCamera film = new FlvCamera(HttpCamera.of(http, address.info(), reported.videoUrl(address)), ffmpeg);
        connection.send(request(AnycubicCommand.FILM_ON).sender());
        try {
            return film.picture();
        } finally {
            connection.send(off.sender());
        }
    }

    private Request<PrinterMqtt> request(AnycubicCommand order) throws Refusal {
        connection.connected();
        return request(login().orders(order.type()), order);
    }

    private Request<PrinterMqtt> request(String topic, AnycubicCommand order) {
        String number = questions.next();
        return new Request<>(number, mqtt -> mqtt.publish(topic, order.message(number)));
    }

    /** Checks a response. An error code alone is no failure: it may report another problem. */
    @Override
    public void check(Map<String, Object> answer) throws IOException, Refusal {
        AnycubicState.Trouble trouble = AnycubicState.Trouble.of(answer);
        if ("failed".equals(Tree.text(answer, "state"))) {
            throw Refusal.answered(
                    "the printer rejects the command: " + (trouble == null ? "failed" : trouble.words()));
        }
        if (trouble != null) {
            throw new IOException("unknown whether the printer carried out the command: " + trouble.words());
        }
    }

    @Override
    public void close() {
        connection.close();
    }
}
