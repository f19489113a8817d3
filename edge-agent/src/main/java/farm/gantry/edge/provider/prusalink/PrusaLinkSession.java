package farm.gantry.edge.provider.prusalink;

import farm.gantry.edge.camera.CameraPicture;
import farm.gantry.edge.http.PrinterHttp;
import farm.gantry.edge.http.PrinterRequest;
import farm.gantry.edge.http.PrinterResponse;
import farm.gantry.edge.printer.Connection;
import farm.gantry.edge.printer.PrinterStatus;
import farm.gantry.edge.printer.Provider.Listener;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.edge.session.PollLoop;
import farm.gantry.edge.session.PrinterSession;
import farm.gantry.edge.time.Uptime;
import farm.gantry.json.Tree;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.wire.Command;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The connection to one PrusaLink. */
final class PrusaLinkSession implements Connection {
    private static final Set<String> STARTABLE = Set.of("IDLE", "READY", "FINISHED");
    /** The state of a printer that is still ending a cancelled print, in which it starts nothing. */
    private static final String STOPPED = "STOPPED";

    /** The states after a print, in which a Raspberry Pi starts nothing for 11 seconds. */
    private static final Set<String> SHOWING_END = Set.of(STOPPED, "FINISHED");

    private static final Set<String> PASSING = Set.of(STOPPED, "BUSY");
    private static final Duration UNTIL_READY = Duration.ofSeconds(20);
    /** A Raspberry Pi knows of a file some time after it has taken it. */
    private static final int LOOKS_FOR_FILE = 20;

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(500);
    /** A job may be there before its file is told. */
    private static final int LOOKS_FOR_NAME = 5;

    private static final String NAMELESS = "a print without a file";

    private static final String END_NOT_SEEN =
            "its end was not seen: the printer was out of sight until after it was due, and is at rest without an error";

    private final PrusaLinkClient client;
    private final Duration interval;
    private final PollLoop polling;
    private final ReentrantLock uploading = new ReentrantLock();
    private final Supplier<Duration> uptime;
    private volatile Duration lastSeen;
    private volatile @Nullable PrusaLinkLastPrint lastPrint;
    private volatile @Nullable Integer jobId;
    private volatile @Nullable String fileName;
    private volatile int looksForName;
    /** The state in which the machine was last asked which one it is. */
    private volatile @Nullable String provedState;

    /** {@code uptime} as {@link Uptime#withSleep} tells it. */
    PrusaLinkSession(PrusaLinkClient client, Duration interval, Supplier<Duration> uptime, Listener listener) {
        this.client = client;
        this.interval = interval;
        this.uptime = uptime;
        this.lastSeen = uptime.get();
        this.polling = new PollLoop(this::poll, interval, listener);
    }

    PrusaLinkSession start() {
        polling.start();
        return this;
    }

    private Duration poll() throws IOException, Refusal, InterruptedException {
        see(client.status());
        return interval;
    }

    /**
     * A job that ends between two questions is told at the next look, and so is one whose file is not told yet. Fails where the
     * address was given to another printer, whose news are not published.
     */
    private void see(Map<String, Object> status) throws IOException, Refusal, InterruptedException {
        Integer current = Tree.integer(status, "job", "id");
        boolean isAnotherJob = current != null && !current.equals(jobId);
        if (!polling.session().isOnline() || isAnotherJob || !state(status).equals(provedState)) {
            client.requireSameMachine();
            provedState = state(status);
        }
        if (isAnotherJob) {
            polling.session().onStart();
        }
        if (current == null) {
            fileName = null;
        } else if (!polling.session().isOnline()
                || fileName == null
                || fileName.equals(NAMELESS)
                || !current.equals(jobId)) {
            String name = name(client.job());
            looksForName = name == null ? looksForName + 1 : 0;
            if (name == null && looksForName <= LOOKS_FOR_NAME) {
                return;
            }
            fileName = name == null ? NAMELESS : name;
        }
        Integer latest = current == null ? Tree.integer(status, "printer", "job_id") : current;
        PrinterStatus read = PrusaLinkStatusParser.of(
                status,
                fileName,
                latest == null
                        ? PrusaLinkStatusParser.remembered(polling.session().last(), unseen())
                        : known(latest),
                polling.session().isStopping());
        if (latest != null || !polling.session().isOnline()) {
            jobId = latest; // Without a job it tells no number, and may have had others while it was out of sight.
        }
        PrinterStatus reading = read.counted(jobId == null ? null : String.valueOf(jobId));
        lastSeen = uptime.get();
        lastPrint = PrusaLinkLastPrint.after(lastPrint, reading, lastSeen);
        polling.onStatus(reading);
    }

