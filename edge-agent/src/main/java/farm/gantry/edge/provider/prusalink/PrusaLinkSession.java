package farm.gantry.edge.provider.prusalink;

import farm.gantry.edge.camera.CameraImage;
import farm.gantry.edge.http.PrinterHttp;
import farm.gantry.edge.http.PrinterRequest;
import farm.gantry.edge.http.PrinterResponse;
import farm.gantry.edge.printer.connection.PrinterConnection;
import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.connection.Provider.Listener;
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
final class PrusaLinkSession implements PrinterConnection {
    private static final Set<String> STARTABLE = Set.of("IDLE", "READY", "FINISHED");
    /** The state of a printer that is still ending a cancelled print, in which it starts nothing. */
    private static final String STOPPED = "STOPPED";

    /** The states after a print, in which a Raspberry Pi starts no other print for 11 seconds. */
    private static final Set<String> SHOWING_END = Set.of(STOPPED, "FINISHED");

    private static final Set<String> TRANSIENT_STATES = Set.of(STOPPED, "BUSY");
    private static final Duration UNTIL_READY = Duration.ofSeconds(20);
    /**
     * The maximum number of polls to wait for an uploaded file, which a Raspberry Pi lists only some time after the
     * upload.
     */
    private static final int MAX_FILE_POLLS = 20;

    private static final Duration POLL_INTERVAL = Duration.ofMillis(500);
    /** The maximum number of polls to wait for the file name of a job, which may be reported before its file. */
    private static final int MAX_NAME_POLLS = 5;

    private static final String UNNAMED_PRINT = "a print without a file";

    private static final String END_NOT_SEEN =
            "its end was not observed: the printer was unreachable until after it was due, and is idle without an error";

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
    /** The state in which the machine's identity was last checked. */
    private volatile @Nullable String provedState;

