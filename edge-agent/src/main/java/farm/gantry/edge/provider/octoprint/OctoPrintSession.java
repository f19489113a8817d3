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
    private static final String NOT_DONE = "the printer does not do this now: ";
    private static final int LOOKS_AFTER_END = 3;
    private static final int LOOKS_AFTER_START = 10;

    private final OctoPrintClient client;
    private final Set<String> cameraHosts;
    private final OctoPrintCommands orders;
    private final OctoPrintSerialPort serial;
    private final PollLoop polling;
    private volatile @Nullable String lastPrint;
    /** At how many looks OctoPrint is asked for its last print: it writes that down some time after the end. */
    private volatile int looksForPrint;
    /** How often it was asked in vain how the print ended during which its line to the printer was closed. */
    private volatile int looksAtClosed;

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
     * Asks for the printer before the job, which tells how a print has ended. Fails where the address was given to another
     * OctoPrint, whose news are not published.
     */
    private PrinterStatus pollOnce() throws IOException, Refusal, InterruptedException {
        Map<String, Object> printer = client.printer();
        Map<String, Object> job = client.job();
        if (!polling.session().isOnline() || printer.isEmpty()) {
            client.requireSameMachine();
        }
        if (OctoPrintStatusParser.isBusyWithoutFile(printer, job)) {
            printer = client.printer(); // the line was closed between the answers, or it prints without a file
            job = client.job();
        }
        serial.seen(printer, job);
        if (printer.isEmpty() && OctoPrintStatusParser.isClosed(job)) {
            closed();
        }
        PrinterStatus before = polling.session().last();
        PrinterStatus read = judged(OctoPrintStatusParser.of(printer, job, before), before);
        if (!polling.session().isOnline()) {
            looksForPrint = 1;
        } else if (before != null && before.status().isBusy() && !read.status().isBusy()) {
            looksForPrint = LOOKS_AFTER_END;
        }
        int looks = looksForPrint;
        if (looks > 0) {
            looksForPrint = looks - 1;
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
     * OctoPrint itself sends the file to the printer, so that without a line to it the print is over. It writes down how it ended a
     * moment later, but not of a print that was paused, nor of one during which OctoPrint itself was killed.
     */
    private void closed() throws IOException, Refusal, InterruptedException {
        PrinterStatus before = polling.session().last();
        if (before == null || !before.status().isBusy()) {
            return;
        }
        Ending ending = ending(before.fileName());
        looksAtClosed = ending == null ? looksAtClosed + 1 : 0;
        if (ending != null || looksAtClosed > LOOKS_AFTER_END) {
            looksAtClosed = 0;
            polling.onStatus(OctoPrintStatusParser.closed(before, ending));
        }
    }

    /** A print that was cancelled for an error of the printer has failed; one that the agent has cancelled has not. */
    private PrinterStatus judged(PrinterStatus read, @Nullable PrinterStatus before) throws InterruptedException {
        boolean ended = read.ending() == Ending.CANCELLED && (before == null || before.ending() == null);
        String error = ended && !polling.session().isStopping() ? error() : null;
        return error == null || error.isEmpty() ? read : OctoPrintStatusParser.failed(read, error);
    }

    /** Null where it is not to be had. */
    private @Nullable String error() throws InterruptedException {
        try {
            return client.error();
        } catch (IOException | Refusal e) {
            LOG.debug("{}: its last error is not told: {}", client.address(), e.getMessage());
            return null;
        }
    }

    /** Null where it is not to be had: there are OctoPrints with more files than they can list in time. */
    private @Nullable String lastPrint() throws Refusal, InterruptedException {
        try {
            return client.lastPrint();
        } catch (IOException e) {
            LOG.debug("{}: its files are not told: {}", client.address(), e.getMessage());
            return null;
        }
    }

    /** The printer goes on to be looked at meanwhile, and once more after it: somebody may print at it. */
    @Override
    public void upload(Path file, String sha256, String fileName) throws IOException, Refusal, InterruptedException {
        MultipartForm form = MultipartForm.of(Map.of("select", "false", "print", "false"), file, fileName);
        PrinterResponse answer = client.change(PrinterRequest.upload(OctoPrintClient.FILES, form, file));
        requireAccepted(answer);
        polling.poll();
    }

    /** The file that was printed last stays: by it OctoPrint counts its prints. */
    @Override
    public void remove(String fileName) throws IOException, Refusal, InterruptedException {
        polling.session().remove(fileName, _ -> {
            String print = lastPrint;
            if (print != null && client.isLastPrint(print, fileName)) {
                throw Refusal.ofJob("it was printed last");
            }
            client.change(PrinterRequest.of("DELETE", OctoPrintClient.file(fileName)))
                    .requireRemoved();
        });
    }

    private static void requireAccepted(PrinterResponse answer) throws IOException, Refusal {
        switch (answer.status()) {
            case 200, 201 -> {}
            case 409 -> throw new IOException("the printer takes no file now: " + answer.words());
            case 413 -> throw new Refusal("the file is larger than OctoPrint takes");
            case 507 -> throw new Refusal("OctoPrint has no room for the file: " + answer.words());
            default -> throw answer.fault("it did not take the file: ");
        }
    }

    /** A command of its own: an upload that starts the print would start one that the journal does not know yet. */
    @Override
    public void start(String fileName, Command.@Nullable Print wanted, StatusCheck check)
            throws IOException, Refusal, InterruptedException {
        polling.session().start(check, _ -> {
            Map<String, Object> select = Map.of("command", "select", "print", true);
            looksForPrint = LOOKS_AFTER_START;
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
            case EMERGENCY_STOP -> accepted(client.send(orders.of(send)), NOT_DONE); // It waits for no other command.
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
            throw new Refusal("OctoPrint has no camera that shows pictures");
        }
        return HttpCamera.of(client.http(), client.address().http("/"), reported, cameraHosts)
                .picture();
    }

    /**
     * By what OctoPrint keeps of each file. A cancelled print is none the better there than a failed one; it was cancelled if its
     * file is still selected, and OctoPrint has not cancelled it for an error.
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

    /** How the last print of this file ended; null where OctoPrint knows of none. */
    private @Nullable Ending ending(String fileName) throws IOException, Refusal, InterruptedException {
        Map<String, Object> print = client.lastPrintOf(fileName);
        if (print.isEmpty()) {
            return null;
        }
        return Tree.truth(print, "success") ? Ending.COMPLETED : Ending.FAILED;
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
