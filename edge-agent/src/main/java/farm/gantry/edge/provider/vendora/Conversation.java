package farm.gantry.edge.provider.vendora;

import farm.gantry.edge.retry.Redial;
import farm.gantry.edge.printer.Bindings;
import farm.gantry.edge.journal.Job;
import farm.gantry.edge.printer.Connection;
import farm.gantry.edge.printer.Provider.Listener;
import farm.gantry.edge.printer.Reading;
import farm.gantry.edge.printer.Refusal;
import farm.gantry.edge.provider.vendora.Orders.Order;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.wire.Command;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The talk with one printer, from opening to opening: one thread, which tries again for ever. */
final class Conversation implements Connection {
    private static final Duration ANSWER = Duration.ofSeconds(15);
    private static final Duration SIGHT = Duration.ofSeconds(15);
    private static final Map<String, ?> TELL_ALL =
            Map.of("pushing", Map.of("sequence_id", "0", "command", "pushall", "version", 1, "push_target", 1));
    private static final Map<String, ?> GO_ON =
            Map.of("pushing", Map.of("sequence_id", "0", "command", "start", "version", 1, "push_target", 1));

    private final Address address;
    private final Trust trust;
    private final Bindings bindings;
    private final Duration silence;
    private final Listener listener;
    private final Redial redial;
    private final ReentrantLock turn = new ReentrantLock();
    private final AtomicLong numbers = new AtomicLong(System.currentTimeMillis());
    private final ConcurrentMap<String, Pending> pending = new ConcurrentHashMap<>();
    private volatile @Nullable Mqtt line;
    private volatile Told told = Told.nothing();
    private volatile @Nullable Reading last;
    private volatile boolean stopping;

    private Conversation(Address address, Trust trust, Bindings bindings, Duration silence, Listener listener) {
        this.address = address;
        this.trust = trust;
        this.bindings = bindings;
        this.silence = silence;
        this.listener = listener;
        this.redial = new Redial(this::talk, listener::lost);
    }

    /** {@code silence}: how long a printer may say nothing before it is asked, and then given up. */
    static Conversation begin(Address address, Trust trust, Bindings bindings, Duration silence, Listener listener) {
        Conversation conversation = new Conversation(address, trust, bindings, silence, listener);
        conversation.redial.begin();
        return conversation;
    }

    private void talk() throws IOException, InterruptedException {
        BlockingQueue<Heard> heard = new LinkedBlockingQueue<>();
        try (Mqtt mqtt = Mqtt.open(address, trust, heard::add)) {
            mqtt.publish(TELL_ALL);
            told = Told.nothing();
            listen(mqtt, heard);
        } finally {
            line = null;
            pending.values().forEach(order -> order.lose("the printer is out of reach"));
        }
    }

    /** Until the line breaks. What has changed means nothing before everything was told once. */
    private void listen(Mqtt mqtt, BlockingQueue<Heard> heard) throws IOException, InterruptedException {
        boolean asked = false;
        while (true) {
            switch (heard.poll(silence.toMillis(), TimeUnit.MILLISECONDS)) {
                case null -> {
                    if (asked) {
                        throw new IOException("the printer has nothing to say");
                    }
                    asked = true;
                    mqtt.publish(GO_ON);
                    mqtt.publish(TELL_ALL);
                }
                case Heard.Report(Map<String, Object> print) -> {
                    asked = false;
                    boolean first = line == null;
                    if (!first || Told.isWhole(print)) {
                        told = told.merge(print);
                        line = mqtt;
                        see(first);
                    }
                }
                case Heard.Answer(String number, Map<String, Object> order) -> {
                    Pending waiting = pending.get(number);
                    if (waiting != null) {
                        waiting.answer().complete(order);
                    }
                }
                case Heard.Other() -> {}
                case Heard.Closed(String reason) -> throw new IOException(reason);
            }
        }
    }

    private void see(boolean first) {
        Reading before = last;
        Reading reading = Readings.of(told, before, stopping);
        if (reading.ending() != null || (before != null && !before.fileName().equals(reading.fileName()))) {
            stopping = false;
        }
        last = reading;
        redial.reached();
        listener.saw(reading, first);
        pending.values().forEach(order -> order.see(reading));
    }

