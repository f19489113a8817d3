package farm.gantry.edge.provider.anycubic;

import farm.gantry.edge.camera.Ffmpeg;
import farm.gantry.edge.camera.HttpCamera;
import farm.gantry.edge.camera.Picture;
import farm.gantry.edge.file.Md5;
import farm.gantry.edge.http.Answer;
import farm.gantry.edge.http.Multipart;
import farm.gantry.edge.http.PrinterHttp;
import farm.gantry.edge.mqtt.Broker;
import farm.gantry.edge.mqtt.Dialogue;
import farm.gantry.edge.mqtt.Heard;
import farm.gantry.edge.mqtt.Mqtt;
import farm.gantry.edge.printer.Bindings;
import farm.gantry.edge.printer.Connection;
import farm.gantry.edge.printer.Provider.Listener;
import farm.gantry.edge.printer.Reading;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.edge.trust.Trust;
import farm.gantry.json.Tree;
import farm.gantry.wire.Command;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** The talk with one printer, from handshake to handshake. */
final class Conversation implements Connection, Dialogue.Make {
    private final HttpClient http;
    private final Address address;
    private final Trust trust;
    private final Ffmpeg ffmpeg;
    private final Bindings bindings;
    private final Rhythm rhythm;
    private final Dialogue dialogue;
    private final ConcurrentMap<String, String> sums = new ConcurrentHashMap<>();
    private volatile @Nullable Login login;
    private volatile Told told = Told.nothing();

    Conversation(
            HttpClient http,
            Address address,
            Trust trust,
            Ffmpeg ffmpeg,
            Bindings bindings,
            Rhythm rhythm,
            Listener listener) {
        this.http = http;
        this.address = address;
        this.trust = trust;
        this.ffmpeg = ffmpeg;
        this.bindings = bindings;
        this.rhythm = rhythm;
        this.dialogue = new Dialogue(this, rhythm.silence(), listener);
    }

    /**
     * {@code look}: how often the printer is asked how it is, which it does not tell all of by itself; {@code silence}:
     * how long it may say nothing before it is asked, and then given up.
     */
    record Rhythm(Duration look, Duration silence) {}

    Conversation begin() {
        dialogue.begin();
        return this;
    }

    @Override
    public Broker broker() throws IOException, Refusal, InterruptedException {
        Login anew = new Handshake(http, address).login();
        login = anew;
        return anew.broker(trust);
    }

    private Login login() {
        return Objects.requireNonNull(login, "there was no handshake");
    }

    @Override
    public void greet(Mqtt line) throws IOException, InterruptedException {
        told = Told.nothing();
        line.subscribe(login().reports());
        repeat(line, Order.INFO);
        repeat(line, Order.BOXES);
    }

    private void repeat(Mqtt line, Order order) {
        line.repeat(rhythm.look(), login().orders(order.type()), () -> order.message(number()));
    }

    @Override
    public void wake(Mqtt line) throws IOException, InterruptedException {
        say(line, Order.INFO);
    }

    private void say(Mqtt line, Order order) throws IOException, InterruptedException {
        line.publish(login().orders(order.type()), order.message(number()));
    }

    /** What has changed means nothing before everything was told once. */
    @Override
    public void hear(Mqtt line, Heard.Message message) {
        Map<String, Object> body = message.body();
        String type = login().type(message.topic());
        if (type == null) {
            return;
        }
        Told before = told;
        Map<String, Object> data = Tree.object(body, "data");
        told = switch (type) {
            case "info" -> data.isEmpty() ? before : before.whole(body);
            case "tempature" -> before.temperatures(data); // As the printer spells it.
            case "print" -> before.print(body);
            case "multiColorBox" -> before.boxes(data);
            default -> before;
        };
        boolean whole = type.equals("info") && !data.isEmpty();
        if (whole || (dialogue.isInSight() && !told.equals(before))) {
            dialogue.saw(Readings.of(told, dialogue.last(), dialogue.isStopping()));
        }
        String number = Tree.text(body, "msgid");
        if (number != null) {
            dialogue.answered(number, body);
        }
    }

