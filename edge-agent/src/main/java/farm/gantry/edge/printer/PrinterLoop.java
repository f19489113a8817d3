package farm.gantry.edge.printer;

import farm.gantry.edge.camera.CameraPicture;
import farm.gantry.edge.journal.ActiveJob;
import farm.gantry.edge.journal.Job;
import farm.gantry.edge.journal.JobStep;
import farm.gantry.edge.journal.Journal;
import farm.gantry.edge.journal.NewEvent;
import farm.gantry.edge.log.SecretMask;
import farm.gantry.edge.printer.JobState.NoJob;
import farm.gantry.edge.printer.JobState.Prepared;
import farm.gantry.edge.printer.JobState.Preparing;
import farm.gantry.edge.printer.Observations.Observation;
import farm.gantry.edge.printer.StartedState.Running;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.edge.time.Awake;
import farm.gantry.printer.PrinterState;
import farm.gantry.wire.Command;
import farm.gantry.wire.LinkResponse.PrinterConfig;
import farm.gantry.wire.LinkRequest.Kind;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Serves one printer: takes statuses of the printer and commands of the API, and hands them to its {@link
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
    private final CameraSnapshots snapshots;
    private final UnwrittenStops unwrittenStops;
    private final CommandRunner commands;
    private final PrinterStateMachine machine;
    private final JobExpiry expiry;
    private final Observations observations = new Observations(this::isEndOfJob);
    private final PrinterThread thread;
    private final CurrentView view;
    private volatile @Nullable PrinterStatus latest;
    /** A job of the agent's previous run that waits for the first answer of the API. */
    private volatile @Nullable Job resumable;

    private volatile boolean resumed;

    PrinterLoop(
            PrinterConfig config,
            Function<Provider.Listener, Connection> line,
            Transitions transitions,
            Journal journal,
            PrintableFiles files,
            PrinterReporter reporter,
            InstantSource clock) {
        this.config = config;
        this.journal = journal;
        this.reporter = reporter;
        this.clock = clock;
        JobState restored = new JournaledState(journal, config.deviceId()).restored(transitions.countsStarts());
        this.view = new CurrentView(PrinterView.unreached(restored));
        this.expiry = new JobExpiry(clock);
        this.thread = new PrinterThread(
                config.name(), config.deviceId(), this::tickInterval, this::tick, this::carryOutUnwrittenStops);
        List<ActiveJob> former = journal.jobsOn(config.deviceId()); // before the thread adds new ones
        thread.add(this::reportState);
        thread.add(() -> recover(former)); // before the connection adds statuses
        Connection connection = line.apply(this);
        this.snapshots = new CameraSnapshots(connection);
        this.tasks = new PrinterTasks(config.name(), connection, files, journal, this::uploaded, this::handle);
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
                commands::stopped);
        this.unwrittenStops = new UnwrittenStops(journal, transitions, tasks);
    }

    /** Starts the thread in the state that the journal has of the printer. */
    void start() {
        thread.start();
    }

    void handle(PrinterEvent event) {
        if (event instanceof PrinterEvent.CancelFailed(Job job)) {
            unwrittenStops.failed(job);
        }
        thread.add(() -> machine.process(event));
    }

    private void uploaded(Job job) {
        thread.add(() -> {
            observeAll();
            machine.process(new PrinterEvent.Uploaded(job, view.get().reading()));
        });
    }

    /** Handles waiting observations first: the printer may have been used while the journal could not be written. */
    private void observeAll() {
        while (observations.isWaiting()) {
            observe();
        }
    }

    void requestPrint(Job job) {
        thread.add(() -> machine.process(new PrinterEvent.PrintRequested(job, objection(job))));
    }

    private @Nullable String objection(Job job) {
        return journal.isBedUsedSince(config.deviceId(), job.print().heardSequence())
                ? RefusalReason.BED_USED
                : view.get().objection();
    }

    /** Runs a command of a person or a macro in parallel with the job, and reports its outcome as an event. */
    void send(String commandId, Command.Send command) {
        commands.send(commandId, command, view.get(), latest);
    }

    @Override
    public void saw(PrinterStatus reading, boolean afterGap) {
        reporter.statusReceived();
        PrinterStatus before = latest;
        latest = reading;
        boolean isNews = afterGap || before == null || reading.isSignificantChangeFrom(before);
        if (observations.saw(reading, TimePoint.now(clock), afterGap)) {
            if (isNews) {
                thread.add(this::observe);
            } else {
                thread.addLater(this::observe);
            }
        }
    }

    private boolean isEndOfJob(PrinterStatus reading) {
        Job job = view.get().startedJob();
        return job != null && reading.ending() != null && reading.isShowing(job);
    }

    /** Handles the oldest observation. */
    private void observe() {
        observations.handleOldest(this::handle);
        giveBackExpired();
        startPrepared();
    }

    /** Starts the prepared job of a printer that is reachable again, by its latest status. */
    private void startPrepared() {
        PrinterStatus reading = view.get().reading();
        if (jobState() instanceof Prepared(Job job, var _) && reading != null && !observations.isWaiting()) {
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
                    machine.missed();
                }
                machine.onStatus(reading, at, afterGap);
            }
            case Observation.Lost(String reason) -> machine.onLost(reason);
        }
    }

    @Override
    public void lost(String why) {
        latest = null;
        if (observations.lost(SecretMask.hide(why))) {
            thread.add(this::observe);
        }
    }

    CameraPicture snapshot() throws IOException, Refusal, InterruptedException {
        return snapshots.take();
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
        return isToBeConfirmed() || jobState() instanceof Prepared ? TICK_INTERVAL : IDLE_TICK_INTERVAL;
    }

    private boolean isToBeConfirmed() {
        return jobState() instanceof Unconfirmed
                || (jobState() instanceof Running print
                        && !print.isShown()
                        && view.get().isShowing(print.job()));
    }

    /** Applies timeouts to a printer that sends nothing new. */
    private void tick() {
        PrinterStatus reading = view.get().reading();
        if (isToBeConfirmed() && reading != null) {
            machine.process(new PrinterEvent.StatusRead(reading, false, Awake.CLOCK.now(), null));
        }
        giveBackExpired();
    }

    private void giveBackExpired() {
        PrinterEvent expired = expiry.check(jobState());
        if (expired != null) {
            machine.process(expired);
        }
    }

    /** Decides, once the clock is known, whether the printer was used while the agent was down. */
    void judgeGap() {
        thread.add(() -> {
            PrinterStatus shown = view.get().reading();
            if (shown != null) {
                machine.onStatus(shown, TimePoint.now(clock), false);
            }
        });
    }

    /** Continues, the first time, the job of the agent's previous run, unless it has expired or ended meanwhile. */
    void resume() {
        if (!resumed) {
            resumed = true;
            thread.add(this::resumeHeld);
        }
    }

    private void resumeHeld() {
        Job job = resumable;
        if (job != null) {
            if (job.expiresAt().isBefore(clock.instant())) {
                machine.process(JobExpiry.expired(job, RefusalReason.EXPIRED));
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
                machine.apply(JobEnd.of(jobState(), job, Kind.jobCancelled, null));
            } else if (jobState() instanceof NoJob before) {
                resumable = job;
                machine.apply(Transition.to(new Preparing(job, before)));
            } else {
                machine.process(new PrinterEvent.PrintRequested(job, objection(job)));
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
