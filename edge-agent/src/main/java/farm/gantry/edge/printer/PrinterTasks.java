package farm.gantry.edge.printer;

import farm.gantry.CrashPoint;
import farm.gantry.edge.file.FileCache;
import farm.gantry.edge.file.FileTaskPool;
import farm.gantry.edge.file.FilesOnPrinters;
import farm.gantry.edge.file.LayerIndex;
import farm.gantry.edge.file.PrintFileException;
import farm.gantry.edge.journal.ActiveJob;
import farm.gantry.edge.journal.Job;
import farm.gantry.edge.journal.JobStep;
import farm.gantry.edge.journal.Journal;
import farm.gantry.edge.printer.connection.CommandArguments;
import farm.gantry.edge.printer.connection.PrinterConnection;
import farm.gantry.edge.printer.connection.PrinterConnection.Control;
import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.state.BedCheck;
import farm.gantry.edge.printer.state.JobState.NoJob;
import farm.gantry.edge.printer.state.PrinterEvent;
import farm.gantry.edge.printer.state.StartedState.Starting;
import farm.gantry.edge.printer.state.Transition.Action;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.edge.time.AwakeClock;
import farm.gantry.edge.time.Uptime;
import farm.gantry.wire.Command;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the actions that wait for a printer or a download, each on a virtual thread, and reports their outcome as
 * events.
 */
