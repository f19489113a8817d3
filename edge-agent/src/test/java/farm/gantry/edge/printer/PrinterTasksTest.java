package farm.gantry.edge.printer;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.edge.Eventually;
import farm.gantry.edge.FakeApi;
import farm.gantry.edge.PrintFile;
import farm.gantry.edge.file.FileCache;
import farm.gantry.edge.file.FileDownload;
import farm.gantry.edge.file.FilesOnPrinters;
import farm.gantry.edge.http.PrinterHttp;
import farm.gantry.edge.journal.Job;
import farm.gantry.edge.journal.Journal;
import farm.gantry.edge.journal.JournalEntry;
import farm.gantry.edge.printer.connection.PrinterConnection;
import farm.gantry.edge.printer.connection.PrinterConnection.Control;
import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.connection.ScriptedPrinter;
import farm.gantry.edge.printer.state.JobState.Idle;
import farm.gantry.edge.printer.state.JobState.NoJob;
import farm.gantry.edge.printer.state.PrinterEvent;
import farm.gantry.edge.printer.state.StartedState.Starting;
import farm.gantry.edge.printer.state.Transition.Action;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.wire.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrinterTasksTest {
    private static final String DEVICE = "k1";
    private static final String PRINTER = "The one in the cellar";
    private static final NoJob NO_JOB = new Idle("", "7");

    private final InstantSource clock = InstantSource.system();
    private final List<String> removed = new CopyOnWriteArrayList<>();
    private final List<String> started = new CopyOnWriteArrayList<>();
    private final List<Control> controlled = new CopyOnWriteArrayList<>();
    private final List<Job> uploaded = new CopyOnWriteArrayList<>();
    private final List<PrinterEvent> events = new CopyOnWriteArrayList<>();
    private volatile PrinterStatus shown =
            ScriptedPrinter.reading(Status.idle, null, "").withPrintCounter("7");

    @TempDir
    Path data;

    /** A connection that records removals, starts and controls. */
    private abstract class RecordingConnection implements PrinterConnection {
        @Override
        public void upload(Path file, String sha256, String fileName) throws IOException, Refusal {}

        @Override
        public void start(String fileName, Command.@Nullable Print wanted, StatusCheck check) throws Refusal {
            check.check(shown);
            started.add(fileName);
        }

        @Override
        public void control(Control control, StatusCheck check) throws Refusal {
            check.check(shown);
            controlled.add(control);
        }

        @Override
        public void sendProviderCommand(Command.Send send) {}

        @Override
        public void removeFile(String fileName) throws IOException, Refusal {
            removed.add(fileName);
        }

        @Override
        public void close() {}
    }

    @Test
    void startIsRefusedIfTheJournalIsUnwritable() throws Exception {
        try (FakeApi api = new FakeApi();
                Journal journal = journal();
                PrinterTasks tasks = tasks(journal, new RecordingConnection() {})) {
            Job job = job(api);
            journal.write(List.of(new JournalEntry.PrintAccepted(job)), List.of());
            Files.move(data.resolve("journal"), data.resolve("away"));
            tasks.run(new Action.Start(new Starting(job, NO_JOB)));
            Eventually.until("it is reported", () -> !events.isEmpty());
            assertThat(events)
                    .containsExactly(new PrinterEvent.StartRefused(
                            job, Refusal.Cause.PRINTER, "the agent cannot write its journal"));
            assertThat(started).isEmpty();
        }
    }

    @Test
    void jobCancelledWhileItsStartWaitsIsNotStarted() throws Exception {
        try (FakeApi api = new FakeApi();
                Journal journal = journal()) {
            Job job = job(api);
            PrinterConnection printer = new RecordingConnection() {
                @Override
                public void start(String fileName, Command.@Nullable Print wanted, StatusCheck check) throws Refusal {
                    journal.write(List.of(new JournalEntry.Cancelling(job.jobId(), job.attempt())), List.of());
                    super.start(fileName, wanted, check);
                }
            };
            try (PrinterTasks tasks = tasks(journal, printer)) {
                journal.write(List.of(new JournalEntry.PrintAccepted(job)), List.of());
                tasks.run(new Action.Start(new Starting(job, NO_JOB)));
                Eventually.until("it is reported", () -> events.size() == 2);
                assertThat(events)
                        .containsExactly(
                                new PrinterEvent.CancelRequested(job.jobId(), job.attempt()),
                                new PrinterEvent.StartRefused(
                                        job, Refusal.Cause.PRINTER, "the job was cancelled before it began"));
                assertThat(started).isEmpty();
            }
        }
    }

    @Test
    void startThatWaitedDuringMachineSleepIsNotSent() throws Exception {
        AtomicReference<Duration> uptime = new AtomicReference<>(Duration.ZERO);
        try (FakeApi api = new FakeApi();
                Journal journal = Journal.open(data.resolve("journal"), clock, uptime::get)) {
            Job job = job(api);
            PrinterConnection printer = new RecordingConnection() {
                @Override
                public void start(String fileName, Command.@Nullable Print wanted, StatusCheck check) throws Refusal {
                    uptime.set(Duration.ofHours(1));
                    super.start(fileName, wanted, check);
                }
            };
            try (PrinterTasks tasks = tasks(journal, printer)) {
                journal.write(List.of(new JournalEntry.PrintAccepted(job)), List.of());
                tasks.run(new Action.Start(new Starting(job, NO_JOB)));
                Eventually.until("it is reported", () -> !events.isEmpty());
                assertThat(events)
                        .containsExactly(
                                new PrinterEvent.StartRefused(job, Refusal.Cause.PRINTER, RefusalReason.API_SILENT));
                assertThat(started).isEmpty();
            }
        }
    }

    @Test
    void jobIsNotStartedAfterAnUnobservedPrint() throws Exception {
        try (FakeApi api = new FakeApi();
                Journal journal = journal();
                PrinterTasks tasks = tasks(journal, new RecordingConnection() {})) {
            Job job = job(api);
            journal.write(List.of(new JournalEntry.PrintAccepted(job)), List.of());
            shown = shown.withPrintCounter("8");
            tasks.run(new Action.Start(new Starting(job, NO_JOB)));
            Eventually.until("it is reported", () -> !events.isEmpty());
            assertThat(events)
                    .containsExactly(new PrinterEvent.StartRefused(
                            job, Refusal.Cause.PRINTER, "the printer has printed while it was unreachable"));
            assertThat(started).isEmpty();
        }
    }

    @Test
    void fileForgottenDuringItsUploadIsRecordedAgain() throws Exception {
        FilesOnPrinters onPrinters = FilesOnPrinters.load(data);
        PrinterConnection printer = new RecordingConnection() {
            @Override
            public void upload(Path file, String sha256, String fileName) {
                onPrinters.remove(DEVICE, fileName);
            }
        };
        upload(printer, onPrinters);
        assertThat(onPrinters.filesOf(DEVICE)).hasSize(1);
    }

    @Test
    void removalStopsAtTheFirstFileIfThePrinterIsOffline() throws Exception {
        FilesOnPrinters onPrinters = older();
        upload(
                new RecordingConnection() {
                    @Override
                    public void removeFile(String fileName) throws Refusal {
                        removed.add(fileName);
                        throw new Refusal("the printer is offline");
                    }
                },
                onPrinters);
        assertThat(removed).containsExactly("a.gcode");
        assertThat(onPrinters.filesOf(DEVICE)).hasSize(4);
    }

    @Test
    void fileInUseDoesNotPreventRemovalOfOtherFiles() throws Exception {
        FilesOnPrinters onPrinters = older();
        upload(
                new RecordingConnection() {
                    @Override
                    public void removeFile(String fileName) throws Refusal {
                        removed.add(fileName);
                        switch (fileName) {
                            case "a.gcode" -> throw Refusal.becauseOfJob("the printer shows it");
                            case "b.gcode" -> throw Refusal.byPrinter("it is in use");
                            default -> {}
                        }
                    }
                },
                onPrinters);
        assertThat(removed).containsExactly("a.gcode", "b.gcode", "c.gcode");
        assertThat(onPrinters.filesOf(DEVICE)).hasSize(3).contains("a.gcode", "b.gcode");
    }

    @Test
    void failingFileRemovalIsRetriedALimitedNumberOfTimes() throws Exception {
        FilesOnPrinters onPrinters = FilesOnPrinters.load(data);
        onPrinters.add(DEVICE, "a.gcode");
        PrinterConnection printer = new RecordingConnection() {
            @Override
            public void removeFile(String fileName) throws IOException {
                removed.add(fileName);
                throw new IOException("502 Command not implemented.");
            }
        };
        try (FakeApi api = new FakeApi();
                Journal journal = journal();
                PrinterTasks tasks = tasks(journal, printer, onPrinters)) {
            for (int job = 1; job <= 20; job++) {
                int uploads = job;
                tasks.run(new Action.Upload(job(api)));
                Eventually.until("it is uploaded", () -> uploaded.size() == uploads, () -> events);
            }
        }
        assertThat(removed).hasSize(10);
        assertThat(onPrinters.filesOf(DEVICE)).contains("a.gcode");
    }

    @Test
    void uploadFailureIsLoggedWithItsReason() throws Exception {
        PrinterConnection full = new RecordingConnection() {
            @Override
            public void upload(Path file, String sha256, String fileName) throws Refusal {
                throw new Refusal("No space left on device");
            }
        };
        try (FakeApi api = new FakeApi();
                Journal journal = journal();
                CapturedLog log = CapturedLog.of(PrinterTasks.class, PRINTER);
                PrinterTasks tasks = tasks(journal, full)) {
            tasks.run(new Action.Upload(job(api)));
            Eventually.until("it is reported", () -> !events.isEmpty());
            assertThat(log.lines())
                    .containsExactly("WARN " + PRINTER
                            + ": cannot bring the file of job j1, attempt 1, to the printer: No space left on device");
        }
    }

    @Test
    void incompleteFileIsRemovedIfTheUploadRetryIsRefused() throws Exception {
        AtomicInteger tries = new AtomicInteger();
        PrinterConnection full = new RecordingConnection() {
            @Override
            public void upload(Path file, String sha256, String fileName) throws IOException, Refusal {
                if (tries.incrementAndGet() == 1) {
                    throw new IOException("broken pipe");
                }
                throw new Refusal("No space left on device");
            }
        };
        try (FakeApi api = new FakeApi();
                Journal journal = journal();
                PrinterTasks tasks = tasks(journal, full)) {
            Job job = job(api);
            tasks.run(new Action.Upload(job));
            Eventually.until("it is reported", () -> !events.isEmpty());
            assertThat(removed).containsExactly(job.fileName());
        }
    }

    @Test
    void unexpectedCancelErrorIsReportedAsCancelFailed() throws Exception {
        PrinterConnection broken = new RecordingConnection() {
            @Override
            public void control(Control control, StatusCheck check) {
                throw new IllegalStateException("the handshake is missing");
            }
        };
        try (FakeApi api = new FakeApi();
                Journal journal = journal();
                PrinterTasks tasks = tasks(journal, broken)) {
            Job job = job(api);
            tasks.run(new Action.Cancel(job));
            Eventually.until("it is reported", () -> events.equals(List.of(new PrinterEvent.CancelFailed(job))));
        }
    }

    @Test
    void jobControlDoesNotAffectAnotherPrint() throws Exception {
        try (FakeApi api = new FakeApi();
                Journal journal = journal();
                CapturedLog log = CapturedLog.of(PrinterTasks.class, PRINTER);
                PrinterTasks tasks = tasks(journal, new RecordingConnection() {})) {
            Job job = job(api);
            List<Action> actions = List.of(new Action.Pause(job), new Action.Resume(job), new Action.Cancel(job));
            shown = ScriptedPrinter.reading(Status.printing, null, "somebodys.gcode");
            actions.forEach(tasks::run);
            Eventually.until("all are refused", () -> log.lines().size() == actions.size(), log::lines);
            shown = ScriptedPrinter.reading(Status.preparing, PrinterStatus.Ending.COMPLETED, job.fileName());
            actions.forEach(tasks::run);
            Eventually.until("all are refused", () -> log.lines().size() == 2 * actions.size(), log::lines);
            assertThat(controlled).isEmpty();
            shown = ScriptedPrinter.reading(Status.printing, null, job.fileName());
            actions.forEach(tasks::run);
            Eventually.until("all are done", () -> controlled.size() == actions.size(), () -> controlled);
        }
    }

    @Test
    void closingThePrinterWaitsForRunningTasks() throws Exception {
        CompletableFuture<Void> begun = new CompletableFuture<>();
        CompletableFuture<Void> closed = new CompletableFuture<>();
        AtomicBoolean ended = new AtomicBoolean();
        PrinterConnection slow = new RecordingConnection() {
            @Override
            public void upload(Path file, String sha256, String fileName) throws IOException {
                begun.complete(null);
                closed.join();
                for (int i = 0; i < 10; i++) {
                    Files.write(data.resolve("left"), new byte[1 << 20]);
                }
                ended.set(true);
            }

            @Override
            public void close() {
                closed.complete(null);
            }
        };
        try (FakeApi api = new FakeApi();
                Journal journal = journal()) {
            PrinterTasks tasks = tasks(journal, slow);
            tasks.run(new Action.Upload(job(api)));
            begun.join();
            tasks.close();
            assertThat(ended).isTrue();
        }
    }

    private FilesOnPrinters older() {
        FilesOnPrinters onPrinters = FilesOnPrinters.load(data);
        List.of("a.gcode", "b.gcode", "c.gcode").forEach(name -> onPrinters.add(DEVICE, name));
        return onPrinters;
    }

    private void upload(PrinterConnection printer, FilesOnPrinters onPrinters) throws Exception {
        try (FakeApi api = new FakeApi();
                Journal journal = journal();
                PrinterTasks tasks = tasks(journal, printer, onPrinters)) {
            tasks.run(new Action.Upload(job(api)));
            Eventually.until("it is uploaded", () -> !uploaded.isEmpty(), () -> events);
        }
    }

    private Job job(FakeApi api) {
        Command.Print print = api.print("j1", 1, PrintFile.cube());
        return Job.of(new Command("c1", DEVICE, clock.instant().plusSeconds(300), print), print);
    }

    private PrinterTasks tasks(Journal journal, PrinterConnection printer) throws Exception {
        return tasks(journal, printer, FilesOnPrinters.load(data));
    }

    private PrinterTasks tasks(Journal journal, PrinterConnection printer, FilesOnPrinters onPrinters)
            throws Exception {
        FileCache cache = new FileCache(data.resolve("cache"), 1 << 20, new FileDownload(PrinterHttp.client()), clock);
        return new PrinterTasks(
                PRINTER,
                printer,
                new PrintableFiles(cache, onPrinters, false, false, true),
                journal,
                uploaded::add,
                events::add);
    }

    private Journal journal() throws Exception {
        return Journal.open(data.resolve("journal"), clock);
    }
}
