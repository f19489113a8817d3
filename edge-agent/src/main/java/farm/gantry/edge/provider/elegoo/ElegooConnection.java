package farm.gantry.edge.provider.elegoo;

import farm.gantry.edge.camera.HttpCamera;
import farm.gantry.edge.camera.Picture;
import farm.gantry.edge.mqtt.MqttConnection;
import farm.gantry.edge.mqtt.MqttMessage;
import farm.gantry.edge.printer.Bindings;
import farm.gantry.edge.printer.Connection;
import farm.gantry.edge.printer.Provider.Listener;
import farm.gantry.edge.printer.Reading;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.edge.session.PushConnection;
import farm.gantry.edge.session.PushConnection.Messages;
import farm.gantry.edge.session.PushConnection.Protocol;
import farm.gantry.edge.session.PushConnection.Request;
import farm.gantry.json.Tree;
import farm.gantry.wire.Command;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The connection to one printer. */
final class ElegooConnection implements Connection, Protocol<MqttConnection, MqttMessage> {
    private static final int STATUS_CHANGED = 6000;
    private static final Map<String, ?> PING = Map.of("type", "PING");
    private static final Duration SETTLING = Duration.ofSeconds(15);

    private final HttpClient http;
    private final Address address;
    private final Bindings bindings;
    private final PushConnection<MqttConnection, MqttMessage> connection;
    private final Rhythm rhythm;
    private final AtomicInteger numbers = new AtomicInteger();
    private final ReentrantLock uploading = new ReentrantLock();
    private volatile Client client;
    private volatile Told told = Told.nothing();
    private volatile boolean registered;
    private volatile boolean asking;
    /** Whether it has told its history on this line, and whether it has told how it is: the first status waits for it. */
    private volatile boolean historyTold;

    private volatile boolean held;

    private ElegooConnection(HttpClient http, Address address, Bindings bindings, Rhythm rhythm, Listener listener) {
        this.http = http;
        this.address = address;
        this.bindings = bindings;
        this.client = Client.anew(address.serial());
        this.rhythm = rhythm;
        this.connection = new PushConnection<>(this, rhythm.silence(), listener);
    }

    /**
     * {@code ping}: how often the printer is told that the agent is still there; {@code look}: how often it is asked how
     * it is, because the last change before a standstill may have been lost; {@code silence}: how long it may say nothing
     * before it is asked, and then given up.
     */
    record Rhythm(Duration ping, Duration look, Duration silence) {}

    static ElegooConnection start(
            HttpClient http, Address address, Bindings bindings, Rhythm rhythm, Listener listener) {
        ElegooConnection printer = new ElegooConnection(http, address, bindings, rhythm, listener);
        printer.connection.start();
        return printer;
    }

    @Override
    public MqttConnection open(Messages<MqttMessage> messages) throws IOException, InterruptedException {
        client = Client.anew(address.serial());
        return MqttConnection.open(address.broker(client), messages::add, messages::end);
    }

    @Override
    public void onConnect(MqttConnection mqtt) throws IOException, InterruptedException {
        told = Told.nothing();
        registered = false;
        historyTold = false;
        held = false;
        mqtt.subscribe(client.registered());
        mqtt.publish(client.registrations(), client.registration());
    }

    @Override
    public boolean onSilence(MqttConnection mqtt) throws IOException, InterruptedException {
        if (registered) {
            requestAll(mqtt);
        }
        return false;
    }

    private void requestAll(MqttConnection mqtt) throws IOException, InterruptedException {
        asking = true;
        request(Order.STATUS).sender().send(mqtt);
        request(Order.SLOTS).sender().send(mqtt);
    }

    @Override
    public void onMessage(MqttConnection mqtt, MqttMessage message) throws IOException, InterruptedException {
        Map<String, Object> body = message.body();
        if (message.topic().equals(client.registered())) {
            registered(mqtt, Tree.text(body, "error"));
            return;
        }
        Integer method = Tree.integer(body, "method");
        Integer number = Tree.integer(body, "id");
        if (method == null || number == null) {
            return;
        }
        Map<String, Object> result = Tree.object(body, "result");
        if (method == STATUS_CHANGED) {
            changed(mqtt, number, result);
        } else if (method == Order.STATUS.method() && result.containsKey("machine_status")) {
            asking = false;
            told = told.whole(result);
            if (historyTold || held) {
                see();
            }
            held = true;
        } else if (method == Order.HISTORY.method()) {
            historyTold = true;
            told = told.counted(new History(body).newest());
            if (held) {
                see();
            }
        } else if (method == Order.SLOTS.method() && result.containsKey("canvas_info")) {
            told = told.slots(Tree.object(result, "canvas_info"));
            if (connection.isOnline()) {
                see();
            }
        }
        if (message.topic().equals(client.responses())) {
            connection.onAnswer(String.valueOf(number), body);
        }
    }