final class PrinterTasks implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PrinterTasks.class);
    private static final String SKIP_COMMAND = "skip-objects";
    private static final String OBJECTS_ARGUMENT = "objectIds";
    private static final int MAX_UPLOAD_ATTEMPTS = 4;
    private static final int MAX_REMOVAL_ATTEMPTS = 4;
    /** The number of failed removals after which a file stays on the printer until the agent restarts. */
    private static final int MAX_FAILED_REMOVALS = 10;

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration UPLOAD_RETRY_DELAY = Duration.ofSeconds(2);
    private static final Duration REMOVAL_RETRY_DELAY = Duration.ofSeconds(2);
    private static final Duration CANCEL_RETRY_DELAY = Duration.ofSeconds(3);
    private static final Duration QUERY_RETRY_DELAY = Duration.ofSeconds(2);

    private final String printer;
    private final PrinterConnection connection;
    private final PrintableFiles files;
    private final Journal journal;
    private final Consumer<Job> uploaded;
    private final Consumer<PrinterEvent> events;
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    /** The jobs whose cancel is being sent, so that no two cancels of one job run concurrently. */
    private final Set<Job> cancelling = ConcurrentHashMap.newKeySet();

    private final Map<String, Integer> failedRemovals = new ConcurrentHashMap<>();

    /** Creates the tasks of one printer; {@code printer} is its name in the log. */
    PrinterTasks(
            String printer,
            PrinterConnection connection,
            PrintableFiles files,
            Journal journal,
            Consumer<Job> uploaded,
            Consumer<PrinterEvent> events) {
        this.printer = printer;
        this.connection = connection;
        this.files = files;
        this.journal = journal;
        this.uploaded = uploaded;
        this.events = events;
    }

    private interface Task {
        void run() throws IOException, Refusal, InterruptedException;
    }

    void run(Action action) {
        switch (action) {
            case Action.Download(Job job) ->
                runPreparation(job, () -> {
                    files.download(job.print()).close();
                    events.accept(new PrinterEvent.Downloaded(job));
                });
            case Action.Upload(Job job) ->
                runPreparation(job, () -> {
                    upload(job);
                    uploaded.accept(job);
                });
            case Action.Start(Starting(Job job, NoJob before)) ->
                runAsync(() -> start(job, before), _ -> events.accept(new PrinterEvent.StartUnanswered(job)));
            case Action.AwaitStart(Job job) ->
                runAsync(() -> awaitStart(job), _ -> events.accept(new PrinterEvent.StartUnanswered(job)));
            case Action.Pause(Job job) -> runAsync(() -> controlPrint(Control.PAUSE, job), this::logFailure);
            case Action.Resume(Job job) -> runAsync(() -> controlPrint(Control.RESUME, job), this::logFailure);
            case Action.Cancel(Job job) -> runAsync(() -> cancel(job), this::logFailure);
            case Action.QueryHistory(Job job) -> runAsync(() -> queryHistory(job), this::logFailure);
            case Action.SkipObjects(Job job) ->
                runAsync(() -> connection.send(skipCommand(job, job.skipObjects())), this::logFailure);
        }
    }

    /** Sends a command. {@code running} is the farm's job on the printer, null without one. */
    void send(Command.Send command, @Nullable Job running, Runnable done, Consumer<String> failed) {
        runAsync(
                () -> {
                    connection.send(
                            running != null && command.command().equals(SKIP_COMMAND)
                                    ? skipCommand(
                                            running,
                                            CommandArguments.of(command).listOrEmpty(OBJECTS_ARGUMENT))
                                    : command);
                    done.run();
                },
                fault -> failed.accept(command.command() + ": " + fault));
    }

    private Command.Send skipCommand(Job job, List<?> objects) throws IOException, Refusal, InterruptedException {
        List<String> named = objects.stream().map(String::valueOf).toList();
        return new Command.Send(SKIP_COMMAND, Map.of(OBJECTS_ARGUMENT, files.objectsToSkip(job.print(), named)));
    }

    /** Reads at which positions the layers of the job's file begin. */
    void findLayers(Job job, Consumer<LayerIndex> found) {
        runAsync(
                () -> {
                    try (FileCache.Lease lease = files.fetchPrintable(job.print())) {
                        found.accept(LayerIndex.read(lease.path()));
                    }
                },
                fault -> LOG.debug("{}: cannot read its layers: {}", job.fileName(), fault));
    }

    private void runPreparation(Job job, Task task) {
        runAsync(
                () -> {
                    try {
                        task.run();
                    } catch (Refusal e) {
                        reportPreparationFailure(job, e.cause(), message(e));
                    } catch (PrintFileException e) {
                        reportPreparationFailure(job, Refusal.Cause.JOB, message(e));
                    }
                },
                fault -> reportPreparationFailure(job, Refusal.Cause.PRINTER, fault));
    }

    private void reportPreparationFailure(Job job, Refusal.Cause cause, String reason) {
        LOG.warn(
                "{}: cannot bring the file of job {}, attempt {}, to the printer: {}",
                printer,
                job.jobId(),
                job.attempt(),
                reason);
        events.accept(new PrinterEvent.PreparationFailed(job, cause, reason));
    }

    /** Uploads the file; fails before the upload if the file lacks an object to skip. */
    private void upload(Job job) throws IOException, Refusal, InterruptedException {
        files.objectsToSkip(job.print(), job.skipObjects());
        FilesOnPrinters onPrinters = files.onPrinters();
        if (onPrinters != null) {
            removeFiles(job.deviceId(), exclude(job.fileName(), onPrinters.filesOf(job.deviceId())), onPrinters);
            onPrinters.add(job.deviceId(), job.fileName());
        }
        try (FileCache.Lease lease = files.fetchPrintable(job.print())) {
            upload(job, lease);
        } finally {
            if (onPrinters != null) {
                onPrinters.add(job.deviceId(), job.fileName()); // The job after a cancelled one may have removed it.
            }
            FileTaskPool.releaseMemory(job.print().size());
        }
    }

    private void upload(Job job, FileCache.Lease lease) throws IOException, Refusal, InterruptedException {
        for (int tried = 1; ; tried++) {
            try {
                connection.upload(lease.path(), lease.sha256(), job.fileName());
                return;
            } catch (Refusal e) {
                if (tried > 1) {
                    removeIncomplete(job);
                }
                throw e;
            } catch (IOException e) {
                if (tried == MAX_UPLOAD_ATTEMPTS) {
                    removeIncomplete(job);
                    throw new IOException("cannot upload the file to the printer: " + message(e), e);
                }
                Thread.sleep(UPLOAD_RETRY_DELAY.multipliedBy(tried));
            }
        }
    }

    /**
     * Removes an incompletely uploaded file, so that nobody prints it at the printer's screen. If this fails, the file
     * is removed with the next job.
     */
    private void removeIncomplete(Job job) throws InterruptedException {
        if (files.onPrinters() == null) {
            return;
        }
        try {
            connection.removeFile(job.fileName());
        } catch (Refusal | IOException | RuntimeException e) {
            LOG.debug("{}: cannot remove the incomplete file {} yet: {}", printer, job.fileName(), message(e));
        }
    }

    private static List<String> exclude(String fileName, List<String> fileNames) {
        return fileNames.stream().filter(name -> !name.equals(fileName)).toList();
    }

    /**
     * Removes the uploaded files from a printer without a job that may print one of them again by itself. Files
     * uploaded after this call are not removed.
     */
    void removeReplayableFiles(String deviceId) {
        FilesOnPrinters onPrinters = files.onPrinters();
        if (onPrinters == null || !files.replays()) {
            return;
        }
        List<String> left = onPrinters.filesOf(deviceId);
        runAsync(
                () -> {
                    for (int tried = 0;
                            tried < MAX_REMOVAL_ATTEMPTS
                                    && left.stream().anyMatch(onPrinters.filesOf(deviceId)::contains);
                            tried++) {
                        Thread.sleep(REMOVAL_RETRY_DELAY.multipliedBy(tried));
                        removeFiles(deviceId, left, onPrinters);
                    }
                },
                this::logFailure);
    }

    /**
     * Removes old files. A file that cannot be removed, for example because the printer shows it, is retried with the
     * next job. If the printer allows no removal now, for example because it is offline, the other files are skipped.
     */
    private void removeFiles(String deviceId, List<String> fileNames, FilesOnPrinters onPrinters)
            throws InterruptedException {
        for (String older : fileNames) {
            int failures = failedRemovals.getOrDefault(older, 0);
            if (failures >= MAX_FAILED_REMOVALS) {
                continue;
            }
            try {
                connection.removeFile(older);
                onPrinters.remove(deviceId, older);
                failedRemovals.remove(older);
            } catch (Refusal e) {
                LOG.debug("cannot delete the old file {} from the printer: {}", older, message(e));
                if (e.cause() == Refusal.Cause.PRINTER) {
                    return;
                }
            } catch (IOException | RuntimeException e) {
                failedRemovals.merge(older, 1, Integer::sum);
                if (failures == 0) {
                    LOG.warn(
                            "{}: cannot remove {}, retrying up to {} times: {}",
                            printer,
                            older,
                            MAX_FAILED_REMOVALS - 1,
                            message(e));
                }
                return;
            }
        }
    }

    /**
     * Starts a print; the only method that does so. The journal allows one start per job: a second call waits for the
     * outcome of the first.
     */
    private void start(Job job, NoJob before) throws InterruptedException {
        Journal.StartDecision decision;
        try {
            decision = journal.mayStart(job);
        } catch (UncheckedIOException e) {
            // No retry: by the time the journal can be written, the decision to start is outdated.
            LOG.error("{} is not started: cannot write the journal: {}", job.fileName(), e.getMessage());
            reportRefusal(job, Refusal.Cause.PRINTER, "the agent cannot write its journal");
            return;
        }
        switch (decision) {
            case GRANTED -> sendStart(job, before);
            case GRANTED_BEFORE -> events.accept(new PrinterEvent.StartUnanswered(job));
            case CANCELLED -> reportRefusal(job, Refusal.Cause.PRINTER, RefusalReason.CANCELLED);
            case BED_USED -> reportRefusal(job, Refusal.Cause.PRINTER, RefusalReason.BED_USED);
            case EXPIRED -> reportRefusal(job, Refusal.Cause.PRINTER, RefusalReason.EXPIRED);
            case API_SILENT -> reportRefusal(job, Refusal.Cause.PRINTER, RefusalReason.API_SILENT);
        }
    }

    private void sendStart(Job job, NoJob before) throws InterruptedException {
        CrashPoint.reached(JobStep.start_sent.name());
        try {
            connection.start(job.fileName(), job.print(), now -> requireNotObsolete(job, before, now));
            CrashPoint.reached("start_answered");
            events.accept(new PrinterEvent.StartAccepted(job));
        } catch (Refusal e) {
            reportRefusal(job, e.cause(), message(e));
        } catch (IOException e) {
            LOG.warn("{}: unknown whether the print started, watching the printer: {}", job.fileName(), message(e));
            awaitStart(job);
        }
    }

    /**
     * Waits until the printer has carried out or dropped a start that it may have queued. Until then, its status does
     * not show whether the print will begin.
     */
    private void awaitStart(Job job) throws InterruptedException {
        Duration end = AwakeClock.CLOCK.now().plus(Command.Send.MAX_SCRIPT);
        while (mayStillBegin() && AwakeClock.CLOCK.now().compareTo(end) < 0) {
            Thread.sleep(QUERY_RETRY_DELAY);
        }
        events.accept(new PrinterEvent.StartUnanswered(job));
    }

    /** Returns whether a start may still be in the printer's queue, as far as the printer can tell. */
    private boolean mayStillBegin() throws InterruptedException {
        try {
            connection.awaitQueuedCommands();
            return false;
        } catch (IOException e) {
            return true;
        } catch (Refusal e) {
            return e.cause() == Refusal.Cause.PRINTER;
        }
    }

    /**
     * Refuses a start that is obsolete, because the job was cancelled or the printer's status has changed. Some
     * printers already show the file of a start that they have queued.
     */
    private void requireNotObsolete(Job job, NoJob before, PrinterStatus now) throws Refusal {
        if (isCancelling(job)) {
            throw new Refusal(RefusalReason.CANCELLED);
        }
        if (journal.isApiSilent()) {
            throw new Refusal(RefusalReason.API_SILENT);
        }
        String use = now.isShowing(job)
                ? null
                : BedCheck.compare(before, now, Duration.ZERO).bedUse();
        if (use != null) {
            throw new Refusal(use);
        }
    }

    /**
     * Reports that the job was refused. If its cancel is journaled, reports that too, because a job that is only
     * refused is retried.
     */
    private void reportRefusal(Job job, Refusal.Cause cause, String reason) {
        if (isCancelling(job)) {
            events.accept(new PrinterEvent.CancelRequested(job.jobId(), job.attempt()));
        }
        events.accept(new PrinterEvent.StartRefused(job, cause, reason));
    }

    private boolean isCancelling(Job job) {
        return journal.job(job.jobId(), job.attempt())
                .filter(ActiveJob::cancelling)
                .isPresent();
    }

    /**
     * Pauses, resumes or cancels the print of this job. Refuses if the printer shows another print, which may have
     * begun after the end of this one.
     */
    private void controlPrint(Control control, Job job) throws IOException, Refusal, InterruptedException {
        connection.control(control, now -> {
            if (!now.isShowing(job) || now.ending() != null) {
                throw new Refusal(
                        "the print of this job has ended, and the printer's present print is not the farm's job");
            }
        });
    }

    /** Cancels the print. Retried by {@code CancelFailed}, because a busy printer may refuse it. */
    private void cancel(Job job) throws InterruptedException {
        if (!cancelling.add(job)) {
            return;
        }
        String fault;
        try {
            controlPrint(Control.CANCEL, job);
            return;
        } catch (IOException | Refusal | RuntimeException e) {
            fault = message(e);
        } finally {
            cancelling.remove(job);
        }
        logFailure(fault);
        Thread.sleep(CANCEL_RETRY_DELAY);
        events.accept(new PrinterEvent.CancelFailed(job));
    }

    private void queryHistory(Job job) throws IOException, Refusal, InterruptedException {
        connection
                .findRecordedEnding(job.fileName())
                .ifPresent(end -> events.accept(new PrinterEvent.HistoryFound(job, end)));
    }

    private void runAsync(Task task, Consumer<String> failed) {
        Thread thread = Thread.ofVirtual().unstarted(() -> {
            try {
                task.run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (IOException | Refusal | RuntimeException e) {
                failed.accept(message(e));
            } finally {
                threads.remove(Thread.currentThread());
            }
        });
        threads.add(thread);
        thread.start();
    }

    /** Logs a failed task. No event is needed, because the printer's status shows the outcome. */
    private void logFailure(String fault) {
        LOG.warn("{}: a command failed: {}", printer, fault);
    }

    private static String message(Exception e) {
        return e.getMessage() == null ? e.toString() : e.getMessage();
    }

    /** Waits for running tasks until a timeout, because they may use files that the caller is about to delete. */
    @Override
    public void close() {
        threads.forEach(Thread::interrupt);
        connection.close();
        Duration end = Uptime.now().plus(CLOSE_TIMEOUT);
        try {
            for (Thread thread : threads) {
                Duration left = end.minus(Uptime.now());
                if (thread.getState() != Thread.State.NEW && !thread.join(left.isPositive() ? left : Duration.ZERO)) {
                    LOG.warn("{}: a task has not ended within {} s", printer, CLOSE_TIMEOUT.toSeconds());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
