package farm.gantry.edge.session;

import farm.gantry.edge.inbox.Inbox;
import farm.gantry.edge.printer.connection.PrinterConnection.Control;
import farm.gantry.edge.printer.connection.PrinterConnection.StatusCheck;
import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.connection.Provider.Listener;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.edge.retry.ReconnectLoop;
import farm.gantry.edge.session.PrinterSession.StatusQuery;
import farm.gantry.edge.time.AwakeClock;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection to a printer that sends its status by itself. It is reopened whenever it breaks, and closed if the
 * printer stays silent.
 *
 * @param <C> one connection, over MQTT or a WebSocket
 * @param <M> a message that it receives
 */
public final class PushConnection<C extends Closeable, M> implements AutoCloseable {
    /** The commands to read the status, or one filament slot, again. */
    public static final Set<String> REFRESH_COMMANDS = Set.of("resync-data", "refresh-slot");

    /**
     * The maximum time for which a printer may read a file before it begins the print, without answering any request.
     */
    public static final Duration MAX_FILE_READING_TIME = Duration.ofMinutes(5);

    private static final Logger LOG = LoggerFactory.getLogger(PushConnection.class);
    private static final Duration RESPONSE_TIMEOUT = Duration.ofSeconds(15);
    private static final Duration STATUS_TIMEOUT = Duration.ofSeconds(10);
    private static final String NO_STATUS =
            "the printer has sent no status: restart it, and check its serial number in its settings";
    /** The id under which {@link #fetchStatus} waits, because not every provider's status response has an id. */
    private static final String STATUS = "status";

    private final Protocol<C, M> protocol;
    private final Duration silence;
    private final PrinterSession session;
    private final ReconnectLoop reconnect;
    private final PendingRequests pending = new PendingRequests();
    private final Queue<Thread> timers = new ConcurrentLinkedQueue<>();
    private volatile @Nullable C opened;
    private volatile @Nullable C online;
    private volatile boolean probed;
    /** The time, by {@link AwakeClock}, at which the printer last sent its status or was probed. */
    private volatile Duration statusAt = Duration.ZERO;
    /**
     * The time, by {@link AwakeClock}, at which a start was sent whose print has not been shown yet; null if there is
     * none.
     */
    private volatile @Nullable Duration startedAt;

    /**
     * Creates a connection. {@code silence} is the maximum time without a status before the printer is probed; after
     * the same time again it is disconnected. Other messages, such as responses to other clients, do not count.
     */
    public PushConnection(Protocol<C, M> protocol, Duration silence, Listener listener) {
        this.protocol = protocol;
        this.silence = silence;
        this.session = new PrinterSession(protocol, listener);
        this.reconnect = new ReconnectLoop(this::run, session::onOffline);
    }

    /** The protocol of one provider's printers. The methods that begin with "on" are called by a single thread. */
    public interface Protocol<C, M> extends StatusQuery {
        C open(MessageQueue<M> messages) throws IOException, Refusal, InterruptedException;

        /** Subscribes to a new connection and requests the status. */
        void onConnect(C connection) throws IOException, Refusal, InterruptedException;

        /** Requests the status of a silent printer; returns true if it has answered already. */
        boolean onSilence(C connection) throws IOException, Refusal, InterruptedException;

        void onMessage(C connection, M message) throws IOException, Refusal, InterruptedException;

        /**
         * Throws if the response to a request is negative. The response is empty if a status has already shown the
         * effect of the request.
         */
        default void check(Map<String, Object> answer) throws IOException, Refusal {}
    }

    /** A message to the printer, and the id that its response will carry. */
    public record Request<C>(String id, Sender<C> sender) {}

    /** Sends a message over the connection. */
    public interface Sender<C> {
        void send(C connection) throws IOException, InterruptedException;
    }

    private sealed interface Event<M> {
        record Message<M>(M message, int bytes) implements Event<M> {}

        record Closed<M>(String reason) implements Event<M> {}
    }

    /**
     * The messages that a connection has received, in order. If a printer sends faster than the agent reads, its
     * connection is closed and all waiting messages are dropped.
     */
    public static final class MessageQueue<M> implements Closeable {
        private static final int MAX_BYTES = 4 << 20;
        /** The minimum size that a message counts for, in bytes. */
        private static final int MIN_BYTES = 256;

