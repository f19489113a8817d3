package farm.gantry.edge.provider.elegoo;

import farm.gantry.edge.camera.HttpCamera;
import farm.gantry.edge.camera.Picture;
import farm.gantry.edge.mqtt.Broker;
import farm.gantry.edge.mqtt.Dialogue;
import farm.gantry.edge.mqtt.Heard;
import farm.gantry.edge.mqtt.Mqtt;
import farm.gantry.edge.printer.Bindings;
import farm.gantry.edge.printer.Connection;
import farm.gantry.edge.printer.Provider.Listener;
import farm.gantry.edge.printer.Reading;
import farm.gantry.edge.refusal.Refusal;
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

/** The talk with one printer, from registration to registration. */
final class Conversation implements Connection, Dialogue.Make {
    private static final int STATUS_CHANGED = 6000;
    private static final Map<String, ?> PING = Map.of("type", "PING");
    private static final Duration SETTLING = Duration.ofSeconds(15);

    private final HttpClient http;
    private final Address address;
    private final Bindings bindings;
    private final Dialogue dialogue;
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

    private Conversation(HttpClient http, Address address, Bindings bindings, Rhythm rhythm, Listener listener) {
        this.http = http;
        this.address = address;
        this.bindings = bindings;
        this.client = Client.anew(address.serial());
        this.rhythm = rhythm;
        this.dialogue = new Dialogue(this, rhythm.silence(), listener);
    }

    /**
     * {@code ping}: how often the printer is told that the agent is still there; {@code look}: how often it is asked how
     * it is, because the last change before a standstill may have been lost; {@code silence}: how long it may say nothing
     * before it is asked, and then given up.
     */
    record Rhythm(Duration ping, Duration look, Duration silence) {}

    static Conversation begin(HttpClient http, Address address, Bindings bindings, Rhythm rhythm, Listener listener) {
        Conversation conversation = new Conversation(http, address, bindings, rhythm, listener);
        conversation.dialogue.begin();
        return conversation;
    }

    @Override
    public Broker broker() {
        client = Client.anew(address.serial());
        return address.broker(client);
    }

    @Override
    public void greet(Mqtt line) throws IOException, InterruptedException {
        told = Told.nothing();
        registered = false;
        historyTold = false;
        held = false;
        line.subscribe(client.registered());
        line.publish(client.registrations(), client.registration());
    }

    @Override
    public void wake(Mqtt line) throws IOException, InterruptedException {
        if (registered) {
            askAll(line);
        }
    }

    private void askAll(Mqtt line) throws IOException, InterruptedException {
        asking = true;
        line.publish(client.requests(), numbered(Order.STATUS).message());
        line.publish(client.requests(), numbered(Order.SLOTS).message());
    }

    @Override
    public void hear(Mqtt line, Heard.Message message) throws IOException, InterruptedException {
        Map<String, Object> body = message.body();
        if (message.topic().equals(client.registered())) {
            registered(line, Tree.text(body, "error"));
            return;
        }
        Integer method = Tree.integer(body, "method");
        Integer number = Tree.integer(body, "id");
        if (method == null || number == null) {
            return;
        }
        Map<String, Object> result = Tree.object(body, "result");
        if (method == STATUS_CHANGED) {
            changed(line, number, result);
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
            if (dialogue.isInSight()) {
                see();
            }
        }
        if (message.topic().equals(client.responses())) {
            dialogue.answered(String.valueOf(number), body);
        }
    }

    private void registered(Mqtt line, @Nullable String error) throws IOException, InterruptedException {
        if (!"ok".equals(error)) {
            throw new IOException("the printer does not let the farm in: " + error);
        }
        if (registered) {
            return;
        }
        registered = true;
        line.subscribe(client.status());
        line.subscribe(client.responses());
        line.publish(client.requests(), numbered(Order.SLOTS).message());
        line.publish(client.requests(), numbered(Order.HISTORY).message());
        line.repeat(rhythm.ping(), client.requests(), () -> PING);
        line.repeat(
                rhythm.look(), client.requests(), () -> numbered(Order.STATUS).message());
    }

    /** What has changed means nothing before everything was told once, and not much where some of it was missed. */
    private void changed(Mqtt line, int number, Map<String, Object> result) throws IOException, InterruptedException {
        if (!dialogue.isInSight()) {
            return;
        }
        boolean gap = told.isGap(number);
        told = told.changed(number, result);
        see();
        if (gap && !asking) {
            askAll(line);
        }
    }

    private void see() throws InterruptedException {
        Reading before = dialogue.last();
        Reading reading = Readings.of(told, before, dialogue.isStopping());
        dialogue.saw(reading);
        if (before != null && before.status().isBusy() != reading.status().isBusy()) {
            dialogue.tell(numbered(Order.HISTORY));
        }
    }

    /** One after the other: the printer puts the parts of two into one. */
    @Override
    public void upload(Path file, String sha256, String fileName) throws IOException, Refusal, InterruptedException {
        uploading.lockInterruptibly();
        try {
            new Upload(http, address).send(file, fileName);
            if (dialogue.isInSight()) {
                checkWhole(file, fileName);
                dialogue.shows(reading -> !reading.status().isBusy(), SETTLING); // It says so while it takes a file.
            }
        } finally {
            uploading.unlock();
        }
    }

    private void checkWhole(Path file, String fileName) throws IOException, InterruptedException {
        try {
            Double arrived = Tree.number(dialogue.ask(numbered(Order.details(fileName))), "result", "size");
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
        dialogue.start(fileName, numbered(new Start(fileName, wanted, bindings).order()));
    }

    @Override
    public void pause() throws IOException, Refusal, InterruptedException {
        dialogue.pause(numbered(Order.PAUSE));
    }

    @Override
    public void resume() throws IOException, Refusal, InterruptedException {
        dialogue.resume(numbered(Order.RESUME));
    }

    @Override
    public void cancel() throws IOException, Refusal, InterruptedException {
        dialogue.stop(numbered(Order.STOP));
    }

    @Override
    public void order(Command.Send send) throws IOException, Refusal, InterruptedException {
        if (Dialogue.LOOKS.contains(send.command())) {
            askAll(dialogue.reached());
        } else {
            dialogue.ask(numbered(Order.of(send, bindings)));
        }
    }

    /** The film is let go after its first picture: the camera shows it to few. */
    @Override
    public Picture snapshot() throws IOException, Refusal, InterruptedException {
        dialogue.reached();
        if (!told.hasCamera()) {
            throw new Refusal("the printer has no camera");
        }
        dialogue.ask(numbered(Order.film(true)));
        try {
            return new HttpCamera(http, address.film()).picture();
        } finally {
            dialogue.tell(numbered(Order.film(false)));
        }
    }

    @Override
    public Optional<Remembered> recall(String fileName) throws IOException, Refusal, InterruptedException {
        return new History(dialogue.ask(numbered(Order.HISTORY)))
                .ending(fileName)
                .map(Remembered::of);
    }

    private Dialogue.Order numbered(Order order) {
        int number = numbers.incrementAndGet();
        return new Dialogue.Order(
                String.valueOf(number),
                client.requests(),
                Map.of("id", number, "method", order.method(), "params", order.params()));
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
        dialogue.close();
    }
}
