package farm.gantry.edge.printer;

import farm.gantry.CrashPoint;
import farm.gantry.edge.camera.CameraPicture;
import farm.gantry.edge.inbox.Inbox;
import farm.gantry.edge.journal.ActiveJob;
import farm.gantry.edge.journal.Job;
import farm.gantry.edge.journal.JobStep;
import farm.gantry.edge.journal.Journal;
import farm.gantry.edge.journal.Journal.NewEvent;
import farm.gantry.edge.journal.JournalEntry;
import farm.gantry.edge.log.SecretMask;
import farm.gantry.edge.printer.JobState.ForeignPrint;
import farm.gantry.edge.printer.JobState.NoJob;
import farm.gantry.edge.printer.JobState.Prepared;
import farm.gantry.edge.printer.JobState.Preparing;
import farm.gantry.edge.printer.Observations.Observation;
import farm.gantry.edge.printer.StartedState.CancellingStart;
import farm.gantry.edge.printer.StartedState.Running;
import farm.gantry.edge.printer.StartedState.Starting;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.edge.time.Awake;
import farm.gantry.edge.time.ServerClock;
import farm.gantry.printer.PrinterState;
import farm.gantry.wire.Command;
import farm.gantry.wire.LinkAnswer.PrinterConfig;
import farm.gantry.wire.LinkRequest.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread of one printer: takes events of the printer and the API, applies {@link Transitions}, journals, then acts.
 */
