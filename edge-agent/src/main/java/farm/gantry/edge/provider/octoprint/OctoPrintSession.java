package farm.gantry.edge.provider.octoprint;

import farm.gantry.edge.camera.CameraPicture;
import farm.gantry.edge.camera.HttpCamera;
import farm.gantry.edge.http.MultipartForm;
import farm.gantry.edge.http.PrinterRequest;
import farm.gantry.edge.http.PrinterResponse;
import farm.gantry.edge.printer.Bindings;
import farm.gantry.edge.printer.Connection;
import farm.gantry.edge.printer.PrinterStatus;
import farm.gantry.edge.printer.PrinterStatus.Ending;
import farm.gantry.edge.printer.Provider.Listener;
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
final class OctoPrintSession implements Connection {
    private static final Logger LOG = LoggerFactory.getLogger(OctoPrintSession.class);
    private static final String NOT_DONE = "the printer rejects the command: ";
    private static final int LOOKS_AFTER_END = 3;
    private static final int LOOKS_AFTER_START = 10;

    private final OctoPrintClient client;
    private final Set<String> cameraHosts;
    private final OctoPrintCommands orders;
    private final OctoPrintSerialPort serial;
    private final PollLoop polling;
    private volatile @Nullable String lastPrint;
    /**
     * The number of remaining polls that also request OctoPrint's last print, which OctoPrint stores some time after
     * its end.
     */
    private volatile int pollsForPrint;
    /** The number of failed queries for the end of a print during which the serial connection was closed. */
    private volatile int closedPolls;

    OctoPrintSession(OctoPrintClient client, Bindings bindings, Set<String> cameraHosts, Listener listener) {
        this.client = client;
        this.cameraHosts = cameraHosts;
        this.orders = new OctoPrintCommands(bindings);
        this.serial = new OctoPrintSerialPort(client);
        this.polling = new PollLoop(this::poll, client.address().busy(), listener);
    }

    OctoPrintSession start() {
        polling.start();
        return this;
    }

    private Duration poll() throws IOException, Refusal, InterruptedException {
        try {
            return pollOnce().status().isBusy()
                    ? client.address().busy()
                    : client.address().idle();
        } catch (ConnectException e) {
            serial.lost();
            throw e;
        }
    }

    /**
     * Requests the printer before the job, which shows how a print has ended. Throws if the address belongs to another
     * OctoPrint, whose events are not published.
     */
    private PrinterStatus pollOnce() throws IOException, Refusal, InterruptedException {
        Map<String, Object> printer = client.printer();
        Map<String, Object> job = client.job();
        if (!polling.session().isOnline() || printer.isEmpty()) {
            client.requireSameMachine();
        }
        if (OctoPrintStatusParser.isBusyWithoutFile(printer, job)) {
            printer = client.printer(); // the connection was closed between the two responses, or it prints without a
            // file
            job = client.job();
        }
        serial.seen(printer, job);
        if (printer.isEmpty() && OctoPrintStatusParser.isClosed(job)) {
            closed();
        }
        PrinterStatus before = polling.session().last();
        PrinterStatus read = judged(OctoPrintStatusParser.of(printer, job, before), before);
        if (!polling.session().isOnline()) {
            pollsForPrint = 1;
        } else if (before != null && before.status().isBusy() && !read.status().isBusy()) {
            pollsForPrint = LOOKS_AFTER_END;
        }
        int looks = pollsForPrint;
        if (looks > 0) {
            pollsForPrint = looks - 1;
            lastPrint = lastPrint();
        }
        PrinterStatus reading = read.counted(lastPrint);
        if (polling.session().isOnline() && (before == null || reading.isSignificantChangeFrom(before))) {
            client.requireSameMachine();
        }
        polling.onStatus(reading);
        return reading;
    }

    /**
     * Handles a closed serial connection. OctoPrint itself sends the file to the printer, so the print has ended. It
     * stores the end a moment later, but not for a print that was paused, nor for one during which OctoPrint itself was
     * killed.
     */
    private void closed() throws IOException, Refusal, InterruptedException {
        PrinterStatus before = polling.session().last();
        if (before == null || !before.status().isBusy()) {
            return;
        }
        Ending ending = ending(before.fileName());
        closedPolls = ending == null ? closedPolls + 1 : 0;
        if (ending != null || closedPolls > LOOKS_AFTER_END) {
            closedPolls = 0;
            polling.onStatus(OctoPrintStatusParser.closed(before, ending));
        }
    }

    /** A print that was cancelled because of a printer error has failed; one that the agent has cancelled has not. */
    private PrinterStatus judged(PrinterStatus read, @Nullable PrinterStatus before) throws InterruptedException {
        boolean ended = read.ending() == Ending.CANCELLED && (before == null || before.ending() == null);
        String error = ended && !polling.session().isStopping() ? error() : null;
        return error == null || error.isEmpty() ? read : OctoPrintStatusParser.failed(read, error);
    }

    /** Returns null if the error is unavailable. */
    private @Nullable String error() throws InterruptedException {
        try {
            return client.error();
        } catch (IOException | Refusal e) {
            LOG.debug("{}: cannot read the last error: {}", client.address(), e.getMessage());
            return null;
        }
    }

