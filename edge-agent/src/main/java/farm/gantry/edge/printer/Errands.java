package farm.gantry.edge.printer;

import farm.gantry.edge.file.Cache;
import farm.gantry.edge.file.FileFault;
import farm.gantry.edge.file.Layers;
import farm.gantry.edge.journal.CrashPoint;
import farm.gantry.edge.journal.Job;
import farm.gantry.edge.journal.Journal;
import farm.gantry.edge.journal.Step;
import farm.gantry.edge.printer.Move.Deed;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.wire.Command;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does what takes long, each on a thread of its own, and signals how it went. */
final class Errands implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Errands.class);
    private static final String SKIP = "skip-objects";
    private static final String OBJECTS = "objectIds";
    private static final int UPLOADS = 4;
    private static final Duration BETWEEN_UPLOADS = Duration.ofSeconds(2);
    private static final Duration BETWEEN_CANCELS = Duration.ofSeconds(3);

    private final Connection connection;
    private final Files files;
    private final Journal journal;
    private final Consumer<Job> uploaded;
    private final Consumer<Signal> signals;
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

    Errands(Connection connection, Files files, Journal journal, Consumer<Job> uploaded, Consumer<Signal> signals) {
        this.connection = connection;
        this.files = files;
        this.journal = journal;
        this.uploaded = uploaded;
        this.signals = signals;
    }

    private interface Errand {
        void run() throws IOException, Refusal, InterruptedException;
    }

    void run(Deed deed) {
        switch (deed) {
            case Deed.Download(Job job) ->
                fetch(job, () -> {
                    files.download(job.print()).close();
                    signals.accept(new Signal.Downloaded(job));
                });
            case Deed.Upload(Job job) ->
                fetch(job, () -> {
                    upload(job);
                    uploaded.accept(job);
                });
            case Deed.Start(Job job) -> off(() -> start(job), _ -> signals.accept(new Signal.StartUnanswered(job)));
            case Deed.Pause(Job _) -> off(connection::pause, Errands::shrug);
            case Deed.Resume(Job _) -> off(connection::resume, Errands::shrug);
            case Deed.Cancel(Job job) -> off(() -> cancel(job), Errands::shrug);
            case Deed.Recall(Job job) -> off(() -> recall(job), Errands::shrug);
            case Deed.Skip(Job job) -> off(() -> connection.send(skip(job, job.skipObjects())), Errands::shrug);
        }
    }

    /** {@code running}: the farm's job that the printer is on, if it is. */
    void send(Command.Send command, @Nullable Job running, Runnable done, Consumer<String> failed) {
        off(
                () -> {
                    connection.send(
                            running != null && command.command().equals(SKIP)
                                    ? skip(running, Arguments.of(command).list(OBJECTS))
                                    : command);
                    done.run();
                },
                fault -> failed.accept(command.command() + ": " + fault));
    }

    private Command.Send skip(Job job, List<?> objects) throws IOException, Refusal, InterruptedException {
        List<String> named = objects.stream().map(String::valueOf).toList();
        return new Command.Send(SKIP, Map.of(OBJECTS, files.objects(job.print(), named)));
    }

    /** Where the layers of the job's file begin. */
    void layers(Job job, Consumer<Layers> found) {
        off(
                () -> {
                    try (Cache.Lease lease = files.printable(job.print())) {
                        found.accept(Layers.of(lease.path()));
                    }
                },
                fault -> LOG.debug("{}: its layers are not known: {}", job.fileName(), fault));
    }

    private void fetch(Job job, Errand errand) {
        off(
                () -> {
                    try {
                        errand.run();
                    } catch (Refusal e) {
                        signals.accept(new Signal.Stuck(job, e.cause(), words(e)));
                    } catch (FileFault e) {
                        signals.accept(new Signal.Stuck(job, Refusal.Cause.job, words(e)));
                    }
                },
                fault -> signals.accept(new Signal.Stuck(job, Refusal.Cause.printer, fault)));
    }

    /** A print that could not leave out what it should is not begun. */
    private void upload(Job job) throws IOException, Refusal, InterruptedException {
        files.objects(job.print(), job.skipObjects());
        try (Cache.Lease lease = files.printable(job.print())) {
            for (int tried = 1; ; tried++) {
                try {
                    connection.upload(lease.path(), lease.sha256(), job.fileName());
                    return;
                } catch (IOException e) {
                    if (tried == UPLOADS) {
                        throw new IOException("the file could not be brought to the printer: " + words(e), e);
                    }
                    Thread.sleep(BETWEEN_UPLOADS.multipliedBy(tried));
                }
            }
        }
    }

    /** The one place that starts a print; whoever comes second watches what the first one did. */
    private void start(Job job) throws InterruptedException {
        switch (journal.mayStart(job)) {
            case given -> sendStart(job);
            case given_before -> signals.accept(new Signal.StartUnanswered(job));
            case bed_used -> signals.accept(new Signal.StartRefused(job, Refusal.Cause.printer, PrinterLoop.BED_USED));
        }
    }

    private void sendStart(Job job) throws InterruptedException {
        CrashPoint.reached(Step.start_sent.name());
        try {
            connection.start(job.fileName(), job.print());
            CrashPoint.reached("start_answered");
            signals.accept(new Signal.StartAnswered(job));
        } catch (Refusal e) {
            signals.accept(new Signal.StartRefused(job, e.cause(), words(e)));
        } catch (IOException e) {
            LOG.warn("{}: whether it started is not known: {}", job.fileName(), words(e));
            signals.accept(new Signal.StartUnanswered(job));
        }
    }

    /** A print that nobody wants any more does not go on because the printer was busy when it was told. */
    private void cancel(Job job) throws InterruptedException {
        try {
            connection.cancel();
        } catch (IOException | Refusal e) {
            shrug(words(e));
            Thread.sleep(BETWEEN_CANCELS);
            signals.accept(new Signal.CancelFailed(job));
        }
    }

    private void recall(Job job) throws IOException, Refusal, InterruptedException {
        connection.recall(job.fileName()).ifPresent(end -> signals.accept(new Signal.Recalled(job, end)));
    }

    private void off(Errand errand, Consumer<String> failed) {
        Thread thread = Thread.ofVirtual().unstarted(() -> {
            try {
                errand.run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (IOException | Refusal | RuntimeException e) {
                failed.accept(words(e));
            } finally {
                threads.remove(Thread.currentThread());
            }
        });
        threads.add(thread);
        thread.start();
    }

    /** What came of it shows at the printer. */
    private static void shrug(String fault) {
        LOG.warn("the printer did not do it: {}", fault);
    }

    private static String words(Exception e) {
        return e.getMessage() == null ? e.toString() : e.getMessage();
    }

    @Override
    public void close() {
        threads.forEach(Thread::interrupt);
        connection.close();
    }
}
