package farm.gantry.edge.mqtt;

import farm.gantry.edge.inbox.Inbox;
import farm.gantry.edge.printer.Provider.Listener;
import farm.gantry.edge.printer.Reading;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.edge.retry.Redial;
import farm.gantry.printer.PrinterState.Status;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A printer that tells of itself: it is heard for ever, on a line that is opened anew when it breaks, and whoever wants
 * something of it waits his turn, and for its answer.
 */
public final class Dialogue implements AutoCloseable {
    /** Commands to look anew at the printer, or at one place of it, which reads its tags by itself. */
    public static final Set<String> LOOKS = Set.of("resync-data", "refresh-slot");

    private static final Duration ANSWER = Duration.ofSeconds(15);
    private static final Duration SIGHT = Duration.ofSeconds(15);

    private final Make make;
    private final Duration silence;
    private final Listener listener;
    private final Redial redial;
    private final ReentrantLock turn = new ReentrantLock();
    private final ConcurrentMap<String, Pending> pending = new ConcurrentHashMap<>();
    private volatile @Nullable Mqtt line;
    private volatile @Nullable Mqtt opened;
    private volatile @Nullable Reading last;
    private volatile boolean asked;
    private volatile boolean stopping;

    /** {@code silence}: how long a printer may say nothing before it is asked, and then given up. */
    public Dialogue(Make make, Duration silence, Listener listener) {
        this.make = make;
        this.silence = silence;
        this.listener = listener;
        this.redial = new Redial(this::talk, listener::lost);
    }

    /** What one make says, and how. */
    public interface Make {
        Broker broker() throws IOException, Refusal, InterruptedException;

        /** Asks a printer to tell all of itself on a new line. */
        void greet(Mqtt line) throws IOException, InterruptedException;

        /** Asks a silent printer to go on. */
        void wake(Mqtt line) throws IOException, InterruptedException;

        /** Says what was {@link #saw} by the message, or which order was {@link #answered}. */
        void hear(Mqtt line, Heard.Message message) throws IOException, InterruptedException;

        /** Whether the answer to an order is a no; it is empty where the printer has shown that it did it. */
        void check(Map<String, Object> answer) throws IOException, Refusal;
    }

    /** What is published, and the number that its answer will bear. */
    public record Order(String number, String topic, Map<String, ?> message) {}

    public void begin() {
        redial.begin();
    }

    private void talk() throws IOException, Refusal, InterruptedException {
        try (Inbox<Heard> heard = Inbox.open();
                Mqtt mqtt = Mqtt.open(make.broker(), heard::add)) {
            opened = mqtt;
            make.greet(mqtt);
            listen(mqtt, heard);
        } finally {
            opened = null;
            line = null;
            pending.values().forEach(order -> order.lose("the printer is out of reach"));
        }
    }

    /** Until the line breaks. */
    private void listen(Mqtt mqtt, Inbox<Heard> heard) throws IOException, InterruptedException {
        asked = false;
        while (true) {
            switch (heard.poll(silence)) {
                case null -> {
                    if (asked) {
                        throw new IOException("the printer has nothing to say");
                    }
                    asked = true;
                    make.wake(mqtt);
                }
                case Heard.Message message -> make.hear(mqtt, message);
                case Heard.Closed(String reason) -> throw new IOException(reason);
            }
        }
    }

    /** From the first reading on the printer is in sight. */
    public void saw(Reading reading) {
        boolean first = line == null;
        Reading before = last;
        if (reading.ending() != null || (before != null && !before.fileName().equals(reading.fileName()))) {
            stopping = false;
        }
        line = opened;
        asked = false;
        last = reading;
        redial.reached();
        listener.saw(reading, first);
        pending.values().forEach(order -> order.see(reading));
    }

    public void answered(String number, Map<String, Object> answer) {
        Pending waiting = pending.get(number);
        if (waiting != null) {
            waiting.answer().complete(answer);
        }
    }

    public boolean isInSight() {
        return line != null;
    }

    /** How the printer was seen last, in sight or not. */
    public @Nullable Reading last() {
        return last;
    }

