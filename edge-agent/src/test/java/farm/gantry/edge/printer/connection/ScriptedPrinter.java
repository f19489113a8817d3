package farm.gantry.edge.printer.connection;

import farm.gantry.edge.FakeApi;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.wire.Command;
import farm.gantry.wire.LinkResponse.PrinterConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A provider with one printer that accepts every file and start, refuses commands, and reports the statuses that the
 * test sets.
 */
public final class ScriptedPrinter implements Provider, PrinterConnection {
    public static final PrinterConfig CONFIG = FakeApi.firmwareK("k1", 1, null);

    private final CompletableFuture<Listener> listener = new CompletableFuture<>();
    private final AtomicInteger uploads = new AtomicInteger();
    private final CompletableFuture<Thread> uploader = new CompletableFuture<>();
    private volatile CompletableFuture<Void> uploading = CompletableFuture.completedFuture(null);
    private volatile CompletableFuture<Void> starting = CompletableFuture.completedFuture(null);
    private volatile boolean late;
    private volatile PrinterStatus shown = reading(Status.idle, null, "");
    private final List<String> started = new CopyOnWriteArrayList<>();
    private final AtomicInteger refusals = new AtomicInteger();
    private final List<Control> controlled = new CopyOnWriteArrayList<>();

    public static PrinterStatus reading(Status status, PrinterStatus.@Nullable Ending ending, String fileName) {
        PrinterStatus.File file =
                fileName.isEmpty() ? null : new PrinterStatus.File(fileName, 0, null, null, null, null, null);
        return new PrinterStatus(status, ending, null, file, Map.of(), List.of(), List.of());
    }

    public void shows(PrinterStatus reading) {
        shown = reading;
        listener.join().onStatus(reading, false);
    }

    public void showsAfterGap(PrinterStatus reading) {
        shown = reading;
        listener.join().onStatus(reading, true);
    }

    public void isLost() {
        listener.join().onDisconnect("it does not answer");
    }

    /** Blocks the next upload until {@link #endUpload}. */
    public void holdUpload() {
        uploading = new CompletableFuture<>();
    }

    /** Completes the upload and waits until the agent has handled that. */
    public void endUpload() throws InterruptedException {
        uploading.complete(null);
        uploader.join().join();
    }

    /** Blocks the next start until {@link #endStart}. */
    public void holdStart() {
        starting = new CompletableFuture<>();
    }

    public void endStart() {
        starting.complete(null);
    }

    /** Makes the printer report a print a long time after its start. */
    public void beginsLate() {
        late = true;
    }

    @Override
    public Duration maxTimeUntilShown(Duration usual) {
        return late ? Duration.ofDays(1) : usual;
    }

    /** Returns the files whose prints were started. */
    public List<String> started() {
        return started;
    }

    /** Refuses the next pause, resume or cancel. */
    public void refuseControl() {
        refusals.set(1);
    }

    /** Returns the accepted pauses, resumes and cancels. */
    public List<Control> controlled() {
        return controlled;
    }

    /** Returns the number of uploads. */
    public int uploads() {
        return uploads.get();
    }

    @Override
    public Printer.Provider name() {
        return CONFIG.provider();
    }

    @Override
    public Set<Ability> abilities() {
        return Set.of(Ability.PRINT);
    }

    @Override
    public int port(PrinterConfig config) {
        return 1;
    }

    @Override
    public PrinterConnection connect(PrinterConfig config, String host, Listener receiver) {
        listener.complete(receiver);
        return this;
    }

    @Override
    public void upload(Path file, String sha256, String fileName) {
        uploader.complete(Thread.currentThread());
        uploads.incrementAndGet();
        uploading.join();
    }

    @Override
    public void start(String fileName, Command.@Nullable Print wanted, StatusCheck check) throws Refusal {
        starting.join();
        check.check(shown);
        started.add(fileName);
    }

    @Override
    public String farmPrintCounter(String fileName) {
        return "7";
    }

    @Override
    public void control(Control control, StatusCheck check) throws Refusal {
        check.check(shown);
        if (refusals.getAndDecrement() > 0) {
            throw new Refusal("the printer is busy");
        }
        controlled.add(control);
    }

    @Override
    public void sendProviderCommand(Command.Send send) throws Refusal {
        throw Refusal.byPrinter("Unknown command: " + send.arguments());
    }

    @Override
    public void close() {}
}
