package farm.gantry.edge.provider.vendorb;

import farm.gantry.edge.camera.HttpCamera;
import farm.gantry.edge.camera.Picture;
import farm.gantry.edge.http.Answer;
import farm.gantry.edge.http.Multipart;
import farm.gantry.edge.http.Polling;
import farm.gantry.edge.http.PrinterHttp;
import farm.gantry.edge.http.Request;
import farm.gantry.edge.printer.Bindings;
import farm.gantry.edge.printer.Connection;
import farm.gantry.edge.printer.Provider.Listener;
import farm.gantry.edge.printer.Reading;
import farm.gantry.edge.printer.Reading.Ending;
import farm.gantry.edge.refusal.Refusal;
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

/** The talk with one OctoPrint. */
final class Conversation implements Connection {
    private static final Logger LOG = LoggerFactory.getLogger(Conversation.class);
    private static final int LOOKS_AFTER_END = 3;
    private static final int LOOKS_AFTER_START = 10;

    private final OctoPrint link;
    private final Orders orders;
    private final SerialLine serial;
    private final Polling polling;
    private volatile @Nullable Reading last;
    private volatile @Nullable String lastPrint;
    /** At how many looks OctoPrint is asked for its last print: it writes that down some time after the end. */
    private volatile int looksForPrint;

    private Conversation(OctoPrint link, Bindings bindings, Listener listener) {
        this.link = link;
        this.orders = new Orders(bindings);
        this.serial = new SerialLine(link);
        this.polling = new Polling(this::look, link.address().busy(), listener);
    }

    static Conversation begin(OctoPrint link, Bindings bindings, Listener listener) {
        Conversation conversation = new Conversation(link, bindings, listener);
        conversation.polling.begin();
        return conversation;
    }

    private Duration look() throws IOException, Refusal, InterruptedException {
        try {
            return see().status().isBusy()
                    ? link.address().busy()
                    : link.address().idle();
        } catch (ConnectException e) {
            serial.lost();
            throw e;
        }
    }

    /** The printer before the job: of a print that has just ended, the job tells how. */
    private Reading see() throws IOException, Refusal, InterruptedException {
        Map<String, Object> printer = link.printer();
        Map<String, Object> job = link.job();
        serial.seen(printer, job);
        Reading before = last;
        Reading read = Readings.of(printer, job, before);
        if (!polling.isInSight()) {
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
        last = reading;
        polling.saw(reading);
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
        polling.inTurn(() -> taken(link.send(new Request(
                "POST",
                OctoPrint.FILES,
                form.body(),
                PrinterHttp.uploadTime(file),
                Map.of("Content-Type", Multipart.CONTENT_TYPE)))));
    }

    private static void taken(Answer answer) throws IOException, Refusal {
        switch (answer.status()) {
            case 200, 201 -> {}
            case 409 -> throw new IOException("the printer takes no file now: " + answer.words());
            case 413 -> throw new Refusal("the file is larger than OctoPrint takes");
            case 507 -> throw new Refusal("OctoPrint has no room for the file: " + answer.words());
            default -> throw answer.fault("it did not take the file: ");
        }
    }

    /** Never with the upload: that would start a print of which the journal does not know yet. */
    @Override
    public void start(String fileName, Command.@Nullable Print wanted)
            throws IOException, Refusal, InterruptedException {
        polling.inTurn(() -> {
            Reading reading = reached();
            if (!reading.isStartable()) {
                throw new Refusal("the printer cannot start a print now, it is " + reading.status());
            }
            Map<String, Object> select = Map.of("command", "select", "print", true);
            looksForPrint = LOOKS_AFTER_START;
            done(Request.post(OctoPrint.file(fileName), select), "the print was not started: ");
        });
    }

    /** Until here nothing was done, so that a silent printer is a plain no; and the connection is alive after it. */
    private Reading reached() throws Refusal, InterruptedException {
        try {
            return see();
        } catch (IOException e) {
            throw new Refusal("the printer is offline: " + Polling.words(e));
        }
    }

    private void done(Request request, String otherwise) throws IOException, Refusal, InterruptedException {
        Answer answer = link.send(request);
        if (!answer.isDone()) {
            throw answer.fault(otherwise);
        }
    }

    @Override
    public void pause() throws IOException, Refusal, InterruptedException {
        job(Map.of("command", "pause", "action", "pause"));
    }

    @Override
    public void resume() throws IOException, Refusal, InterruptedException {
        job(Map.of("command", "pause", "action", "resume"));
    }

    @Override
    public void cancel() throws IOException, Refusal, InterruptedException {
        job(Map.of("command", "cancel"));
    }

    /** Of the file that was seen last: another one, begun at the screen meanwhile, is left alone. */
    private void job(Map<String, String> order) throws IOException, Refusal, InterruptedException {
        polling.inTurn(() -> {
            Reading seen = last;
            Reading now = reached();
            boolean another =
                    seen != null && seen.status().isBusy() && !seen.fileName().equals(now.fileName());
            if (!now.status().isBusy() || another) {
                throw new Refusal("the printer no longer has this job");
            }
            done(Request.post("/api/job", order), "the printer does not do this now: ");
        });
    }

    @Override
    public void order(Command.Send send) throws IOException, Refusal, InterruptedException {
        switch (send.command()) {
            case "resync-data" -> polling.look();
            case FIRMWARE_RESTART -> polling.inTurn(link::reconnect);
            default -> {
                Request order = orders.of(send);
                polling.inTurn(() -> done(order, "the printer does not do this now: "));
            }
        }
    }

    @Override
    public Picture snapshot() throws IOException, Refusal, InterruptedException {
        String told = polling.answered(link::camera);
        if (told.isBlank()) {
            throw new Refusal("OctoPrint has no camera that shows pictures");
        }
        return HttpCamera.of(link.http(), link.address().http("/"), told).picture();
    }

    /** By what OctoPrint keeps of each file; a cancelled print is none the better there than a failed one. */
    @Override
    public Optional<Remembered> recall(String fileName) throws IOException, Refusal, InterruptedException {
        return polling.answered(() -> {
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