    /** The line, on which the printer has told how it is. */
    public Mqtt reached() throws Refusal {
        Mqtt mqtt = line;
        if (mqtt == null) {
            throw new Refusal("the printer is offline");
        }
        return mqtt;
    }

    private Reading seen() throws Refusal {
        reached();
        Reading reading = last;
        if (reading == null) {
            throw new Refusal("the printer is offline");
        }
        return reading;
    }

    /** Whether the farm has asked the printer to stop the print that it showed last. */
    public boolean isStopping() {
        return stopping;
    }

    /** Waits until the print shows. Never for a busy printer: there are some that drop the print they are on. */
    public void start(String fileName, Order order) throws IOException, Refusal, InterruptedException {
        inTurn(() -> {
            Reading before = seen();
            if (!before.isStartable()) {
                throw new Refusal("the printer cannot start a print now, it is " + before.status());
            }
            stopping = false;
            boolean again = before.fileName().equals(fileName);
            return answer(
                    order,
                    reading -> reading.fileName().equals(fileName)
                            && (reading.status().isBusy() || !again),
                    SIGHT);
        });
    }

    public void pause(Order order) throws IOException, Refusal, InterruptedException {
        steer(
                "pause",
                order,
                reading ->
                        reading.status() == Status.paused || !reading.status().isBusy());
    }

    public void resume(Order order) throws IOException, Refusal, InterruptedException {
        steer("resume", order, reading -> reading.status() != Status.paused);
    }

    public void stop(Order order) throws IOException, Refusal, InterruptedException {
        inTurn(() -> {
            busyWith("stop");
            stopping = true;
            return answer(order, reading -> !reading.status().isBusy(), Duration.ZERO);
        });
    }

    private void steer(String command, Order order, Predicate<Reading> done)
            throws IOException, Refusal, InterruptedException {
        inTurn(() -> {
            busyWith(command);
            return answer(order, done, Duration.ZERO);
        });
    }

    private void busyWith(String command) throws Refusal, IOException {
        if (!seen().status().isBusy()) {
            throw new Refusal("the printer has no print to " + command);
        }
    }

    /** The answer, whatever shows. */
    public Map<String, Object> ask(Order order) throws IOException, Refusal, InterruptedException {
        return inTurn(() -> answer(order, _ -> false, Duration.ZERO));
    }

    /** Says it and waits for nothing; where the line is gone, nobody hears it. */
    public void tell(Order order) throws InterruptedException {
        Mqtt mqtt = line;
        if (mqtt != null) {
            mqtt.say(order.topic(), order.message());
        }
    }

    /** Waits until the printer shows it, but no longer than {@code patience}. */
    public void shows(Predicate<Reading> what, Duration patience) throws InterruptedException {
        Pending waiting = new Pending(what);
        String number = "sight " + UUID.randomUUID();
        pending.put(number, waiting);
        try {
            Reading reading = last;
            if (reading != null) {
                waiting.see(reading);
            }
            waiting.awaitSight(patience);
        } finally {
            pending.remove(number);
        }
    }

    private interface Talk {
        Map<String, Object> run() throws IOException, Refusal, InterruptedException;
    }

    private Map<String, Object> inTurn(Talk talk) throws IOException, Refusal, InterruptedException {
        turn.lockInterruptibly();
        try {
            return talk.run();
        } finally {
            turn.unlock();
        }
    }

    /** A line on which nothing is answered any more is hung up, and opened anew. */
    private Map<String, Object> answer(Order order, Predicate<Reading> done, Duration sight)
            throws IOException, Refusal, InterruptedException {
        Mqtt mqtt = reached();
        Pending waiting = new Pending(done);
        pending.put(order.number(), waiting);
        try {
            mqtt.publish(order.topic(), order.message());
            Map<String, Object> answer = waiting.answer(ANSWER);
            if (answer == null) {
                mqtt.close();
                throw new IOException("the printer does not answer");
            }
            make.check(answer);
            waiting.awaitSight(sight);
            return answer;
        } finally {
            pending.remove(order.number());
        }
    }

    @Override
    public void close() {
        redial.close();
    }
}
