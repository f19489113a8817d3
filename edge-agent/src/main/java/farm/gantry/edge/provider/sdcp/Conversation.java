package farm.gantry.edge.provider.sdcp;

import farm.gantry.edge.camera.HttpCamera;
import farm.gantry.edge.camera.Picture;
import farm.gantry.edge.inbox.Inbox;
import farm.gantry.edge.printer.Bindings;
import farm.gantry.edge.printer.Connection;
import farm.gantry.edge.printer.Provider.Listener;
import farm.gantry.edge.printer.Reading;
import farm.gantry.edge.printer.Sight;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.edge.retry.Redial;
import farm.gantry.json.Tree;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.wire.Command;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The talk with one printer, from opening to opening. */
final class Conversation implements Connection {
    private static final Logger LOG = LoggerFactory.getLogger(Conversation.class);
    private static final int MISSES = 2;
    private static final Duration SIGHT = Duration.ofSeconds(15);
    /** After a file has arrived, a printer looks through it for some seconds, and starts nothing. */
    private static final int STARTS = 15;

    private static final Duration BETWEEN_STARTS = Duration.ofSeconds(1);

    private final HttpClient http;
    private final Address address;
    private final Bindings bindings;
    private final Duration interval;
    private final Listener listener;
    private final Redial redial;
    private final Sight sight = new Sight();
    private final ReentrantLock turn = new ReentrantLock();
    private volatile @Nullable Line line;
    private volatile @Nullable String newestPrint;

    private Conversation(HttpClient http, Address address, Bindings bindings, Duration interval, Listener listener) {
        this.http = http;
        this.address = address;
        this.bindings = bindings;
        this.interval = interval;
        this.listener = listener;
        this.redial = new Redial(this::talk, listener::lost);
    }

    /** {@code interval}: how often the printer is asked how it is, which also keeps the line open. */
    static Conversation begin(
            HttpClient http, Address address, Bindings bindings, Duration interval, Listener listener) {
        Conversation conversation = new Conversation(http, address, bindings, interval, listener);
        conversation.redial.begin();
        return conversation;
    }

    private void talk() throws IOException, InterruptedException {
        try (Inbox<Heard> heard = Inbox.open();
                Line opened = new Line(address, heard::add)) {
            listen(opened, heard);
        } finally {
            line = null;
            sight.lose();
        }
    }

    private void listen(Line opened, Inbox<Heard> heard) throws IOException, InterruptedException {
        int unanswered = 0;
        long next = System.nanoTime();
        while (true) {
            switch (heard.poll(Duration.ofNanos(next - System.nanoTime()))) {
                case null -> {
                    if (unanswered == MISSES) {
                        throw new IOException("the printer has nothing to say");
                    }
                    unanswered++;
                    opened.askStatus();
                    next = System.nanoTime() + interval.toNanos();
                }
                case Heard.Status(String mainboardId, Map<String, Object> status) -> {
                    unanswered = 0;
                    check(mainboardId);
                    see(opened, status);
                }
                case Heard.Closed(String reason) -> throw new IOException(reason);
            }
        }
    }

    /** Addresses are given to another printer now and then. */
    private void check(String mainboardId) throws IOException {
        if (!address.mainboardId().isEmpty() && !address.mainboardId().equals(mainboardId)) {
            throw new IOException("another printer is at " + address.host() + ", with mainboard " + mainboardId);
        }
    }

    private void see(Line opened, Map<String, Object> status) throws InterruptedException {
        boolean first = line == null;
        String task = Tree.text(status, "PrintInfo", "TaskId");
        if (task != null && !task.isBlank()) {
            newestPrint = task;
        } else if (first) {
            newestPrint = newestPrint(opened);
        }
        Reading reading = Readings.of(status, sight.last()).counted(newestPrint);
        line = opened;
        redial.reached();
        listener.saw(reading, first);
        sight.see(reading); // Whoever waits for it finds it told.
    }

    private @Nullable String newestPrint(Line opened) throws InterruptedException {
        try {
            return new History(opened).newest();
        } catch (IOException | Refusal e) {
            LOG.debug("{}: it tells no history: {}", address, e.getMessage());
            return null;
        }
    }

    @Override
    public void upload(Path file, String sha256, String fileName) throws IOException, Refusal, InterruptedException {
        String uuid = UUID.randomUUID().toString().replace("-", "");
        try {
            new Upload(http, address, uuid).send(file, fileName);
        } catch (IOException e) {
            tell(Cmd.abortUpload, Map.of("Uuid", uuid, "FileName", fileName));
            throw e;
        }
    }

