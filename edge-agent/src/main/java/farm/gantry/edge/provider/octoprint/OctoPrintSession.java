package farm.gantry.edge.provider.octoprint;

import farm.gantry.edge.camera.CameraImage;
import farm.gantry.edge.camera.HttpCamera;
import farm.gantry.edge.http.MultipartForm;
import farm.gantry.edge.http.PrinterRequest;
import farm.gantry.edge.http.PrinterResponse;
import farm.gantry.edge.printer.connection.PrinterBindings;
import farm.gantry.edge.printer.connection.PrinterConnection;
import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.connection.PrinterStatus.Ending;
import farm.gantry.edge.printer.connection.Provider.Listener;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.edge.session.PollLoop;
import farm.gantry.json.Tree;
import farm.gantry.wire.Command;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The connection to one OctoPrint. */
final class OctoPrintSession implements PrinterConnection {
    private static final Logger LOG = LoggerFactory.getLogger(OctoPrintSession.class);
    private static final String NOT_DONE = "the printer rejects the command: ";
    private static final int HISTORY_POLLS_AFTER_END = 3;
    private static final int HISTORY_POLLS_AFTER_START = 10;

    private final OctoPrintClient client;
    private final Set<String> cameraHosts;
    private final OctoPrintCommands orders;
    private final OctoPrintSerialPort serial;
    private final PollLoop polling;
    private final OctoPrintEvents events;
    private volatile @Nullable String lastPrint;
    /**
     * The number of remaining polls that also request OctoPrint's last print. It is requested several times, because
     * OctoPrint stores it some time after its end.
     */
    private volatile int pollsForPrint;
    /** The number of failed queries for the end of a print during which the serial connection was closed. */
    private volatile int closedPolls;

    OctoPrintSession(OctoPrintClient client, PrinterBindings bindings, Set<String> cameraHosts, Listener listener) {
        this.client = client;
        this.cameraHosts = cameraHosts;
        this.orders = new OctoPrintCommands(bindings);
        this.serial = new OctoPrintSerialPort(client);
        this.polling = new PollLoop(this::poll, client.address().busyPollInterval(), listener);
        this.events = new OctoPrintEvents(client, polling::pollSoon);
    }

    OctoPrintSession start() {
        polling.start();
        events.start();
        return this;
    }

    private Duration poll() throws IOException, Refusal, InterruptedException {
        try {
            return pollOnce().status().isBusy()
                    ? client.address().busyPollInterval()
                    : client.address().idlePollInterval();
        } catch (ConnectException e) {
            serial.onUnreachable();
            throw e;
        }
    }

    /**
     * Polls the printer and then the job, so that the job's response shows how a print has ended. Throws if the address
     * belongs to another OctoPrint, whose status is not published.
     */
    private PrinterStatus pollOnce() throws IOException, Refusal, InterruptedException {
        Map<String, Object> printer = client.printer();
        Map<String, Object> job = client.job();
        if (!polling.session().isOnline() || printer.isEmpty()) {
            client.requireSameMachine();
        }
        if (OctoPrintStatusParser.mayBeClosedBetween(printer, job)) {
            printer = client.printer();
            job = client.job();
        }
        serial.onPoll(printer, job);
        if (printer.isEmpty() && OctoPrintStatusParser.isClosed(job)) {
            onSerialConnectionClosed();
        }
        PrinterStatus before = polling.session().lastStatus();
        PrinterStatus read = applyCancelCause(OctoPrintStatusParser.parse(printer, job, before), before);
        if (!polling.session().isOnline()) {
            pollsForPrint = 1;
        } else if (before != null && before.status().isBusy() && !read.status().isBusy()) {
            pollsForPrint = HISTORY_POLLS_AFTER_END;
        }
        int looks = pollsForPrint;
        if (looks > 0) {
            pollsForPrint = looks - 1;
            lastPrint = queryLastPrint();
        }
        PrinterStatus reading = read.withPrintCounter(lastPrint);
        if (polling.session().isOnline() && (before == null || reading.isSignificantChangeFrom(before))) {
            client.requireSameMachine();
        }
        polling.onStatus(reading);
        return reading;
    }