    private Duration unseen() {
        return uptime.get().minus(lastSeen);
    }

    /**
     * Infers the end of a print that nobody saw from the last status before and the first one after it, since PrusaLink keeps no history:
     * see decision 105.
     */
    @Override
    public Optional<Remembered> recall(String fileName) throws IOException, Refusal, InterruptedException {
        return polling.session().exclusively(() -> {
            PrusaLinkLastPrint last = lastPrint;
            boolean isCompleted = last != null
                    && last.hidesEndOf(fileName)
                    && polling.session().requireStatus().status() == Status.idle
                    && fileName.equals(client.lastFileName());
            return isCompleted
                    ? Optional.of(new Remembered(PrinterStatus.Ending.COMPLETED, END_NOT_SEEN))
                    : Optional.empty();
        });
    }

    /** The last reading, if it was of this job. */
    private @Nullable PrinterStatus known(Integer latest) {
        return latest.equals(jobId) ? polling.session().last() : null;
    }

    /** The firmware's {@code name} is one of eight letters and three. Null where there is no file, or no job any more. */
    private static @Nullable String name(Map<String, Object> job) {
        String shown = Tree.text(job, "file", "display_name");
        return shown == null ? Tree.text(job, "file", "name") : shown;
    }

    /**
     * The printer goes on to be looked at meanwhile: after minutes without a look nobody knows what it did. One file at a
     * time, lest there be more connections than the printer has.
     */
    @Override
    public void upload(Path file, String sha256, String fileName) throws IOException, Refusal, InterruptedException {
        uploading.lockInterruptibly();
        try {
            PrusaLinkStorage storage = polling.session().exclusively(() -> PrusaLinkStorage.of(client.statusAnew()));
            PrinterResponse answer = client.change(new PrinterRequest(
                    "PUT",
                    storage.path(fileName),
                    BodyPublishers.ofFile(file),
                    PrinterHttp.uploadTime(file),
                    Map.of("Content-Type", storage.contentType(), "Overwrite", "?1", "Print-After-Upload", "?0")));
            taken(answer);
            polling.poll();
        } finally {
            uploading.unlock();
        }
    }

    private static void taken(PrinterResponse answer) throws IOException, Refusal {
        switch (answer.status()) {
            case 200, 201, 204 -> {}
            case 409 -> throw new IOException("the printer takes no file now: " + answer.words());
            case 422 -> throw new Refusal("the printer does not take the file's name: " + answer.words());
            case 507 -> throw new Refusal("the printer has no room for the file: " + answer.words());
            default -> throw answer.fault("it did not take the file: ");
        }
    }

    @Override
    public void remove(String fileName) throws IOException, Refusal, InterruptedException {
        polling.session().remove(fileName, _ -> {
            String path = PrusaLinkStorage.of(client.statusAnew()).path(fileName);
            client.change(PrinterRequest.of("DELETE", path)).requireRemoved();
        });
    }