        private final Inbox<Event<M>> inbox = Inbox.open();
        private final AtomicInteger waiting = new AtomicInteger();
        private final AtomicBoolean flooded = new AtomicBoolean();

        public void add(M message, int bytes) {
            if (hasRoom(bytes)) {
                inbox.add(message(message, bytes));
            }
        }

        /** Adds a message that may be handled after later ones. */
        public void addLater(M message, int bytes) {
            if (hasRoom(bytes)) {
                inbox.addLater(message(message, bytes));
            }
        }

        private Event.Message<M> message(M message, int bytes) {
            waiting.addAndGet(weight(bytes));
            return new Event.Message<>(message, bytes);
        }

        private boolean hasRoom(int bytes) {
            boolean full = waiting.get() + weight(bytes) > MAX_BYTES && waiting.get() > 0;
            if (full && flooded.compareAndSet(false, true)) {
                discard();
                end("the printer sends faster than the agent can read");
            }
            return !flooded.get();
        }

        private static int weight(int bytes) {
            return Math.max(bytes, MIN_BYTES);
        }

        @Nullable
        private Event<M> poll(Duration patience) throws InterruptedException {
            Event<M> next = inbox.poll(patience);
            if (next instanceof Event.Message<M>(var _, int bytes)) {
                waiting.addAndGet(-weight(bytes));
            }
            return next;
        }

        public void end(String reason) {
            inbox.add(new Event.Closed<>(reason));
        }

        /** Returns the next message without removing it, or null. */
        public @Nullable M peek() {
            return inbox.peek() instanceof Event.Message<M>(M message, var _) ? message : null;
        }

        public void discard() {
            inbox.retainOnly(event -> {
                if (event instanceof Event.Message<M>(var _, int bytes)) {
                    waiting.addAndGet(-weight(bytes));
                    return false;
                }
                return true;
            });
        }

        @Override
        public void close() {
            inbox.close();
        }
    }

    public void start() {
        reconnect.start();
    }

    private void run() throws IOException, Refusal, InterruptedException {
        try (MessageQueue<M> messages = new MessageQueue<>();
                C connection = protocol.open(messages)) {
            opened = connection;
            probed = false;
            protocol.onConnect(connection);
            statusAt = AwakeClock.CLOCK.now();
            while (true) {
                Duration left = timeUntilSilent();
                Event<M> event = messages.poll(left.isNegative() ? Duration.ZERO : left);
                if (event != null) {
                    receive(connection, event);
                }
                if (timeUntilSilent().isNegative()) {
                    probe(connection);
                }
            }
        } finally {
            opened = null;
            online = null;
            timers.forEach(Thread::interrupt);
            timers.clear();
            pending.failAll("the connection broke");
            session.failWatches("the connection broke");
        }
    }

    private Duration timeUntilSilent() {
        return silence.minus(AwakeClock.CLOCK.now().minus(statusAt));
    }

    private void probe(C connection) throws IOException, Refusal, InterruptedException {
        if (probed) {
            throw new IOException(NO_STATUS);
        }
        statusAt = AwakeClock.CLOCK.now();
        probed = !protocol.onSilence(connection);
    }

    private void receive(C connection, Event<M> event) throws IOException, Refusal, InterruptedException {
        switch (event) {
            case Event.Message<M>(M message, var _) -> protocol.onMessage(connection, message);
            case Event.Closed<M>(String reason) -> throw new IOException(reason);
        }
    }