    @Override
    public void upload(Path file, String sha256, String fileName) throws IOException, Refusal {
        new Upload(address, trust).send(file, ProjectFile.name(fileName));
    }

    @Override
    public void start(String fileName) throws IOException, Refusal, InterruptedException {
        start(fileName, null);
    }

    @Override
    public void start(Job job) throws IOException, Refusal, InterruptedException {
        start(job.fileName(), job.print());
    }

    /** Never to a busy printer: there are some that drop the print they are on. */
    private void start(String fileName, Command.@Nullable Print print)
            throws IOException, Refusal, InterruptedException {
        inTurn(() -> {
            Reading before = seen();
            if (before.status().isBusy() || before.status() == Status.unknown) {
                throw new Refusal("the printer cannot start a print now, it is " + before.status());
            }
            stopping = false;
            boolean again = before.fileName().equals(fileName);
            boolean hasUnits = Ams.slots(told.print()).stream().anyMatch(slot -> !Ams.isExternal(slot.amsIndex()));
            Map<String, Object> message =
                    new ProjectFile(fileName, print, bindings).message(System.currentTimeMillis(), hasUnits);
            ask(
                    new Order("print", message),
                    reading -> reading.fileName().equals(fileName)
                            && (reading.status().isBusy() || !again),
                    SIGHT);
        });
    }

    @Override
    public void pause() throws IOException, Refusal, InterruptedException {
        steer(
                "pause",
                reading ->
                        reading.status() == Status.paused || !reading.status().isBusy());
    }

    @Override
    public void resume() throws IOException, Refusal, InterruptedException {
        steer("resume", reading -> reading.status() != Status.paused);
    }

    @Override
    public void cancel() throws IOException, Refusal, InterruptedException {
        stopping = true;
        steer("stop", reading -> !reading.status().isBusy());
    }

    private void steer(String command, Predicate<Reading> done) throws IOException, Refusal, InterruptedException {
        inTurn(() -> {
            if (!seen().status().isBusy()) {
                throw new Refusal("the printer has no print to " + command);
            }
            ask(Order.print(command, Map.of("param", "")), done, Duration.ZERO);
        });
    }

    @Override
    public void order(Command.Send send) throws IOException, Refusal, InterruptedException {
        if (send.command().equals("resync-data")) {
            reached().publish(TELL_ALL);
        } else {
            Order order = new Orders(bindings).of(send);
            inTurn(() -> ask(order, _ -> false, Duration.ZERO));
        }
    }

    /** What is asked with nothing of others in between. */
    private interface Talk {
        void run() throws IOException, Refusal, InterruptedException;
    }

    private void inTurn(Talk talk) throws IOException, Refusal, InterruptedException {
        turn.lockInterruptibly();
        try {
            talk.run();
        } finally {
            turn.unlock();
        }
    }

    /** A line on which nothing is answered any more is hung up, and opened anew. */
    private void ask(Order order, Predicate<Reading> done, Duration sight)
            throws IOException, Refusal, InterruptedException {
        Mqtt mqtt = reached();
        if (Troubles.needsDeveloperMode(told.print())) {
            throw new Refusal(Troubles.NEEDS_DEVELOPER_MODE);
        }
        String number = String.valueOf(numbers.incrementAndGet());
        Map<String, Object> message = new LinkedHashMap<>(order.message());
        message.put("sequence_id", number);
        Pending waiting = new Pending(done);
        pending.put(number, waiting);
        try {
            mqtt.publish(Map.of(order.part(), message));
            if (!waiting.isAnswered(ANSWER)) {
                mqtt.close();
                throw new IOException("the printer does not answer");
            }
            waiting.awaitSight(sight);
        } finally {
            pending.remove(number);
        }
    }

    private Mqtt reached() throws Refusal {
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

    /** The printer has no memory of prints but of the last one, which it shows. */
    @Override
    public Optional<Reading.Ending> recall(String fileName) {
        return Optional.empty();
    }

    @Override
    public void close() {
        redial.close();
    }
}