    /**
     * Handles a closed serial connection. The print has ended, because OctoPrint itself sends the file to the printer.
     * OctoPrint records the end a moment later, except for a paused print or if OctoPrint was killed.
     */
    private void onSerialConnectionClosed() throws IOException, Refusal, InterruptedException {
        PrinterStatus before = polling.session().lastStatus();
        if (before == null || !before.status().isBusy()) {
            return;
        }
        Ending ending = findEnding(before.fileName());
        closedPolls = ending == null ? closedPolls + 1 : 0;
        if (ending != null || closedPolls > HISTORY_POLLS_AFTER_END) {
            closedPolls = 0;
            polling.onStatus(OctoPrintStatusParser.closedStatus(before, ending));
        }
    }

    /**
     * Returns the status in which a print that was cancelled because of a printer error counts as failed, unless the
     * agent has cancelled it.
     */
    private PrinterStatus applyCancelCause(PrinterStatus read, @Nullable PrinterStatus before)
            throws InterruptedException {
        boolean ended = read.ending() == Ending.CANCELLED && (before == null || before.ending() == null);
        String error = ended && !polling.session().isStopping() ? queryError() : null;
        return error == null || error.isEmpty() ? read : OctoPrintStatusParser.toFailed(read, error);
    }

    /** Returns the error because of which the last print was cancelled; null if it is unavailable. */
    private @Nullable String queryError() throws InterruptedException {
        try {
            return client.lastPrintError();
        } catch (IOException | Refusal e) {
            LOG.debug("{}: cannot read the last error: {}", client.address(), e.getMessage());
            return null;
        }
    }

    /**
     * Returns the end time of OctoPrint's last print; null if it is unavailable, because some OctoPrints have more
     * files than they can list in time.
     */
    private @Nullable String queryLastPrint() throws Refusal, InterruptedException {
        try {
            return client.lastPrint();
        } catch (IOException e) {
            LOG.debug("{}: cannot list the files: {}", client.address(), e.getMessage());
            return null;
        }
    }

    /**
     * Uploads a file. Polls the printer during the upload and once after it, because somebody may start a print
     * meanwhile.
     */
    @Override
    public void upload(Path file, String sha256, String fileName) throws IOException, Refusal, InterruptedException {
        MultipartForm form = MultipartForm.of(Map.of("select", "false", "print", "false"), file, fileName);
        PrinterResponse answer = client.sendChange(PrinterRequest.upload(OctoPrintClient.FILES, form, file));
        requireAccepted(answer);
        polling.poll();
    }

    /**
     * Removes a file. Refuses to remove the file that was printed last, because its record is OctoPrint's only print
     * counter.
     */
    @Override
    public void removeFile(String fileName) throws IOException, Refusal, InterruptedException {
        polling.session().removeFile(fileName, _ -> {
            String print = lastPrint;
            if (print != null && client.isLastPrint(print, fileName)) {
                throw Refusal.becauseOfJob("it is the file of the last print");
            }
            client.sendChange(PrinterRequest.of("DELETE", OctoPrintClient.filePath(fileName)))
                    .requireRemoved();
        });
    }

    private static void requireAccepted(PrinterResponse answer) throws IOException, Refusal {
        switch (answer.status()) {
            case 200, 201 -> {}
            case 409 -> throw new IOException("the printer accepts no file now: " + answer.errorText());
            case 413 -> throw new Refusal("the file is larger than OctoPrint's limit");
            case 507 -> throw new Refusal("OctoPrint has no space for the file: " + answer.errorText());
            default -> throw answer.toRefusal("OctoPrint did not accept the file: ");
        }
    }