    /** A request of its own, not part of the upload: that would start a print before the journal has recorded it. */
    @Override
    public void start(String fileName, Command.@Nullable Print wanted, StatusCheck check)
            throws IOException, Refusal, InterruptedException {
        polling.session().exclusively(() -> {
            long end = System.nanoTime() + UNTIL_READY.toNanos();
            Map<String, Object> status = ready(end);
            requireStartable(status);
            seeBefore(status);
            check.check(polling.session().requireStatus());
            polling.session().onStart();
            PrinterRequest request =
                    PrinterRequest.of("POST", PrusaLinkStorage.of(status).path(fileName));
            PrinterResponse answer = client.change(request);
            for (int looks = 1; answer.status() == 404 && looks < LOOKS_FOR_FILE; looks++) {
                Thread.sleep(BETWEEN_LOOKS);
                check.check(polling.session().requireStatus());
                answer = client.change(request);
            }
            while (answer.status() == 409 && SHOWING_END.contains(state(status)) && System.nanoTime() - end < 0) {
                Thread.sleep(BETWEEN_LOOKS);
                status = reached();
                seeBefore(status);
                requireStartable(status);
                check.check(polling.session().requireStatus());
                answer = client.change(request);
            }
            if (answer.status() == 409 && SHOWING_END.contains(state(status))) {
                throw new Refusal("the printer starts nothing while it shows the print that is over");
            }
            if (!answer.isDone()) {
                throw answer.fault("the print was not started: ");
            }
            return true;
        });
    }

    private static void requireStartable(Map<String, Object> status) throws Refusal {
        String state = state(status);
        if (status.containsKey("job") || !(STARTABLE.contains(state) || state.equals(STOPPED))) {
            throw new Refusal("the printer cannot start a print now, it is " + state);
        }
    }

    /** Its status once it is no longer busy ending a print, or after the longest wait for that. */
    private Map<String, Object> ready(long end) throws IOException, Refusal, InterruptedException {
        Map<String, Object> status = reached();
        while (!status.containsKey("job") && PASSING.contains(state(status)) && System.nanoTime() - end < 0) {
            seeBefore(status);
            Thread.sleep(BETWEEN_LOOKS);
            status = reached();
        }
        return status;
    }

    private static String state(Map<String, Object> status) {
        return String.valueOf(Tree.text(status, "printer", "state"));
    }

    /** The status right before a command. Nothing was sent yet, so that a printer that does not answer is a refusal. */
    private Map<String, Object> reached() throws Refusal, InterruptedException {
        try {
            return client.statusAnew();
        } catch (IOException e) {
            throw new Refusal("the printer is offline: " + e.getMessage());
        }
    }

    private void seeBefore(Map<String, Object> status) throws Refusal, InterruptedException {
        try {
            see(status);
        } catch (IOException e) {
            throw new Refusal("the printer is offline: " + e.getMessage());
        }
    }

    @Override
    public void control(Control control, StatusCheck check) throws IOException, Refusal, InterruptedException {
        switch (control) {
            case PAUSE -> changeJob("PUT", "/pause", check);
            case RESUME -> changeJob("PUT", "/resume", check);
            case CANCEL ->
                polling.session().exclusively(() -> {
                    lastPrint = null;
                    changeJob("DELETE", "", check);
                    polling.session().onCancelled();
                    return true;
                });
        }
    }

    /** Of the job that was seen last: another one, begun at the screen meanwhile, is left alone. */
    private void changeJob(String method, String action, StatusCheck check)
            throws IOException, Refusal, InterruptedException {
        polling.session().exclusively(() -> {
            Integer seen = fileName == null ? null : jobId;
            seeBefore(reached());
            Integer current = fileName == null ? null : jobId;
            if (current == null || (seen != null && !seen.equals(current))) {
                throw new Refusal(PrinterSession.NO_LONGER_PRINTED);
            }
            check.check(polling.session().requireStatus());
            PrinterResponse answer = client.change(PrinterRequest.of(method, "/api/v1/job/" + current + action));
            if (!answer.isDone()) {
                throw answer.fault("the printer does not do this now: ");
            }
            return true;
        });
    }

    @Override
    public void order(Command.Send send) throws IOException, Refusal, InterruptedException {
        if (!send.command().equals("resync-data")) {
            throw new Refusal("PrusaLink has no command " + send.command());
        }
        polling.poll();
    }

    @Override
    public CameraPicture snapshot() throws IOException, Refusal, InterruptedException {
        return polling.session().exclusively(client::picture);
    }

    @Override
    public void close() {
        polling.close();
    }
}
