package farm.gantry.edge.printer;

import farm.gantry.edge.camera.CameraImage;
import farm.gantry.edge.journal.ActiveJob;
import farm.gantry.edge.journal.Job;
import farm.gantry.edge.journal.JobStep;
import farm.gantry.edge.journal.Journal;
import farm.gantry.edge.journal.NewEvent;
import farm.gantry.edge.log.SecretMask;
import farm.gantry.edge.printer.ObservationQueue.Observation;
import farm.gantry.edge.printer.connection.PrinterConnection;
import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.connection.Provider;
import farm.gantry.edge.printer.state.JobEndTransitions;
import farm.gantry.edge.printer.state.JobState;
import farm.gantry.edge.printer.state.JobState.NoJob;
import farm.gantry.edge.printer.state.JobState.Prepared;
import farm.gantry.edge.printer.state.JobState.Preparing;
import farm.gantry.edge.printer.state.PrinterEvent;
import farm.gantry.edge.printer.state.StartedState.Running;
import farm.gantry.edge.printer.state.Transition;
import farm.gantry.edge.printer.state.Transitions;
import farm.gantry.edge.printer.state.UnconfirmedState;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.edge.time.AwakeClock;
import farm.gantry.printer.PrinterState;
import farm.gantry.wire.Command;
import farm.gantry.wire.LinkRequest.Kind;
import farm.gantry.wire.LinkResponse.PrinterConfig;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Serves one printer: receives statuses from the printer and commands from the API, and passes them to its {@link
 * PrinterStateMachine} one after another.
 */
final class PrinterLoop implements Provider.Listener, AutoCloseable {
    private static final Duration TICK_INTERVAL = Duration.ofSeconds(1);
    private static final Duration IDLE_TICK_INTERVAL = Duration.ofMinutes(1);

    private final PrinterConfig config;
    private final Journal journal;
    private final PrinterReporter reporter;
    private final InstantSource clock;
    private final PrinterTasks tasks;
    private final CameraSnapshotCache snapshots;
    private final UnjournaledStops unwrittenStops;
    private final CommandRunner commands;
    private final PrinterStateMachine machine;
    private final JobExpiry expiry;
    private final ObservationQueue observations = new ObservationQueue(this::isEndOfJob);
    private final PrinterThread thread;
    private final CurrentView view;
    private volatile @Nullable PrinterStatus latest;
    /** A job of the agent's previous run that waits for the first response of the API. */
    private volatile @Nullable Job resumable;

    private volatile boolean resumed;

    PrinterLoop(
            PrinterConfig config,
            Function<Provider.Listener, PrinterConnection> line,
            Transitions transitions,
            Journal journal,
            PrintableFiles files,
            PrinterReporter reporter,
            InstantSource clock) {
        this.config = config;
        this.journal = journal;
        this.reporter = reporter;
        this.clock = clock;
        JobState restored = new JournaledState(journal, config.deviceId()).restoreState(transitions.countsStarts());
        this.view = new CurrentView(PrinterView.notYetReached(restored));
        this.expiry = new JobExpiry(clock);
        this.thread = new PrinterThread(
                config.name(), config.deviceId(), this::tickInterval, this::tick, this::carryOutUnwrittenStops);
        List<ActiveJob> former = journal.jobsOn(config.deviceId()); // before the thread adds new ones
        thread.add(this::reportState);
        thread.add(() -> takeOverUnstarted(former)); // before the connection adds statuses
        PrinterConnection connection = line.apply(this);
        this.snapshots = new CameraSnapshotCache(connection);
        this.tasks = new PrinterTasks(config.name(), connection, files, journal, this::onUploaded, this::handle);
        this.commands =
                new CommandRunner(transitions, journal, tasks, new NewEvents(config.deviceId()), this::reportLater);
        this.machine = new PrinterStateMachine(
                config,
                view,
                transitions,
                journal,
                new LostJobs(connection),
                tasks,
                reporter,
                clock,
                commands::emergencyStoppedJob);
        this.unwrittenStops = new UnjournaledStops(journal, transitions, tasks);
    }

    /** Starts the thread with the printer's state from the journal. */
    void start() {
        thread.start();
    }

    void handle(PrinterEvent event) {
        if (event instanceof PrinterEvent.CancelFailed(Job job)) {
            unwrittenStops.failed(job);
        }
        thread.add(() -> machine.process(event));
    }

    private void onUploaded(Job job) {
        thread.add(() -> {
            handleAllObservations();
            machine.process(new PrinterEvent.Uploaded(job, view.get().status()));
        });
    }

    /**
     * Handles all waiting observations. Called before a command, because the printer may have been used while the
     * journal could not be written.
     */
    private void handleAllObservations() {
        while (observations.hasObservations()) {
            handleOldestObservation();
        }
    }

    void requestPrint(Job job) {
        thread.add(() -> machine.process(new PrinterEvent.PrintRequested(job, findObjection(job))));
    }

    private @Nullable String findObjection(Job job) {
        return journal.isBedUsedSince(config.deviceId(), job.print().heardSequence())
                ? RefusalReason.BED_USED
                : view.get().printObjection();
    }

