package farm.gantry.edge.printer;

import farm.gantry.edge.journal.Job;
import farm.gantry.edge.journal.Journal;
import farm.gantry.edge.journal.NewEvent;
import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.state.JobState.NoJob;
import farm.gantry.edge.printer.state.PrinterEvent;
import farm.gantry.edge.printer.state.StartedState.Starting;
import farm.gantry.edge.printer.state.Transition;
import farm.gantry.edge.printer.state.Transitions;
import farm.gantry.edge.printer.state.UnconfirmedState;
import farm.gantry.edge.time.AwakeClock;
import farm.gantry.printer.PrinterState;
import farm.gantry.wire.LinkRequest.Kind;
import farm.gantry.wire.LinkResponse.PrinterConfig;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Applies the {@link Transitions} of one printer: journals each of them, then acts. Runs on the printer's thread. */
final class PrinterStateMachine {
    private static final Logger LOG = LoggerFactory.getLogger(PrinterStateMachine.class);

    private final PrinterConfig config;
    private final CurrentView view;
    private final Transitions transitions;
    private final Journal journal;
    private final JournaledState journaled;
    private final TransitionJournal transitionJournal;
    private final LastSeenTracker lastSeen;
    private final LostJobs lostJobs;
    private final LayerCounter layers;
    private final HeatingTime heating = new HeatingTime();
    private final NewEvents newEvents;
    private final PrinterTasks tasks;
    private final PrinterReporter reporter;
    private final InstantSource clock;
    private final Supplier<@Nullable Job> stopped;

    /**
     * Creates the state machine. {@code stopped} supplies the job that was running when an emergency stop was sent,
     * null without one.
     */
    PrinterStateMachine(
            PrinterConfig config,
            CurrentView view,
            Transitions transitions,
            Journal journal,
            LostJobs lostJobs,
            PrinterTasks tasks,
            PrinterReporter reporter,
            InstantSource clock,
            Supplier<@Nullable Job> stopped) {
        this.config = config;
        this.view = view;
        this.transitions = transitions;
        this.journal = journal;
        this.lostJobs = lostJobs;
        this.tasks = tasks;
        this.reporter = reporter;
        this.clock = clock;
        this.stopped = stopped;
        String deviceId = config.deviceId();
        this.journaled = new JournaledState(journal, deviceId);
        this.lastSeen = new LastSeenTracker(deviceId, journal, clock);
        this.layers = new LayerCounter(tasks::findLayers);
        this.newEvents = new NewEvents(deviceId);
        this.transitionJournal = new TransitionJournal(
                journal,
                journaled,
                lastSeen,
                new ConfirmationWait(journal, deviceId, clock, transitions.maxEarlierWait()),
                newEvents);
    }

    PrinterState state() {
        return view.get().toPrinterState(clock.instant());
    }

    void reportState() {
        reporter.stateChanged(config.deviceId(), state());
    }

    /** Records that statuses of the printer were dropped without being handled. */
    void recordDroppedStatuses() {
        lastSeen.recordDroppedStatuses();
    }

    void onStatus(PrinterStatus received, TimePoint at, boolean afterGap) {
        PrinterView before = view.get();
        boolean isAfterGap = afterGap || before.status() == null;
        PrinterStatus reading = heating.withHeating(
                layers.withLayer(received, before.startedJob()), before.startedJob(), at, isAfterGap);
        List<NewEvent> statusChanges = newEvents.statusEvents(before.status(), reading);
        view.set(before.withStatus(reading));
        try {
            PrinterEvent.StatusRead seen = new PrinterEvent.StatusRead(
                    reading, isAfterGap, AwakeClock.CLOCK.now(), lastSeen.unobservedTimeBefore(reading, at));
            apply(transitions.next(before.jobState(), seen), statusChanges, false);
        } catch (UncheckedIOException e) {
            view.set(before);
            throw e;
        }
        if (before.isReportedOffline()) {
            LOG.info("{}: online again", config.name());
        }
        lastSeen.recordStatus(view.get(), at);
        cancelLateStart(reading);
        if (isAfterGap && view.get().jobState() instanceof NoJob && reading.isStartable()) {
            tasks.removeReplayableFiles(config.deviceId());
        }
    }

