package farm.gantry.edge.session;

import farm.gantry.edge.printer.Connection.Control;
import farm.gantry.edge.printer.Connection.StatusCheck;
import farm.gantry.edge.printer.Provider.Listener;
import farm.gantry.edge.printer.Reading;
import farm.gantry.edge.refusal.Refusal;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What is the same for the printers of every make: the last status, one command at a time, and the rules under which a
 * print is started or changed. A {@link PushConnection} or a {@link PollLoop} feeds it.
 */
public final class PrinterSession {
    /** Why a print is not changed that is over. */
    public static final String NO_LONGER_PRINTED = "the printer no longer has this job";

    private final StatusQuery query;
    private final Listener listener;
    private final ReentrantLock turn = new ReentrantLock();
    private final Set<Watch> watches = ConcurrentHashMap.newKeySet();
    private volatile boolean online;
    private volatile @Nullable Reading last;
    private volatile boolean stopping;

    public PrinterSession(StatusQuery query, Listener listener) {
        this.query = query;
        this.listener = listener;
    }

    /** Asks for the status right before a command. Nothing was sent yet, so that a printer that does not answer is a refusal. */
    public interface StatusQuery {
        /** By an answer that came after the question: somebody may have used the printer since it last told of itself. */
        Reading currentStatus(PrinterSession session) throws Refusal, InterruptedException;

        /** On which anything but a start is decided, by the last status where a question costs the printer much. */
        default Reading recentStatus(PrinterSession session) throws Refusal, InterruptedException {
            return currentStatus(session);
        }
    }

    /** A task during which nothing else is sent to the printer. */
    public interface Task<T> {
        T run() throws IOException, Refusal, InterruptedException;
    }

    /** Sends a command to a printer of this status. */
    public interface CommandSender {
        void send(Reading now) throws IOException, Refusal, InterruptedException;
    }

    private record Watch(Predicate<Reading> condition, CompletableFuture<Reading> seen) {
        void update(Reading status) {
            if (condition.test(status)) {
                seen.complete(status);
            }
        }
    }

    /** Publishes a status. */
    public void onStatus(Reading status) {
        boolean afterGap = !online;
        Reading before = last;
        if (status.ending() != null || (before != null && !before.fileName().equals(status.fileName()))) {
            stopping = false;
        }
        online = true;
        last = status;
        listener.saw(status, afterGap);
        watches.forEach(watch -> watch.update(status));
        watches.removeIf(watch -> watch.seen().isDone());
    }

    /** The printer cannot be reached, for this reason. */
    public void onOffline(String reason) {
        leave(reason);
        listener.lost(reason);
    }

    /** The printer's server answers that the printer is not ready, for this reason. */
    public void onNotReady(String reason) {
        leave(reason);
        listener.notReady(reason);
    }

    private void leave(String reason) {
        online = false;
        failWatches(reason);
    }

    /** The next status is the first one after a gap: the printer was restarted. */
    public void onRestart() {
        online = false;
    }

    void failWatches(String reason) {
        watches.forEach(watch -> watch.seen().completeExceptionally(new IOException(reason)));
        watches.clear();
    }

    public boolean isOnline() {
        return online;
    }

    /** The last status, also of a printer that is offline. */
    public @Nullable Reading last() {
        return last;
    }

    /** The last status of a printer that is online. */
    public Reading requireStatus() throws Refusal {
        Reading status = last;
        if (!online || status == null) {
            throw new Refusal("the printer is offline");
        }
        return status;
    }

    /** The agent has cancelled the print that the last status shows. */
    public void onCancelled() {
        stopping = true;
    }

    /** Another print than that of the last status begins. */
    public void onStart() {
        stopping = false;
    }

    /** Whether the agent has cancelled the print that the last status shows. */
    public boolean isStopping() {
        return stopping;
    }

    /** The next status that meets the condition; it fails when the printer goes offline before. */
    CompletableFuture<Reading> watch(Predicate<Reading> condition) {
        Watch watch = new Watch(condition, new CompletableFuture<>());
        watches.add(watch);
        return watch.seen();
    }

    void stopWatching(CompletableFuture<Reading> seen) {
        seen.cancel(false);
        watches.removeIf(watch -> watch.seen().isDone());
    }

    public <T> T exclusively(Task<T> task) throws IOException, Refusal, InterruptedException {
        lock();
        try {
            return task.run();
        } finally {
            unlock();
        }
    }

    void lock() throws InterruptedException {
        turn.lockInterruptibly();
    }

    void unlock() {
        turn.unlock();
    }

    /** Sends a start, but never to a printer that is busy or in fault: some drop the print that they are on. */
    public void start(StatusCheck check, CommandSender command) throws IOException, Refusal, InterruptedException {
        exclusively(() -> {
            Reading now = requireStartable(query.currentStatus(this));
            check.check(now);
            command.send(now);
            return true;
        });
    }

    /** Refuses a start where the printer is busy or in fault. */
    public Reading requireStartable(Reading now) throws Refusal {
        if (!now.isStartable()) {
            String fault = now.fault();
            throw new Refusal("the printer cannot start a print now, it is " + now.status()
                    + (fault == null ? "" : ": " + fault));
        }
        onStart();
        return now;
    }

    /** Removes a file from a printer that is at rest and does not show it. */
    public void remove(String fileName, CommandSender command) throws IOException, Refusal, InterruptedException {
        removeUnless(now -> now.fileName().equals(fileName), command);
    }

    /** The same, also of the file whose end it shows. */
    public void removeAlsoShown(String fileName, CommandSender command)
            throws IOException, Refusal, InterruptedException {
        removeUnless(now -> now.fileName().equals(fileName) && now.ending() == null, command);
    }

    private void removeUnless(Predicate<Reading> shown, CommandSender command)
            throws IOException, Refusal, InterruptedException {
        exclusively(() -> {
            Reading now = query.recentStatus(this);
            if (!now.isStartable()) {
                throw new Refusal("the printer is " + now.status());
            }
            if (shown.test(now)) {
                throw Refusal.ofJob("the printer shows it");
            }
            command.send(now);
            return true;
        });
    }

    /** Changes the print of the last status. Its end may be shown before the answer, and is a failure's where that is a no. */
    public void control(Control control, StatusCheck check, CommandSender command)
            throws IOException, Refusal, InterruptedException {
        exclusively(() -> {
            Reading now = requirePrint(check);
            boolean isFirstCancel = control == Control.CANCEL && !stopping;
            if (isFirstCancel) {
                onCancelled();
            }
            try {
                command.send(now);
            } catch (Refusal e) {
                if (isFirstCancel) {
                    stopping = false;
                }
                throw e;
            }
            return true;
        });
    }

    /** Refuses a change where the print of the last status is over, also where another was started at the printer meanwhile. */
    public Reading requirePrint(StatusCheck check) throws Refusal, InterruptedException {
        Reading before = last;
        Reading now = query.recentStatus(this);
        boolean another =
                before != null && before.status().isBusy() && !before.fileName().equals(now.fileName());
        if (!now.status().isBusy() || another) {
            throw new Refusal(NO_LONGER_PRINTED);
        }
        check.check(now);
        return now;
    }
}