    /** Creates a session; {@code uptime} is {@link Uptime#withSleep}. */
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
        onStatusRead(client.status());
        return interval;
    }

    /**
     * Handles a status. A job that ended between two requests, or whose file is not reported yet, is handled at the
     * next poll. Throws if the address belongs to another printer, whose status is not published.
     */
    private void onStatusRead(Map<String, Object> status) throws IOException, Refusal, InterruptedException {
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
                || fileName.equals(UNNAMED_PRINT)
                || !current.equals(jobId)) {
            String name = fileNameOf(client.job());
            looksForName = name == null ? looksForName + 1 : 0;
            if (name == null && looksForName <= MAX_NAME_POLLS) {
                return;
            }
            fileName = name == null ? UNNAMED_PRINT : name;
        }
        Integer latest = current == null ? Tree.integer(status, "printer", "job_id") : current;
        PrinterStatus read = PrusaLinkStatusParser.parse(
                status,
                fileName,
                latest == null
                        ? PrusaLinkStatusParser.stillValid(polling.session().lastStatus(), unobservedTime())
                        : lastStatusOf(latest),
                polling.session().isStopping());
        if (latest != null || !polling.session().isOnline()) {
            jobId = latest; // Without a job it reports no id, and may have had others while it was unreachable.
        }
        PrinterStatus reading = read.withPrintCounter(jobId == null ? null : String.valueOf(jobId));
        lastSeen = uptime.get();
        lastPrint = PrusaLinkLastPrint.after(lastPrint, reading, lastSeen);
        polling.onStatus(reading);
    }

    private Duration unobservedTime() {
        return uptime.get().minus(lastSeen);
    }

    /**
     * Infers the ending of a print that the agent did not observe from the last status before and the first status
     * after it, because PrusaLink has no history (decision 105).
     */
    @Override
    public Optional<RecordedEnding> findRecordedEnding(String fileName)
            throws IOException, Refusal, InterruptedException {
        return polling.session().runExclusively(() -> {
            PrusaLinkLastPrint last = lastPrint;
            boolean isCompleted = last != null
                    && last.hidesEndOf(fileName)
                    && polling.session().requireStatus().status() == Status.idle
                    && fileName.equals(client.lastFileName());
            return isCompleted
                    ? Optional.of(new RecordedEnding(PrinterStatus.Ending.COMPLETED, END_NOT_SEEN))
                    : Optional.empty();
        });
    }

    /** Returns the last status if it is about this job. */
    private @Nullable PrinterStatus lastStatusOf(Integer latest) {
        return latest.equals(jobId) ? polling.session().lastStatus() : null;
    }

    /**
     * Returns the file name of a job; null without a file, or if the job has ended. Uses the display name, because the
     * firmware's {@code name} is a short name in 8.3 format.
     */
    private static @Nullable String fileNameOf(Map<String, Object> job) {
        String shown = Tree.text(job, "file", "display_name");
        return shown == null ? Tree.text(job, "file", "name") : shown;
    }

    /**
     * Uploads a file. Polls the printer during the upload, so that it stays observed. Uploads one file at a time, so
     * that the printer's connection limit is not exceeded.
     */
    @Override
    public void upload(Path file, String sha256, String fileName) throws IOException, Refusal, InterruptedException {
        uploading.lockInterruptibly();
        try {
            PrusaLinkStorage storage =
                    polling.session().runExclusively(() -> PrusaLinkStorage.parse(client.freshStatus()));
            PrinterResponse answer = client.change(new PrinterRequest(
                    "PUT",
                    storage.path(fileName),
                    BodyPublishers.ofFile(file),
                    PrinterHttp.uploadTimeout(file),
                    Map.of("Content-Type", storage.contentType(), "Overwrite", "?1", "Print-After-Upload", "?0")));
            requireUploaded(answer);
            polling.poll();
        } finally {
            uploading.unlock();
        }
    }

    private static void requireUploaded(PrinterResponse answer) throws IOException, Refusal {
        switch (answer.status()) {
            case 200, 201, 204 -> {}
            case 409 -> throw new IOException("the printer accepts no file now: " + answer.errorText());
            case 422 -> throw new Refusal("the printer rejects the file's name: " + answer.errorText());
            case 507 -> throw new Refusal("the printer has no space for the file: " + answer.errorText());
            default -> throw answer.toRefusal("the printer did not accept the file: ");
        }
    }

    @Override
    public void removeFile(String fileName) throws IOException, Refusal, InterruptedException {
        polling.session().removeFile(fileName, _ -> {
            String path = PrusaLinkStorage.parse(client.freshStatus()).path(fileName);
            client.change(PrinterRequest.of("DELETE", path)).requireRemoved();
        });
    }

    /**
     * Starts a print by a separate request, because an upload that also starts the print would start it before the
     * start is journaled.
     */
    @Override
    public void start(String fileName, Command.@Nullable Print wanted, StatusCheck check)
            throws IOException, Refusal, InterruptedException {
        polling.session().runExclusively(() -> {
            long end = System.nanoTime() + UNTIL_READY.toNanos();
            Map<String, Object> status = awaitReady(end);
            requireStartable(status);
            publishBeforeCommand(status);
            check.check(polling.session().requireStatus());
            polling.session().onStart();
            PrinterRequest request =
                    PrinterRequest.of("POST", PrusaLinkStorage.parse(status).path(fileName));
            PrinterResponse answer = client.change(request);
            for (int looks = 1; answer.status() == 404 && looks < MAX_FILE_POLLS; looks++) {
                Thread.sleep(POLL_INTERVAL);
                check.check(polling.session().requireStatus());
                answer = client.change(request);
            }
            while (answer.status() == 409 && SHOWING_END.contains(state(status)) && System.nanoTime() - end < 0) {
                Thread.sleep(POLL_INTERVAL);
                status = requireStatus();
                publishBeforeCommand(status);
                requireStartable(status);
                check.check(polling.session().requireStatus());
                answer = client.change(request);
            }
            if (answer.status() == 409 && SHOWING_END.contains(state(status))) {
                throw new Refusal("the printer starts nothing while it shows the end of the last print");
            }
            if (!answer.isSuccess()) {
                throw answer.toRefusal("the print was not started: ");
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

    /** Returns the status once the printer is no longer busy ending a print, or after the maximum wait for that. */
    private Map<String, Object> awaitReady(long end) throws IOException, Refusal, InterruptedException {
        Map<String, Object> status = requireStatus();
        while (!status.containsKey("job") && TRANSIENT_STATES.contains(state(status)) && System.nanoTime() - end < 0) {
            publishBeforeCommand(status);
            Thread.sleep(POLL_INTERVAL);
            status = requireStatus();
        }
        return status;
    }

    private static String state(Map<String, Object> status) {
        return String.valueOf(Tree.text(status, "printer", "state"));
    }

    /**
     * Returns the status right before a command. Throws a refusal if the printer does not answer, because nothing was
     * sent yet.
     */
    private Map<String, Object> requireStatus() throws Refusal, InterruptedException {
        try {
            return client.freshStatus();
        } catch (IOException e) {
            throw new Refusal("the printer is offline: " + e.getMessage());
        }
    }

    private void publishBeforeCommand(Map<String, Object> status) throws Refusal, InterruptedException {
        try {
            onStatusRead(status);
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
                polling.session().runExclusively(() -> {
                    lastPrint = null;
                    changeJob("DELETE", "", check);
                    polling.session().onCancelled();
                    return true;
                });
        }
    }

    /** Changes the job of the last status. A job that was started at the screen meanwhile is not changed. */
    private void changeJob(String method, String action, StatusCheck check)
            throws IOException, Refusal, InterruptedException {
        polling.session().runExclusively(() -> {
            Integer seen = fileName == null ? null : jobId;
            publishBeforeCommand(requireStatus());
            Integer current = fileName == null ? null : jobId;
            if (current == null || (seen != null && !seen.equals(current))) {
                throw new Refusal(PrinterSession.NO_LONGER_PRINTED);
            }
            check.check(polling.session().requireStatus());
            PrinterResponse answer = client.change(PrinterRequest.of(method, "/api/v1/job/" + current + action));
            if (!answer.isSuccess()) {
                throw answer.toRefusal("the printer rejects the command: ");
            }
            return true;
        });
    }

    @Override
    public void sendProviderCommand(Command.Send send) throws IOException, Refusal, InterruptedException {
        if (!send.command().equals("resync-data")) {
            throw new Refusal("PrusaLink has no command " + send.command());
        }
        polling.poll();
    }

    @Override
    public CameraImage takeSnapshot() throws IOException, Refusal, InterruptedException {
        return polling.session().runExclusively(client::picture);
    }

    @Override
    public void close() {
        polling.close();
    }
}