    /** Runs a command of a person or a macro in parallel with the job, and reports its outcome as an event. */
    void send(String commandId, Command.Send command) {
        commands.send(commandId, command, view.get(), latest);
    }

    @Override
    public void onStatus(PrinterStatus reading, boolean afterGap) {
        reporter.statusReceived();
        PrinterStatus before = latest;
        latest = reading;
        boolean isNews = afterGap || before == null || reading.isSignificantChangeFrom(before);
        if (observations.addStatus(reading, TimePoint.now(clock), afterGap)) {
            if (isNews) {
                thread.add(this::handleOldestObservation);
            } else {
                thread.addLater(this::handleOldestObservation);
            }
        }
    }

    private boolean isEndOfJob(PrinterStatus reading) {
        Job job = view.get().startedJob();
        return job != null && reading.ending() != null && reading.isShowing(job);
    }

    /** Handles the oldest observation. */
    private void handleOldestObservation() {
        observations.handleOldest(this::handle);
        returnExpiredJob();
        startPrepared();
    }

    /** Starts the prepared job of a printer that is reachable again, if its latest status allows it. */
    private void startPrepared() {
        PrinterStatus reading = view.get().status();
        if (jobState() instanceof Prepared(Job job, var _) && reading != null && !observations.hasObservations()) {
            machine.process(new PrinterEvent.Uploaded(job, reading));
        }
    }

    private void handle(Observation observation) {
        switch (observation) {
            case Observation.StatusObserved(
                    PrinterStatus reading,
                    TimePoint at,
                    boolean afterGap,
                    boolean afterDropped) -> {
                if (afterDropped) {
                    machine.recordDroppedStatuses();
                }
                machine.onStatus(reading, at, afterGap);
            }
            case Observation.DisconnectObserved(String reason) -> machine.onDisconnect(reason);
        }
    }

    @Override
    public void onDisconnect(String why) {
        latest = null;
        if (observations.addDisconnect(SecretMask.mask(why))) {
            thread.add(this::handleOldestObservation);
        }
    }

    CameraImage snapshot() throws IOException, Refusal, InterruptedException {
        return snapshots.takeOrReuse();
    }

    PrinterState state() {
        return machine.state();
    }

    PrinterConfig config() {
        return config;
    }

    private void carryOutUnwrittenStops() {
        unwrittenStops.carryOut(view.get().startedJob(), latest);
    }

    private Duration tickInterval() {
        return isUnconfirmed() || jobState() instanceof Prepared ? TICK_INTERVAL : IDLE_TICK_INTERVAL;
    }

    private boolean isUnconfirmed() {
        return jobState() instanceof UnconfirmedState
                || (jobState() instanceof Running print
                        && !print.isShown()
                        && view.get().isShowing(print.job()));
    }

    /** Evaluates the latest status again, so that timeouts also apply to a printer that sends no new status. */
    private void tick() {
        PrinterStatus reading = view.get().status();
        if (isUnconfirmed() && reading != null) {
            machine.process(new PrinterEvent.StatusRead(reading, false, AwakeClock.CLOCK.now(), null));
        }
        returnExpiredJob();
    }

    private void returnExpiredJob() {
        PrinterEvent expired = expiry.findExpiry(jobState());
        if (expired != null) {
            machine.process(expired);
        }
    }

    /** Decides, once the clock is known, whether the printer was used while the agent was down. */
    void judgeUnobservedGap() {
        thread.add(() -> {
            PrinterStatus shown = view.get().status();
            if (shown != null) {
                machine.onStatus(shown, TimePoint.now(clock), false);
            }
        });
    }

    /**
     * Continues the job of the agent's previous run, unless it has expired or ended meanwhile. Only the first call has
     * an effect.
     */
    void resumePreviousJob() {
        if (!resumed) {
            resumed = true;
            thread.add(this::resumeHeld);
        }
    }

    private void resumeHeld() {
        Job job = resumable;
        if (job != null) {
            if (job.expiresAt().isBefore(clock.instant())) {
                machine.process(JobExpiry.expireJob(job, RefusalReason.EXPIRED));
            } else if (jobState() instanceof Preparing(Job preparing, var _) && preparing.equals(job)) {
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
    private void takeOverUnstarted(List<ActiveJob> former) {
        for (ActiveJob live : former) {
            Job job = live.job();
            if (live.step() == JobStep.start_sent) {
                tasks.run(new Transition.Action.AwaitStart(job));
            }
            if (JournaledState.isStartSent(live)) {
                continue;
            }
            if (live.cancelling()) {
                machine.apply(JobEndTransitions.endJob(jobState(), job, Kind.jobCancelled, null));
            } else if (jobState() instanceof NoJob before) {
                resumable = job;
                machine.apply(Transition.to(new Preparing(job, before)));
            } else {
                machine.process(new PrinterEvent.PrintRequested(job, findObjection(job)));
            }
        }
    }

    private void reportState() {
        machine.reportState();
    }

    private void reportLater(NewEvent event) {
        thread.add(() -> machine.report(event));
    }

    private JobState jobState() {
        return view.get().jobState();
    }

    @Override
    public void close() {
        thread.close();
        tasks.close(); // It has no more to run.
    }
}