    private void registered(MqttConnection mqtt, @Nullable String error) throws IOException, InterruptedException {
        if (!"ok".equals(error)) {
            throw new IOException("the printer does not let the farm in: " + error);
        }
        if (registered) {
            return;
        }
        registered = true;
        mqtt.subscribe(client.status());
        mqtt.subscribe(client.responses());
        request(Order.SLOTS).sender().send(mqtt);
        request(Order.HISTORY).sender().send(mqtt);
        connection.repeat(rhythm.ping(), mqtt, sent -> sent.publish(client.requests(), PING));
        connection.repeat(
                rhythm.look(), mqtt, sent -> request(Order.STATUS).sender().send(sent));
    }

    /** What has changed means nothing before everything was told once, and not much where some of it was missed. */
    private void changed(MqttConnection mqtt, int number, Map<String, Object> result)
            throws IOException, InterruptedException {
        if (!connection.isOnline()) {
            return;
        }
        boolean gap = told.isGap(number);
        told = told.changed(number, result);
        see();
        if (gap && !asking) {
            requestAll(mqtt);
        }
    }

    private void see() throws InterruptedException {
        Reading before = connection.session().last();
        Reading reading = Readings.of(told, connection.session());
        connection.onStatus(reading);
        if (before != null && before.status().isBusy() != reading.status().isBusy()) {
            connection.send(request(Order.HISTORY).sender());
        }
    }

    /** One after the other: the printer puts the parts of two into one. */
    @Override
    public void upload(Path file, String sha256, String fileName) throws IOException, Refusal, InterruptedException {
        uploading.lockInterruptibly();
        try {
            new Upload(http, address).send(file, fileName);
            if (connection.isOnline()) {
                checkWhole(file, fileName);
                connection.awaitStatus(
                        reading -> !reading.status().isBusy(), SETTLING); // It says so while it takes a file.
            }
        } finally {
            uploading.unlock();
        }
    }

    private void checkWhole(Path file, String fileName) throws IOException, InterruptedException {
        try {
            Double arrived = Tree.number(connection.ask(request(Order.details(fileName))), "result", "size");
            if (arrived != null && arrived != Files.size(file)) {
                throw new IOException("the file did not arrive whole");
            }
        } catch (Refusal e) {
            // It took the file a moment ago; if it has lost it, it refuses to start it.
        }
    }

    @Override
    public void start(String fileName, Command.@Nullable Print wanted)
            throws IOException, Refusal, InterruptedException {
        connection.start(fileName, request(new Start(fileName, wanted, bindings).order()));
    }

    @Override
    public void control(Control control) throws IOException, Refusal, InterruptedException {
        Order order = switch (control) {
            case PAUSE -> Order.PAUSE;
            case RESUME -> Order.RESUME;
            case CANCEL -> Order.STOP;
        };
        connection.control(control, request(order));
    }

    @Override
    public void order(Command.Send send) throws IOException, Refusal, InterruptedException {
        if (PushConnection.REFRESH_COMMANDS.contains(send.command())) {
            requestAll(connection.connected());
        } else {
            connection.ask(request(Order.of(send, bindings)));
        }
    }

    /** The film is let go after its first picture: the camera shows it to few. */
    @Override
    public Picture snapshot() throws IOException, Refusal, InterruptedException {
        connection.connected();
        if (!told.hasCamera()) {
            throw new Refusal("the printer has no camera");
        }
        connection.ask(request(Order.film(true)));
        try {
            return new HttpCamera(http, address.film()).picture();
        } finally {
            connection.send(request(Order.film(false)).sender());
        }
    }

    @Override
    public Optional<Remembered> recall(String fileName) throws IOException, Refusal, InterruptedException {
        return new History(connection.ask(request(Order.HISTORY)))
                .ending(fileName)
                .map(Remembered::of);
    }

    private Request<MqttConnection> request(Order order) {
        int number = numbers.incrementAndGet();
        Map<String, ?> message = Map.of("id", number, "method", order.method(), "params", order.params());
        return new Request<>(String.valueOf(number), mqtt -> mqtt.publish(client.requests(), message));
    }

    /** An answer that does not say how it went is none. */
    @Override
    public void check(Map<String, Object> answer) throws IOException, Refusal {
        Integer code = Tree.integer(answer, "result", "error_code");
        if (code == null && !answer.isEmpty()) {
            throw new IOException("the printer does not say whether it did it");
        }
        if (code != null && code != 0) {
            throw Refusal.answered("the printer does not do this now: " + Troubles.words(code));
        }
    }

    @Override
    public void close() {
        connection.close();
    }
}