    /** Sends a message at once, and then repeatedly at this interval until the connection closes. */
    public void repeat(Duration interval, C connection, Sender<C> sender) {
        Thread timer = Thread.ofVirtual().unstarted(() -> {
            try {
                while (true) {
                    trySend(connection, sender);
                    Thread.sleep(interval);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        timers.add(timer);
        timer.start();
    }

    private void trySend(C connection, Sender<C> sender) throws InterruptedException {
        try {
            sender.send(connection);
        } catch (IOException e) {
            LOG.debug("cannot send a message: {}", e.getMessage());
        }
    }

    /** Publishes a status. From the first one of a connection on, the printer is online. */
    public void onStatus(PrinterStatus status) {
        online = opened;
        probed = false;
        statusAt = AwakeClock.CLOCK.now();
        reconnect.onConnected();
        if (status.status().isBusy() && status.file() != null && status.ending() == null) {
            startedAt = null;
        }
        session.onStatus(status);
    }

    /** Records that the published status is complete, which ends the wait of {@link #fetchStatus}. */
    public void onWholeStatus() {
        pending.complete(STATUS, Map.of());
    }

    public PrinterSession session() {
        return session;
    }

    public boolean isOnline() {
        return online != null;
    }

    /** Returns the connection to a printer that is online. */
    public C connected() throws Refusal {
        C connection = online;
        if (connection == null) {
            throw new Refusal("the printer is offline");
        }
        return connection;
    }

    /**
     * Starts a print and waits until the status shows it. The connection stays open if this or the next request is not
     * answered: some printers read the file first, and abandon the print if they lose the connection meanwhile.
     */
    public void start(String fileName, Request<C> request, StatusCheck check)
            throws IOException, Refusal, InterruptedException {
        session.start(check, before -> {
            boolean again = before.fileName().equals(fileName);
            startedAt = AwakeClock.CLOCK.now();
            exchange(
                    connected(),
                    request,
                    status -> status.fileName().equals(fileName)
                            && (status.status().isBusy() || !again),
                    RESPONSE_TIMEOUT);
        });
    }

    public void control(Control control, StatusCheck check, Request<C> request)
            throws IOException, Refusal, InterruptedException {
        session.control(control, check, _ -> exchange(request, control::isDone));
    }

    /** Sends a request and returns its response. */
    public Map<String, Object> sendAndAwait(Request<C> request) throws IOException, Refusal, InterruptedException {
        return session.runExclusively(() -> exchange(request, _ -> false));
    }

    /** Sends a message without waiting for a response; does nothing while the printer is offline. */
    public void send(Sender<C> sender) throws InterruptedException {
        C connection = online;
        if (connection != null) {
            trySend(connection, sender);
        }
    }

    /**
     * Sends a request. Closes the connection if no response comes, unless the printer may be reading the file of a
     * print.
     */
    private Map<String, Object> exchange(Request<C> request, Predicate<PrinterStatus> effect)
            throws IOException, Refusal, InterruptedException {
        C connection = connected();
        try {
            return exchange(connection, request, effect, Duration.ZERO);
        } catch (PendingRequests.Timeout e) {
            Duration started = startedAt;
            if (started == null || AwakeClock.CLOCK.now().minus(started).compareTo(MAX_FILE_READING_TIME) > 0) {
                connection.close();
            }
            throw e;
        }
    }

    /** Sends a request; a status that shows the effect counts as a response. */
    private Map<String, Object> exchange(
            C connection, Request<C> request, Predicate<PrinterStatus> effect, Duration effectTimeout)
            throws IOException, Refusal, InterruptedException {
        CompletableFuture<PrinterStatus> seen = session.watch(effect);
        try {
            Map<String, Object> answer = pending.send(request.id(), "the command", RESPONSE_TIMEOUT, () -> {
                var _ = seen.thenRun(() -> pending.complete(request.id(), Map.of()));
                request.sender().send(connection);
            });
            protocol.check(answer);
            AwakeClock.CLOCK.await(seen, effectTimeout);
            return answer;
        } finally {
            session.stopWatching(seen);
        }
    }

    public void onAnswer(String id, Map<String, Object> answer) {
        pending.complete(id, answer);
    }

    /** Waits for a status that meets the condition, but no longer than the timeout. */
    public void awaitStatus(Predicate<PrinterStatus> condition, Duration timeout) throws InterruptedException {
        CompletableFuture<PrinterStatus> seen = session.watch(condition);
        try {
            PrinterStatus last = session.lastStatus();
            if (!isOnline() || last == null || !condition.test(last)) {
                AwakeClock.CLOCK.await(seen, timeout);
            }
        } finally {
            session.stopWatching(seen);
        }
    }

    /** Requests the status and waits until it is complete. Called by one thread at a time, as commands are sent. */
    public PrinterStatus fetchStatus(Sender<C> request) throws Refusal, InterruptedException {
        C connection = connected();
        try {
            pending.send(STATUS, "the request for its status", STATUS_TIMEOUT, () -> request.send(connection));
        } catch (IOException e) {
            throw new Refusal("the printer is offline: " + e.getMessage());
        }
        return session.requireStatus();
    }

    @Override
    public void close() {
        reconnect.close();
    }
}