final class PrinterLoop implements Provider.Listener, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PrinterLoop.class);
    private static final Duration RETRY_DELAY = Duration.ofSeconds(1);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration IDLE_TICK_INTERVAL = Duration.ofMinutes(1);
    static final String BED_USED = "the bed was used after the farm chose this printer";
    static final String NOT_PRINTING_YET = "the printer is still preparing the print and cannot pause until it prints";
    static final String CANCELLED = "the job was cancelled before it began";
    static final String API_SILENT =
            "the API has not answered for so long that it may have cancelled the job meanwhile";
    static final String EXPIRED = "the job expired before the agent could start it";

    private final PrinterConfig config;
    private final Transitions transitions;
    private final LostJobs lostJobs;
    private final Journal journal;
    private final PrinterReporter reporter;
    private final InstantSource clock;
    private final PrinterTasks tasks;
    private final CameraSnapshots snapshots;
    private final UnwrittenStops unwrittenStops;
    private final LayerCount layers;
    private final JournaledState journaled;
    private final LastSeen lastSeen;
    private final ConfirmationWait confirmationWait;
    private final NewEvents newEvents;
    private final Inbox<Runnable> inbox = Inbox.open();
    private final Observations observations = new Observations(this::isEndOfJob);
    private final Thread thread;
    private volatile PrinterView view;
    private volatile @Nullable PrinterStatus latest;
    private volatile @Nullable Observation unwritten;
    /** A job of the agent's previous run that waits for the first answer of the API. */
    private volatile @Nullable Job resumable;

    private volatile boolean resumed;

    /** The job during which an emergency stop was sent. */
    private volatile @Nullable Job stopped;

    PrinterLoop(
            PrinterConfig config,
            Function<Provider.Listener, Connection> line,
            Transitions transitions,
            Journal journal,
            PrintableFiles files,
            PrinterReporter reporter,
            InstantSource clock) {
        this.config = config;
        this.transitions = transitions;
        this.journal = journal;
        this.reporter = reporter;
        this.clock = clock;
        this.journaled = new JournaledState(journal, config.deviceId());
        this.view = PrinterView.unreached(journaled.restored(transitions.countsStarts()));
        this.lastSeen = new LastSeen(config.deviceId(), journal, clock);
        this.confirmationWait = new ConfirmationWait(journal, config.deviceId(), clock, transitions.maxEarlierWait());
        this.newEvents = new NewEvents(config.deviceId());
        List<ActiveJob> former = journal.jobsOn(config.deviceId()); // before the thread adds new ones
        inbox.add(() -> recover(former));
        Connection connection = line.apply(this);
        this.lostJobs = new LostJobs(connection);
        this.snapshots = new CameraSnapshots(connection);
        this.tasks = new PrinterTasks(config.name(), connection, files, journal, this::uploaded, this::handle);
        this.unwrittenStops = new UnwrittenStops(journal, transitions, tasks);
        this.layers = new LayerCount(tasks::layers);
        this.thread = Thread.ofVirtual().name("printer-" + config.deviceId()).unstarted(this::run);
    }

    /** Starts the thread in the state that the journal has of the printer. */
    void start() {
        thread.start();
    }

    void handle(PrinterEvent event) {
        if (event instanceof PrinterEvent.CancelFailed(Job job)) {
            unwrittenStops.failed(job);
        }
        inbox.add(() -> process(event));
    }

    private void uploaded(Job job) {
        inbox.add(() -> {
            observeAll();
            process(new PrinterEvent.Uploaded(job, view.reading()));
        });
    }

    /** Handles waiting observations first: the printer may have been used while the journal could not be written. */
    private void observeAll() {
        while (unwritten != null || observations.isWaiting()) {
            observe();
        }
    }

    void requestPrint(Job job) {
        inbox.add(() -> process(new PrinterEvent.PrintRequested(job, objection(job))));
    }

    private @Nullable String objection(Job job) {
        return isBedUsedSince(job.print().heardSequence()) ? BED_USED : view.objection();
    }

    private boolean isBedUsedSince(@Nullable Long knownSequence) {
        return journal.isBedUsedSince(config.deviceId(), knownSequence);
    }

    /** Runs a command of a person or a macro in parallel with the job, and reports its outcome as an event. */
    void send(String commandId, Command.Send command) {
        String objection = objection(command);
        if (objection != null) {
            inbox.add(() -> report(List.of(newEvents.ofCommand(Kind.commandFailed, commandId, objection))));
            return;
        }
        Job running = view.jobState() instanceof Running print ? print.job() : null;
        if (command.command().equals(Connection.EMERGENCY_STOP)) {
            stopped = view.startedJob();
        }
        tasks.send(
                command,
                running,
                () -> inbox.add(() -> report(List.of(newEvents.ofCommand(Kind.commandDone, commandId, null)))),
                fault -> inbox.add(() -> report(List.of(newEvents.ofCommand(Kind.commandFailed, commandId, fault)))));
    }

    private @Nullable String objection(Command.Send command) {
        if (command.command().equals(Connection.EMERGENCY_STOP)) {
            return null; // an emergency stop does not wait for the disk, the journal may
        }
        if (isBedUsedSince(command.heardSequence())) {
            return BED_USED;
        }
        PrinterStatus reading = latest;
        return command.command().equals(Connection.PAUSE) && reading != null && !transitions.isPausable(reading)
                ? NOT_PRINTING_YET
                : view.objection(command);
    }

    @Override
    public void saw(PrinterStatus reading, boolean afterGap) {
        reporter.statusReceived();
        PrinterStatus before = latest;
        latest = reading;
        boolean isNews = afterGap || before == null || reading.isSignificantChangeFrom(before);
        if (observations.saw(reading, TimePoint.now(clock), afterGap)) {
            if (isNews) {
                inbox.add(this::observe);
            } else {
                inbox.addLater(this::observe);
            }
        }
    }

    private boolean isEndOfJob(PrinterStatus reading) {
        Job job = view.startedJob();
        return job != null && reading.ending() != null && reading.isShowing(job);
    }

    /** Handles the oldest observation, or the one again that could not be written. */
    private void observe() {
        Observation again = unwritten;
        Observation observation = again == null ? observations.take() : again;
        unwritten = null;
        try {
            handle(observation);
        } catch (UncheckedIOException e) {
            unwritten = observation;
            throw e;
        }
        giveBackExpired();
        startPrepared();
    }

    /** Starts the prepared job of a printer that is reachable again, by its latest status. */
    private void startPrepared() {
        PrinterStatus reading = view.reading();
        if (view.jobState() instanceof Prepared(Job job, var _) && reading != null && !observations.isWaiting()) {
            process(new PrinterEvent.Uploaded(job, reading));
        }
    }

    private void handle(@Nullable Observation observation) {
        switch (observation) {
            case null -> {}
            case Observation.StatusObserved(
                    PrinterStatus reading,
                    TimePoint at,
                    boolean afterGap,
                    boolean afterDropped) -> {
                if (afterDropped) {
                    lastSeen.missed();
                }
                onStatus(reading, at, afterGap);
            }
            case Observation.Lost(String reason) -> onLost(reason);
        }
    }

    private void onStatus(PrinterStatus received, TimePoint at, boolean afterGap) {
        PrinterStatus reading = layers.counted(received, view.startedJob());
        PrinterView before = view;
        List<NewEvent> statusChanges = newEvents.ofStatus(before.reading(), reading);
        boolean isAfterGap = afterGap || before.reading() == null;
        view = before.with(reading);
        try {
            PrinterEvent.StatusRead seen = new PrinterEvent.StatusRead(
                    reading, isAfterGap, Awake.CLOCK.now(), lastSeen.unseenBefore(reading, at));
            apply(transitions.next(view.jobState(), seen), statusChanges, false);
        } catch (UncheckedIOException e) {
            view = before;
            throw e;
        }
        if (before.isLost()) {
            LOG.info("{}: online again", config.name());
        }
        lastSeen.saw(view, at);
        stopLate(reading);
        if (isAfterGap && view.jobState() instanceof NoJob && reading.isStartable()) {
            tasks.removeReplayed(config.deviceId());
        }
    }

    /** Stops a print that began after it was given up. Its bed may not be clear. */
    private void stopLate(PrinterStatus reading) {
        Job late = lostJobs.begunLate(reading);
        if (late != null) {
            String words = late.fileName() + " began after the farm had given it up, so the print is stopped";
            LOG.warn("{}: {}", config.name(), words);
            tasks.run(new Transition.Action.Cancel(late));
            report(List.of(newEvents.of(Kind.printerChanged, words)));
        }
    }

    @Override
    public void lost(String why) {
        latest = null;
        if (observations.lost(SecretMask.hide(why))) {
            inbox.add(this::observe);
        }
    }

    private void onLost(String reason) {
        if (view.isReportedWhenLost()) {
            report(List.of(newEvents.of(Kind.printerOffline, reason)));
            LOG.warn("{}: connection lost, reconnecting: {}", config.name(), reason);
        }
        lastSeen.lost(view);
        view = view.lost(reason);
        reporter.state(config.deviceId(), state());
    }

    CameraPicture snapshot() throws IOException, Refusal, InterruptedException {
        return snapshots.take();
    }

    PrinterState state() {
        return view.state(clock.instant());
    }

    PrinterConfig config() {
        return config;
    }

    private void run() {
        reporter.state(config.deviceId(), state());
        while (!Thread.currentThread().isInterrupted()) {
            try {
                Runnable next = inbox.poll(pollTimeout());
                runUntilWritten(next == null ? this::tick : next);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException e) {
                LOG.error("{}: an event failed, continuing with the next one: {}", config.name(), e.getMessage(), e);
            }
        }
    }

    /** Retries while the journal cannot be written, for example because the disk is full. */
    private void runUntilWritten(Runnable next) throws InterruptedException {
        while (true) {
            try {
                next.run();
                return;
            } catch (UncheckedIOException e) {
                LOG.error("{}: cannot write the journal, retrying: {}", config.name(), e.getMessage());
                unwrittenStops.carryOut(view.startedJob(), latest);
                Thread.sleep(RETRY_DELAY);
            }
        }
    }

    private Duration pollTimeout() {
        return isToBeConfirmed() || view.jobState() instanceof Prepared ? RETRY_DELAY : IDLE_TICK_INTERVAL;
    }

    private boolean isToBeConfirmed() {
        return view.jobState() instanceof Unconfirmed
                || (view.jobState() instanceof Running print && !print.isShown() && view.isShowing(print.job()));
    }

    /** Applies timeouts to a printer that sends nothing new. */
    private void tick() {
        PrinterStatus reading = view.reading();
        if (isToBeConfirmed() && reading != null) {
            process(new PrinterEvent.StatusRead(reading, false, Awake.CLOCK.now(), null));
        }
        giveBackExpired();
    }

    /**
     * Gives back an expired job, also during its upload: a printer that never finishes an upload would keep the job
     * indefinitely.
     */
    private void giveBackExpired() {
        switch (view.jobState()) {
            case Prepared(Job job, var _)
            when isExpired(job) ->
                process(new PrinterEvent.PreparationFailed(
                        job, Refusal.Cause.PRINTER, "the printer did not come online before the job expired"));
            case Preparing(Job job, var _)
            when isExpired(job) -> process(new PrinterEvent.PreparationFailed(job, Refusal.Cause.PRINTER, EXPIRED));
            default -> {}
        }
    }

    private boolean isExpired(Job job) {
        return ServerClock.isKnown(clock) && job.expiresAt().isBefore(clock.instant());
    }

    /** Decides, once the clock is known, whether the printer was used while the agent was down. */
    void judgeGap() {
        inbox.add(() -> {
            PrinterStatus shown = view.reading();
            if (shown != null) {
                onStatus(shown, TimePoint.now(clock), false);
            }
        });
    }

    /** Continues, the first time, the job of the agent's previous run, unless it has expired or ended meanwhile. */
    void resume() {
        if (!resumed) {
            resumed = true;
            inbox.add(this::resumeHeld);
        }
    }

    private void resumeHeld() {
        Job job = resumable;
        if (job != null) {
            if (job.expiresAt().isBefore(clock.instant())) {
                process(new PrinterEvent.PreparationFailed(job, Refusal.Cause.PRINTER, EXPIRED));
            } else if (view.jobState() instanceof Preparing(Job preparing, var _) && preparing.equals(job)) {
                tasks.run(new Transition.Action.Download(job));
            }
            resumable = null;
        }
    }

    /**
     * Takes over jobs that were accepted and never started. They continue after an answer of the API, because a job
     * that has expired or was cancelled meanwhile must not begin. A job whose start was sent only waits for its
     * outcome.
     */
    private void recover(List<ActiveJob> former) {
        for (ActiveJob live : former) {
            Job job = live.job();
            if (live.step() == JobStep.start_sent) {
                tasks.run(new Transition.Action.AwaitStart(job));
            }
            if (JournaledState.isStartSent(live)) {
                continue;
            }
            if (live.cancelling()) {
                end(job, Kind.jobCancelled, null);
            } else if (view.jobState() instanceof NoJob before) {
                resumable = job;
                apply(Transition.to(new Preparing(job, before)));
            } else {
                process(new PrinterEvent.PrintRequested(job, objection(job)));
            }
        }
    }

    private void end(Job job, Kind kind, @Nullable String message) {
        apply(Transition.to(view.jobState()).reach(job, JobStep.ended).report(kind, job, message));
    }

    private void process(PrinterEvent event) {
        // Otherwise it was carried out already, or is obsolete.
        if (event instanceof PrinterEvent.PauseRequested(String jobId, int attempt)
                && !journaled.isPausing(jobId, attempt)) {
            return;
        }
        if (event instanceof PrinterEvent.CancelFailed(Job job) && lostJobs.isRunning(job, view.reading())) {
            tasks.run(new Transition.Action.Cancel(job));
        }
        Transition<?> transition = transitions.next(view.jobState(), event);
        PrinterStatus shown = view.reading();
        if (isJudgedByStatus(event) && shown != null) {
            PrinterEvent status = new PrinterEvent.StatusRead(shown, false, Awake.CLOCK.now(), null);
            transition = transition.followedBy(transitions.next(transition.next(), status));
        }
        apply(transition, List.of(), asksForPause(event));
    }

    private static boolean asksForPause(PrinterEvent event) {
        return event instanceof PrinterEvent.PauseRequested || event instanceof PrinterEvent.ResumeRequested;
    }

    /**
     * Returns whether the latest status is evaluated again after this event. After the end of a print that the printer
     * no longer shows, or never began, what it shows instead is reported at once, so that nobody clears its bed and
     * nothing starts on it.
     */
    private static boolean isJudgedByStatus(PrinterEvent event) {
        return event instanceof PrinterEvent.HistoryFound
                || event instanceof PrinterEvent.StartRefused
                || asksForPause(event);
    }

    private void apply(Transition<?> transition) {
        apply(transition, List.of(), false);
    }

    /**
     * Writes everything that one status shows as one journal entry, the use of the bed first, so that the API never
     * receives half of it.
     */
    private void apply(Transition<?> transition, List<NewEvent> statusChanges, boolean isAskedToPause) {
        List<JournalEntry> entries = new ArrayList<>();
        Duration now = Awake.CLOCK.now();
        JobState next = confirmationWait.continued(transition.next(), view.reading(), now);
        transition
                .steps()
                .forEach(step -> entries.add(new JournalEntry.JobStepReached(
                        step.job().jobId(), step.job().attempt(), step.step())));
        NoJob before = beforePrint(transition.next());
        String lastFile = before == null ? null : before.lastFile();
        if (before != null && lastFile != null && !before.equals(journaled.withoutJob())) {
            boolean busy = before instanceof ForeignPrint;
            entries.add(new JournalEntry.LastObservation(
                    config.deviceId(), lastFile, busy, before.printCounter(), lastSeen.time()));
        }
        if (isAskedToPause || JournaledState.hadPause(view.jobState())) {
            journaled.pausing(transition.next()).ifPresent(entries::add);
        }
        confirmationWait.change(next, view.reading(), now).ifPresent(entries::add);
        List<NewEvent> events = new ArrayList<>(statusChanges);
        for (Transition.Report report : transition.reports()) {
            events.add(
                    report.kind() == Kind.printerChanged ? 0 : events.size(),
                    newEvents.of(report, view.reading(), stopped));
        }
        journal.write(entries, events);
        transition.steps().forEach(step -> CrashPoint.reached(step.step().name()));
        if (view.jobState() instanceof Unconfirmed unconfirmed
                && transition.next() instanceof NoJob
                && !view.isShowing(unconfirmed.job())) {
            lostJobs.gaveUp(unconfirmed);
        }
        boolean isFree = transition.next() instanceof NoJob && !(view.jobState() instanceof NoJob);
        view = view.in(next);
        if (isFree) {
            tasks.removeReplayed(config.deviceId());
        }
        reporter.state(config.deviceId(), state());
        if (!events.isEmpty()) {
            reporter.events();
        }
        transition.actions().forEach(this::run);
    }

    /** Returns the printer's state without a print of the farm, or right before its start; null during a print. */
    private static @Nullable NoJob beforePrint(JobState state) {
        return switch (state) {
            case NoJob noJob -> noJob;
            case Starting starting -> starting.before();
            case CancellingStart starting -> starting.before();
            case Preparing _, Prepared _, Running _, Unconfirmed _ -> null;
        };
    }

    private void run(Transition.Action action) {
        if (action instanceof Transition.Action.Start(Starting starting)) {
            lostJobs.starts(starting.job());
        }
        tasks.run(action);
    }

    private void report(List<NewEvent> events) {
        journal.write(List.of(), events);
        reporter.events();
    }

    @Override
    public void close() {
        thread.interrupt();
        inbox.close();
        try {
            if (thread.getState() != Thread.State.NEW && !thread.join(CLOSE_TIMEOUT)) {
                LOG.warn("{}: its thread has not ended within {} s", config.name(), CLOSE_TIMEOUT.toSeconds());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        tasks.close(); // It has no more to run.
    }
}