    /** Cancels a print that began after it was given up, because the bed may not be clear. */
    private void cancelLateStart(PrinterStatus reading) {
        Job late = lostJobs.takeLateStart(reading);
        if (late != null) {
            String words = late.fileName() + " began after the farm had given it up, so the print is stopped";
            LOG.warn("{}: {}", config.name(), words);
            tasks.run(new Transition.Action.Cancel(late));
            report(newEvents.printerEvent(Kind.printerChanged, words));
        }
    }

    void onDisconnect(String reason) {
        PrinterView before = view.get();
        if (before.isReportedWhenLost()) {
            report(newEvents.printerEvent(Kind.printerOffline, reason));
            LOG.warn("{}: connection lost, reconnecting: {}", config.name(), reason);
        }
        lastSeen.recordDisconnect(before);
        view.set(before.withDisconnect(reason));
        reportState();
    }

    void process(PrinterEvent event) {
        // Otherwise it was carried out already, or is obsolete.
        if (event instanceof PrinterEvent.PauseRequested(String jobId, int attempt)
                && !journaled.isPausePending(jobId, attempt)) {
            return;
        }
        PrinterStatus shown = view.get().status();
        if (event instanceof PrinterEvent.CancelFailed(Job job) && lostJobs.isRunning(job, shown)) {
            tasks.run(new Transition.Action.Cancel(job));
        }
        Transition<?> transition = transitions.next(view.get().jobState(), event);
        if (needsStatusReevaluation(event) && shown != null) {
            PrinterEvent status = new PrinterEvent.StatusRead(shown, false, AwakeClock.CLOCK.now(), null);
            transition = transition.followedBy(transitions.next(transition.next(), status));
        }
        apply(transition, List.of(), requestsPause(event));
    }

    private static boolean requestsPause(PrinterEvent event) {
        return event instanceof PrinterEvent.PauseRequested || event instanceof PrinterEvent.ResumeRequested;
    }

    /**
     * Returns whether the latest status must be evaluated again after this event. If a print ends that the printer no
     * longer shows, or never began, the printer may show another print. That is reported at once, so that nothing
     * starts on its bed.
     */
    private static boolean needsStatusReevaluation(PrinterEvent event) {
        return event instanceof PrinterEvent.HistoryFound
                || event instanceof PrinterEvent.StartRefused
                || requestsPause(event);
    }

    void apply(Transition<?> transition) {
        apply(transition, List.of(), false);
    }

    private void apply(Transition<?> transition, List<NewEvent> statusChanges, boolean isAskedToPause) {
        PrinterView before = view.get();
        TransitionJournal.JournaledTransition written =
                transitionJournal.write(transition, before, statusChanges, stopped.get(), isAskedToPause);
        if (before.jobState() instanceof UnconfirmedState unconfirmed
                && transition.next() instanceof NoJob
                && !before.isShowing(unconfirmed.job())) {
            lostJobs.addIfNeverShown(unconfirmed);
        }
        boolean isFree = transition.next() instanceof NoJob && !(before.jobState() instanceof NoJob);
        view.set(before.withJobState(written.next()));
        if (isFree) {
            tasks.removeReplayableFiles(config.deviceId());
        }
        reportState();
        if (written.hasEvents()) {
            reporter.eventsRecorded();
        }
        transition.actions().forEach(this::run);
    }

    private void run(Transition.Action action) {
        if (action instanceof Transition.Action.Start(Starting starting)) {
            lostJobs.recordStart(starting.job());
        }
        tasks.run(action);
    }

    void report(NewEvent event) {
        journal.write(List.of(), List.of(event));
        reporter.eventsRecorded();
    }
}