    @Override
    public void upload(Path file, String sha256, String fileName) throws IOException, Refusal, InterruptedException {
        String place = told.uploads();
        if (place == null) {
            throw new IOException("the printer has not told where it takes files");
        }
        sums.clear();
        sums.put(fileName, Md5.of(file));
        Multipart form = new Multipart(Map.of("filename", fileName), "gcode", fileName, BodyPublishers.ofFile(file));
        HttpRequest request = HttpRequest.newBuilder(URI.create(place))
                .timeout(PrinterHttp.uploadTime(file))
                .header("Content-Type", Multipart.CONTENT_TYPE)
                .POST(form.body())
                .build();
        HttpResponse<String> response = PrinterHttp.exchange(http, request, HttpResponse.BodyHandlers.ofString());
        Answer answer = new Answer(response.statusCode(), response.body());
        Double code = Tree.number(answer.tree(), "code");
        if (code == null) {
            throw new IOException("the printer does not say whether it took the file");
        }
        if (code != 200) {
            throw new Refusal(
                    "the printer did not take the file: " + answer.words() + " (code " + code.intValue() + ")");
        }
    }

    @Override
    public void start(String fileName, Command.@Nullable Print wanted)
            throws IOException, Refusal, InterruptedException {
        dialogue.reached();
        Order order = new Start(fileName, sums.get(fileName), wanted).order(told);
        dialogue.start(fileName, numbered(login().starts(), order));
    }

    @Override
    public void pause() throws IOException, Refusal, InterruptedException {
        dialogue.pause(numbered(Order.steer("pause")));
    }

    @Override
    public void resume() throws IOException, Refusal, InterruptedException {
        dialogue.resume(numbered(Order.steer("resume")));
    }

    @Override
    public void cancel() throws IOException, Refusal, InterruptedException {
        dialogue.stop(numbered(Order.steer("stop")));
    }

    @Override
    public void order(Command.Send send) throws IOException, Refusal, InterruptedException {
        if (Dialogue.LOOKS.contains(send.command())) {
            say(dialogue.reached(), Order.INFO);
            say(dialogue.reached(), Order.BOXES);
            return;
        }
        Order order = Order.of(send, bindings);
        if (order.type().equals("axis")) {
            move(order);
        } else {
            dialogue.ask(numbered(order));
        }
    }

    /** What the printer reports of its axes is not known: it is not waited for, and never asked while it prints. */
    private void move(Order order) throws IOException, Refusal, InterruptedException {
        Mqtt line = dialogue.reached();
        Reading seen = dialogue.last();
        if (seen == null || seen.status().isBusy()) {
            throw new Refusal("the printer has a print: its axes are left alone");
        }
        say(line, order);
    }

    /** The film is let go after its first picture. */
    @Override
    public Picture snapshot() throws IOException, Refusal, InterruptedException {
        ffmpeg.requireInstalled();
        Dialogue.Order off = numbered(Order.FILM_OFF);
        Flv film = new Flv(HttpCamera.of(http, address.info(), told.film(address)), ffmpeg);
        dialogue.tell(numbered(Order.FILM_ON));
        try {
            return film.picture();
        } finally {
            dialogue.tell(off);
        }
    }

    private Dialogue.Order numbered(Order order) throws Refusal {
        dialogue.reached();
        return numbered(login().orders(order.type()), order);
    }

    private static Dialogue.Order numbered(String topic, Order order) {
        String number = number();
        return new Dialogue.Order(number, topic, order.message(number));
    }

    private static String number() {
        return UUID.randomUUID().toString();
    }

    /** A code that is not good need not be a no: it may tell of something that is wrong besides. */
    @Override
    public void check(Map<String, Object> answer) throws IOException, Refusal {
        Told.Trouble trouble = Told.Trouble.of(answer);
        if ("failed".equals(Tree.text(answer, "state"))) {
            throw Refusal.answered(
                    "the printer does not do this now: " + (trouble == null ? "failed" : trouble.words()));
        }
        if (trouble != null) {
            throw new IOException("the printer does not say whether it did it: " + trouble.words());
        }
    }

    @Override
    public void close() {
        dialogue.close();
    }
}