    /** Where the line is gone, there is nobody to tell. */
    private void tell(Cmd cmd, Map<String, ?> data) throws InterruptedException {
        Line open = line;
        if (open != null) {
            try {
                open.tell(cmd, data);
            } catch (IOException e) {
                LOG.debug("{}: {}", address, e.getMessage());
            }
        }
    }

    /** Only a plain no is asked again, and only while the printer shows no print. */
    @Override
    public void start(String fileName, Command.@Nullable Print wanted)
            throws IOException, Refusal, InterruptedException {
        Map<String, Object> chosen = wanted == null || wanted.options() == null ? Map.of() : wanted.options();
        Orders.Order order = new Orders(bindings).start(fileName, chosen);
        inTurn(() -> {
            for (int tried = 1; ; tried++) {
                Reading now = look();
                if (tried > 1 && now.status().isBusy() && now.fileName().equals(fileName)) {
                    return;
                }
                if (!now.isStartable()) {
                    throw new Refusal("the printer cannot start a print now, it is " + now.status());
                }
                int ack = Line.ack(reached().answer(order.cmd(), order.data()));
                if (ack == 0) {
                    tell(Cmd.status, Map.of());
                    sight.await(
                            reading -> reading.fileName().equals(fileName)
                                    && reading.status().isBusy(),
                            SIGHT);
                    return;
                }
                if (ack != Line.BUSY || tried == STARTS) {
                    throw Refusal.answered(Line.words(ack));
                }
                Thread.sleep(BETWEEN_STARTS);
            }
        });
    }

    /** How the printer is now; until here nothing was done, so that a silent one is a plain no. */
    private Reading look() throws Refusal, InterruptedException {
        long looks = sight.looks();
        try {
            reached().askStatus();
        } catch (IOException e) {
            throw new Refusal("the printer is offline: " + e.getMessage());
        }
        Reading reading = sight.after(looks, SIGHT);
        if (reading == null) {
            throw new Refusal("the printer is offline");
        }
        return reading;
    }

    private Line reached() throws Refusal {
        Line open = line;
        if (open == null) {
            throw new Refusal("the printer is offline");
        }
        return open;
    }

    @Override
    public void pause() throws IOException, Refusal, InterruptedException {
        steer(Cmd.pause, reading -> reading.status() == Status.paused);
    }

    @Override
    public void resume() throws IOException, Refusal, InterruptedException {
        steer(Cmd.resume, reading -> reading.status() != Status.paused);
    }

    @Override
    public void cancel() throws IOException, Refusal, InterruptedException {
        steer(Cmd.stop, reading -> false);
    }

    /** Of the print that was seen last: another one, begun at the screen meanwhile, is left alone. */
    private void steer(Cmd cmd, Predicate<Reading> done) throws IOException, Refusal, InterruptedException {
        inTurn(() -> {
            Reading seen = sight.last();
            Reading now = look();
            boolean another =
                    seen != null && seen.status().isBusy() && !seen.fileName().equals(now.fileName());
            if (!now.status().isBusy() || another) {
                throw new Refusal("the printer no longer has this job");
            }
            if (!done.test(now)) {
                reached().ask(cmd, Map.of());
            }
        });
    }

    @Override
    public void order(Command.Send send) throws IOException, Refusal, InterruptedException {
        if (send.command().equals("resync-data")) {
            reached().askStatus();
            return;
        }
        List<Orders.Order> orders = new Orders(bindings).of(send);
        inTurn(() -> {
            for (Orders.Order order : orders) {
                reached().ask(order.cmd(), order.data());
            }
        });
    }

    /** The film is let go after its first picture: the printer shows it to few. */
    @Override
    public Picture snapshot() throws IOException, Refusal, InterruptedException {
        Map<String, Object> answer = reached().answer(Cmd.film, Map.of("Enable", 1));
        String told = Tree.text(answer, "VideoUrl");
        switch (Line.ack(answer)) {
            case 0 -> {}
            case 1 -> throw new Refusal("the printer shows its film to others already");
            default -> throw new Refusal("the printer has no camera");
        }
        try {
            String film = told == null || told.contains("://") ? String.valueOf(told) : "http://" + told;
            return HttpCamera.of(http, address.upload(), film).picture();
        } finally {
            tell(Cmd.film, Map.of("Enable", 0));
        }
    }

    @Override
    public Optional<Remembered> recall(String fileName) throws IOException, Refusal, InterruptedException {
        return new History(reached()).ending(fileName).map(Remembered::of);
    }

    private void inTurn(Redial.Talk talk) throws IOException, Refusal, InterruptedException {
        turn.lockInterruptibly();
        try {
            talk.run();
        } finally {
            turn.unlock();
        }
    }

    @Override
    public void close() {
        redial.close();
    }
}
