package farm.gantry.edge.session;

import farm.gantry.edge.printer.connection.PrinterConnection.Control;
import farm.gantry.edge.printer.connection.PrinterConnection.StatusCheck;
import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.connection.Provider.Listener;
import farm.gantry.edge.refusal.Refusal;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The common part of all providers' connections: the last status, one command at a time, and the rules for starting or
 * changing a print. A {@link PushConnection} or a {@link PollLoop} feeds it.
 */
public final class PrinterSession {
    /** The message of the refusal to change a print that has ended. */
    public static final String NO_LONGER_PRINTED = "the printer no longer has this job";

    private final StatusQuery query;
    private final Listener listener;
    private final ReentrantLock turn = new ReentrantLock();
    private final Set<StatusWatch> watches = ConcurrentHashMap.newKeySet();
    private volatile boolean online;
    private volatile @Nullable PrinterStatus lastStatus;
    private volatile boolean stopping;

    public PrinterSession(StatusQuery query, Listener listener) {
        this.query = query;
        this.listener = listener;
    }

    /**
     * Requests the status right before a command. Nothing was sent yet, so a printer that does not answer is a refusal.
     */
    public interface StatusQuery {
        /**
         * Returns a status that the printer sent after the request: somebody may have used the printer since the last
         * one.
         */
        PrinterStatus currentStatus(PrinterSession session) throws Refusal, InterruptedException;

        /**
         * Returns the status on which everything but a start is decided; the last one if a request costs the printer
         * much.
         */
        default PrinterStatus recentStatus(PrinterSession session) throws Refusal, InterruptedException {
            return currentStatus(session);
        }
    }

    /** A task during which nothing else is sent to the printer. */
    public interface Task<T> {
        T run() throws IOException, Refusal, InterruptedException;
    }

    /** Sends a command to a printer with this status. */
    public interface CommandSender {
        void send(PrinterStatus now) throws IOException, Refusal, InterruptedException;
    }

    private record StatusWatch(Predicate<PrinterStatus> condition, CompletableFuture<PrinterStatus> seen) {
        void update(PrinterStatus status) {
            if (condition.test(status)) {
                seen.complete(status);
            }
        }
    }

    /** Publishes a status to the listener and the waiting commands. */
    public void onStatus(PrinterStatus status) {
        boolean afterGap = !online;
        PrinterStatus before = lastStatus;
        if (status.ending() != null || (before != null && !before.fileName().equals(status.fileName()))) {
            stopping = false;
        }
        online = true;
        lastStatus = status;
        listener.onStatus(status, afterGap);
        watches.forEach(watch -> watch.update(status));
        watches.removeIf(watch -> watch.seen().isDone());
    }

    /** Publishes that the printer is unreachable, with the reason. */
    public void onOffline(String reason) {
        goOffline(reason);
        listener.onDisconnect(reason);
    }

    /** Publishes that the printer's server reports that the printer is not ready, with the reason. */
    public void onNotReady(String reason) {
        goOffline(reason);
        listener.onNotReady(reason);
    }

    private void goOffline(String reason) {
        online = false;
        failWatches(reason);
    }

    /** Marks the next status as the first one after a gap, because the printer was restarted. */
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

    /** Returns the last status, also of a printer that is offline. */
    public @Nullable PrinterStatus lastStatus() {
        return lastStatus;
    }

    /** Returns the last status of a printer that is online. */
    public PrinterStatus requireStatus() throws Refusal {
        PrinterStatus status = lastStatus;
        if (!online || status == null) {
            throw new Refusal("the printer is offline");
        }
        return status;
    }

    /** Records that the agent has cancelled the print that the last status shows. */
    public void onCancelled() {
        stopping = true;
    }

    /** Records that a new print begins. */
    public void onStart() {
        stopping = false;
    }

    /** Returns whether the agent has cancelled the print that the last status shows. */
    public boolean isStopping() {
        return stopping;
    }

    /** Returns the next status that meets the condition; fails if the printer goes offline before. */
    CompletableFuture<PrinterStatus> watch(Predicate<PrinterStatus> condition) {
        StatusWatch watch = new StatusWatch(condition, new CompletableFuture<>());
        watches.add(watch);
        return watch.seen();
    }

    void stopWatching(CompletableFuture<PrinterStatus> seen) {
        seen.cancel(false);
        watches.removeIf(watch -> watch.seen().isDone());
    }

    public <T> T runExclusively(Task<T> task) throws IOException, Refusal, InterruptedException {
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

    /**
     * Sends a start. Refuses if the printer is busy or has a fault, because some printers abandon their running print
     * when they receive a start.
     */
    public void start(StatusCheck check, CommandSender command) throws IOException, Refusal, InterruptedException {
        runExclusively(() -> {
            PrinterStatus now = requireStartable(query.currentStatus(this));
            check.check(now);
            command.send(now);
            return true;
        });
    }

    /** Refuses a start if the printer is busy or has a fault. */
    public PrinterStatus requireStartable(PrinterStatus now) throws Refusal {
        if (!now.isStartable()) {
            String fault = now.faultText();
            throw new Refusal("the printer cannot start a print now, it is " + now.status()
                    + (fault == null ? "" : ": " + fault));
        }
        onStart();
        return now;
    }

    /** Removes a file from a printer that is at rest and does not show it. */
    public void removeFile(String fileName, CommandSender command) throws IOException, Refusal, InterruptedException {
        removeUnless(now -> now.fileName().equals(fileName), command);
    }

    /** Removes a file from a printer that is at rest, even if it shows the end of its print. */
    public void removeEvenIfShown(String fileName, CommandSender command)
            throws IOException, Refusal, InterruptedException {
        removeUnless(now -> now.fileName().equals(fileName) && now.ending() == null, command);
    }

    private void removeUnless(Predicate<PrinterStatus> shown, CommandSender command)
            throws IOException, Refusal, InterruptedException {
        runExclusively(() -> {
            PrinterStatus now = query.recentStatus(this);
            if (!now.isStartable()) {
                throw new Refusal("the printer is " + now.status());
            }
            if (shown.test(now)) {
                throw Refusal.becauseOfJob("the printer shows this file");
            }
            command.send(now);
            return true;
        });
    }

    /**
     * Sends a change to the print of the last status. The printer may show the print's end before it responds; if the
     * response is negative, that end counts as a failure.
     */
    public void control(Control control, StatusCheck check, CommandSender command)
            throws IOException, Refusal, InterruptedException {
        runExclusively(() -> {
            PrinterStatus now = requirePrint(check);
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

    /**
     * Refuses a change if the print of the last status has ended, even if another one was started at the printer
     * meanwhile.
     */
    public PrinterStatus requirePrint(StatusCheck check) throws Refusal, InterruptedException {
        PrinterStatus before = lastStatus;
        PrinterStatus now = query.recentStatus(this);
        boolean another =
                before != null && before.status().isBusy() && !before.fileName().equals(now.fileName());
        if (!now.status().isBusy() || another) {
            throw new Refusal(NO_LONGER_PRINTED);
        }
        check.check(now);
        return now;
    }
}