    /**
     * Starts a print by a separate request, because an upload that also starts the print would start it before the
     * start is journaled.
     */
    @Override
    public void start(String fileName, Command.@Nullable Print wanted, StatusCheck check)
            throws IOException, Refusal, InterruptedException {
        polling.session().start(check, _ -> {
            Map<String, Object> select = Map.of("command", "select", "print", true);
            pollsForPrint = HISTORY_POLLS_AFTER_START;
            sendAndRequireAccepted(
                    PrinterRequest.post(OctoPrintClient.filePath(fileName), select), "the print was not started: ");
        });
    }

    private PrinterResponse sendAndRequireAccepted(PrinterRequest request, String otherwise)
            throws IOException, Refusal, InterruptedException {
        return requireAccepted(client.sendChange(request), otherwise);
    }

    private static PrinterResponse requireAccepted(PrinterResponse answer, String otherwise)
            throws IOException, Refusal {
        if (!answer.isSuccess()) {
            throw answer.toRefusal(otherwise);
        }
        return answer;
    }

    @Override
    public void control(Control control, StatusCheck check) throws IOException, Refusal, InterruptedException {
        Map<String, String> command = switch (control) {
            case PAUSE -> Map.of("command", "pause", "action", "pause");
            case RESUME -> Map.of("command", "pause", "action", "resume");
            case CANCEL -> Map.of("command", "cancel");
        };
        polling.session()
                .control(
                        control,
                        check,
                        _ -> sendAndRequireAccepted(PrinterRequest.post("/api/job", command), NOT_DONE));
    }

    @Override
    public void sendProviderCommand(Command.Send send) throws IOException, Refusal, InterruptedException {
        switch (send.command()) {
            case "resync-data" -> polling.poll();
            case FIRMWARE_RESTART -> polling.session().runExclusively(client::reconnect);
            case EMERGENCY_STOP ->
                requireAccepted(client.send(orders.convert(send)), NOT_DONE); // It does not wait for another command.
            default -> {
                PrinterRequest order = orders.convert(send);
                polling.session().runExclusively(() -> sendAndRequireAccepted(order, NOT_DONE));
            }
        }
    }

    @Override
    public CameraImage takeSnapshot() throws IOException, Refusal, InterruptedException {
        String reported = polling.session().runExclusively(client::snapshotUrl);
        if (reported.isBlank()) {
            throw new Refusal("OctoPrint has no camera with a snapshot URL");
        }
        return HttpCamera.of(client.http(), client.address().http("/"), reported, cameraHosts)
                .readImage();
    }

    /**
     * Returns the ending from OctoPrint's record of the file, which does not distinguish cancelled from failed prints.
     * The print was cancelled if its file is still selected and OctoPrint did not cancel it because of an error.
     */
    @Override
    public Optional<RecordedEnding> findRecordedEnding(String fileName)
            throws IOException, Refusal, InterruptedException {
        return polling.session().runExclusively(() -> {
            Ending ending = findEnding(fileName);
            return ending == Ending.FAILED
                    ? Optional.of(unsuccessfulEnding(fileName))
                    : Optional.ofNullable(ending).map(RecordedEnding::of);
        });
    }

    /** Returns how the last print of this file ended; null if OctoPrint does not know. */
    private @Nullable Ending findEnding(String fileName) throws IOException, Refusal, InterruptedException {
        Map<String, Object> print = client.lastPrintOf(fileName);
        if (print.isEmpty()) {
            return null;
        }
        return Tree.flag(print, "success") ? Ending.COMPLETED : Ending.FAILED;
    }

    private RecordedEnding unsuccessfulEnding(String fileName) throws IOException, Refusal, InterruptedException {
        String error =
                OctoPrintStatusParser.isCancelled(fileName, client.printer(), client.job()) ? queryError() : null;
        if (error == null) {
            return RecordedEnding.of(Ending.FAILED);
        }
        return error.isEmpty() ? RecordedEnding.of(Ending.CANCELLED) : new RecordedEnding(Ending.FAILED, error);
    }

    @Override
    public void close() {
        events.close();
        polling.close();
    }
}
