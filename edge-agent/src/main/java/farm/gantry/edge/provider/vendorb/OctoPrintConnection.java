package farm.gantry.edge.provider.vendorb;

import farm.gantry.edge.camera.HttpCamera;
import farm.gantry.edge.camera.Picture;
import farm.gantry.edge.http.Answer;
import farm.gantry.edge.http.Multipart;
import farm.gantry.edge.http.PrinterHttp;
import farm.gantry.edge.http.Request;
import farm.gantry.edge.printer.Bindings;
import farm.gantry.edge.printer.Connection;
import farm.gantry.edge.printer.Provider.Listener;
import farm.gantry.edge.printer.Reading;
import farm.gantry.edge.printer.Reading.Ending;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The connection to one OctoPrint. */
final class OctoPrintConnection implements Connection {
    private static final Logger LOG = LoggerFactory.getLogger(OctoPrintConnection.class);
    private static final String NOT_DONE = "the printer does not do this now: ";
    private static final int LOOKS_AFTER_END = 3;
    private static final int LOOKS_AFTER_START = 10;

    private final OctoPrint link;
    private final Orders orders;
    private final SerialLine serial;
    private final PollLoop polling;
    private volatile @Nullable String lastPrint;
    /** At how many looks OctoPrint is asked for its last print: it writes that down some time after the end. */
    private volatile int looksForPrint;

    OctoPrintConnection(OctoPrint link, Bindings bindings, Listener listener) {
        this.link = link;
        this.orders = new Orders(bindings);
        this.serial = new SerialLine(link);
        this.polling = new PollLoop(this::poll, link.address().busy(), listener);
    }

    OctoPrintConnection start() {
        polling.start();
        return this;
    }

    private Duration poll() throws IOException, Refusal, InterruptedException {
        try {
            return pollOnce().status().isBusy()
                    ? link.address().busy()
                    : link.address().idle();
        } catch (ConnectException e) {
            serial.lost();
            throw e;
        }
    }

    /** Asks for the printer before the job, which tells how a print has ended. */
    private Reading pollOnce() throws IOException, Refusal, InterruptedException {
        Map<String, Object> printer = link.printer();
        Map<String, Object> job = link.job();
        serial.seen(printer, job);
        Reading before = polling.session().last();
        Reading read = Readings.of(printer, job, before);
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
        Reading reading = read.counted(lastPrint);
        polling.onStatus(reading);
        return reading;
    }

    /** Null where it is not to be had: there are OctoPrints with more files than they can list in time. */
    private @Nullable String lastPrint() throws Refusal, InterruptedException {
        try {
            return link.lastPrint();
        } catch (IOException e) {
            LOG.debug("{}: its files are not told: {}", link.address(), e.getMessage());
            return null;
        }
    }

    @Override
    public void upload(Path file, String sha256, String fileName) throws IOException, Refusal, InterruptedException {
        Multipart form = Multipart.of(Map.of("select", "false", "print", "false"), file, fileName);
        Answer answer = polling.session()
                .exclusively(() -> link.send(new Request(
                        "POST",
                        OctoPrint.FILES,
                        form.body(),
                        PrinterHttp.uploadTime(file),
                        Map.of("Content-Type", Multipart.CONTENT_TYPE))));
        requireAccepted(answer);
    }

    private static void requireAccepted(Answer answer) throws IOException, Refusal {
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
    public void start(String fileName, Command.@Nullable Print wanted)
            throws IOException, Refusal, InterruptedException {
        polling.session().start(_ -> {
            Map<String, Object> select = Map.of("command", "select", "print", true);
            looksForPrint = LOOKS_AFTER_START;
            done(Request.post(OctoPrint.file(fileName), select), "the print was not started: ");
        });
    }

    private Answer done(Request request, String otherwise) throws IOException, Refusal, InterruptedException {
        Answer answer = link.send(request);
        if (!answer.isDone()) {
            throw answer.fault(otherwise);
        }
        return answer;
    }

    @Override
    public void control(Control control) throws IOException, Refusal, InterruptedException {
        Map<String, String> command = switch (control) {
            case PAUSE -> Map.of("command", "pause", "action", "pause");
            case RESUME -> Map.of("command", "pause", "action", "resume");
            case CANCEL -> Map.of("command", "cancel");
        };
        polling.session().control(control, _ -> done(Request.post("/api/job", command), NOT_DONE));
    }

    @Override
    public void order(Command.Send send) throws IOException, Refusal, InterruptedException {
        switch (send.command()) {
            case "resync-data" -> polling.poll();
            case FIRMWARE_RESTART -> polling.session().exclusively(link::reconnect);
            default -> {
                Request order = orders.of(send);
                polling.session().exclusively(() -> done(order, NOT_DONE));
            }
        }
    }

    @Override
    public Picture snapshot() throws IOException, Refusal, InterruptedException {
        String told = polling.session().exclusively(link::camera);
        if (told.isBlank()) {
            throw new Refusal("OctoPrint has no camera that shows pictures");
        }
        return HttpCamera.of(link.http(), link.address().http("/"), told).picture();
    }

    /** By what OctoPrint keeps of each file; a cancelled print is none the better there than a failed one. */
    @Override
    public Optional<Remembered> recall(String fileName) throws IOException, Refusal, InterruptedException {
        return polling.session().exclusively(() -> {
            Answer answer = link.send(Request.of("GET", OctoPrint.file(fileName)));
            Map<String, Object> print = Tree.object(answer.tree(), "prints", "last");
            return print.isEmpty()
                    ? Optional.empty()
                    : Optional.of(Remembered.of(Tree.truth(print, "success") ? Ending.completed : Ending.failed));
        });
    }

    @Override
    public void close() {
        polling.close();
    }
}