    /** Returns null if it is unavailable: some OctoPrints have more files than they can list in time. */
    private @Nullable String lastPrint() throws Refusal, InterruptedException {
        try {
            return client.lastPrint();
        } catch (IOException e) {
            LOG.debug("{}: cannot list the files: {}", client.address(), e.getMessage());
            return null;
        }
    }

    /** Polls the printer during the upload, and once more after it, because somebody may print at it. */
    @Override
    public void upload(Path file, String sha256, String fileName) throws IOException, Refusal, InterruptedException {
        MultipartForm form = MultipartForm.of(Map.of("select", "false", "print", "false"), file, fileName);
        PrinterResponse answer = client.change(PrinterRequest.upload(OctoPrintClient.FILES, form, file));
        requireAccepted(answer);
        polling.poll();
    }

    /** Keeps the file that was printed last, because its record is OctoPrint's only print counter. */
    @Override
    public void remove(String fileName) throws IOException, Refusal, InterruptedException {
        polling.session().remove(fileName, _ -> {
            String print = lastPrint;
            if (print != null && client.isLastPrint(print, fileName)) {
                throw Refusal.ofJob("it is the file of the last print");
            }
            client.change(PrinterRequest.of("DELETE", OctoPrintClient.file(fileName)))
                    .requireRemoved();
        });
    }

    private static void requireAccepted(PrinterResponse answer) throws IOException, Refusal {
        switch (answer.status()) {
            case 200, 201 -> {}
            case 409 -> throw new IOException("the printer accepts no file now: " + answer.words());
            case 413 -> throw new Refusal("the file is larger than OctoPrint's limit");
            case 507 -> throw new Refusal("OctoPrint has no space for the file: " + answer.words());
            default -> throw answer.fault("OctoPrint did not accept the file: ");
        }
    }

    /**
     * Starts a print by its own request: an upload that starts the print would start one that the journal does not have
     * yet.
     */
    @Override
    public void start(String fileName, Command.@Nullable Print wanted, StatusCheck check)
            throws IOException, Refusal, InterruptedException {
        polling.session().start(check, _ -> {
            Map<String, Object> select = Map.of("command", "select", "print", true);
            pollsForPrint = LOOKS_AFTER_START;
            done(PrinterRequest.post(OctoPrintClient.file(fileName), select), "the print was not started: ");
        });
    }

    private PrinterResponse done(PrinterRequest request, String otherwise)
            throws IOException, Refusal, InterruptedException {
        return accepted(client.change(request), otherwise);
    }

    private static PrinterResponse accepted(PrinterResponse answer, String otherwise) throws IOException, Refusal {
        if (!answer.isDone()) {
            throw answer.fault(otherwise);
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
        polling.session().control(control, check, _ -> done(PrinterRequest.post("/api/job", command), NOT_DONE));
    }

    @Override
    public void order(Command.Send send) throws IOException, Refusal, InterruptedException {
        switch (send.command()) {
            case "resync-data" -> polling.poll();
            case FIRMWARE_RESTART -> polling.session().exclusively(client::reconnect);
            case EMERGENCY_STOP ->
                accepted(client.send(orders.of(send)), NOT_DONE); // It does not wait for another command.
            default -> {
                PrinterRequest order = orders.of(send);
                polling.session().exclusively(() -> done(order, NOT_DONE));
            }
        }
    }

    @Override
    public CameraPicture snapshot() throws IOException, Refusal, InterruptedException {
        String reported = polling.session().exclusively(client::camera);
        if (reported.isBlank()) {
            throw new Refusal("OctoPrint has no camera with a snapshot URL");
        }
        return HttpCamera.of(client.http(), client.address().http("/"), reported, cameraHosts)
                .picture();
    }

    /**
     * Uses OctoPrint's record of each file, which does not distinguish a cancelled print from a failed one. It was
     * cancelled if its file is still selected, and OctoPrint has not cancelled it because of an error.
     */
    @Override
    public Optional<Remembered> recall(String fileName) throws IOException, Refusal, InterruptedException {
        return polling.session().exclusively(() -> {
            Ending ending = ending(fileName);
            return ending == Ending.FAILED
                    ? Optional.of(unsuccessful(fileName))
                    : Optional.ofNullable(ending).map(Remembered::of);
        });
    }

    /** Returns how the last print of this file ended; null if OctoPrint does not know. */
    private @Nullable Ending ending(String fileName) throws IOException, Refusal, InterruptedException {
        Map<String, Object> print = client.lastPrintOf(fileName);
        if (print.isEmpty()) {
            return null;
        }
        return Tree.flag(print, "success") ? Ending.COMPLETED : Ending.FAILED;
    }

    private Remembered unsuccessful(String fileName) throws IOException, Refusal, InterruptedException {
        String error = OctoPrintStatusParser.isCancelled(fileName, client.printer(), client.job()) ? error() : null;
        if (error == null) {
            return Remembered.of(Ending.FAILED);
        }
        return error.isEmpty() ? Remembered.of(Ending.CANCELLED) : new Remembered(Ending.FAILED, error);
    }

    @Override
    public void close() {
        polling.close();
    }
}
