package farm.gantry.edge.printer;

import farm.gantry.edge.journal.Job;
import farm.gantry.edge.journal.Journal;
import farm.gantry.edge.journal.NewEvent;
import farm.gantry.edge.printer.JobState.NoJob;
import farm.gantry.edge.printer.StartedState.Starting;
import farm.gantry.edge.time.Awake;
import farm.gantry.printer.PrinterState;
import farm.gantry.wire.LinkResponse.PrinterConfig;
import farm.gantry.wire.LinkRequest.Kind;
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
    private final LastSeen lastSeen;
    private final LostJobs lostJobs;
    private final LayerCount layers;
    private final HeatingTime heating = new HeatingTime();
    private final NewEvents newEvents;
    private final PrinterTasks tasks;
    private final PrinterReporter reporter;
    private final InstantSource clock;
    private final Supplier<@Nullable Job> stopped;

    /** {@code stopped} returns the job during which an emergency stop was sent, null without one. */
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
        this.lastSeen = new LastSeen(deviceId, journal, clock);
        this.layers = new LayerCount(tasks::layers);
        this.newEvents = new NewEvents(deviceId);
        this.transitionJournal = new TransitionJournal(
                journal,
                journaled,
                lastSeen,
                new ConfirmationWait(journal, deviceId, clock, transitions.maxEarlierWait()),
                newEvents);
    }

    PrinterState state() {
        return view.get().state(clock.instant());
    }

    void reportState() {
        reporter.state(config.deviceId(), state());
    }

    /** Records that statuses of the printer were dropped unread. */
    void missed() {
        lastSeen.missed();
    }

    void onStatus(PrinterStatus received, TimePoint at, boolean afterGap) {
        PrinterView before = view.get();
        boolean isAfterGap = afterGap || before.reading() == null;
        PrinterStatus reading =
                heating.counted(layers.counted(received, before.startedJob()), before.startedJob(), at, isAfterGap);
        List<NewEvent> statusChanges = newEvents.ofStatus(before.reading(), reading);
        view.set(before.with(reading));
        try {
            PrinterEvent.StatusRead seen = new PrinterEvent.StatusRead(
                    reading, isAfterGap, Awake.CLOCK.now(), lastSeen.unseenBefore(reading, at));
            apply(transitions.next(before.jobState(), seen), statusChanges, false);
        } catch (UncheckedIOException e) {
            view.set(before);
            throw e;
        }
        if (before.isLost()) {
            LOG.info("{}: online again", config.name());
        }
        lastSeen.saw(view.get(), at);
        stopLate(reading);
        if (isAfterGap && view.get().jobState() instanceof NoJob && reading.isStartable()) {
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
            report(newEvents.of(Kind.printerChanged, words));
        }
    }

    void onLost(String reason) {
        PrinterView before = view.get();
        if (before.isReportedWhenLost()) {
            report(newEvents.of(Kind.printerOffline, reason));
            LOG.warn("{}: connection lost, reconnecting: {}", config.name(), reason);
        }
        lastSeen.lost(before);
        view.set(before.lost(reason));
        reportState();
    }

    void process(PrinterEvent event) {
        // Otherwise it was carried out already, or is obsolete.
        if (event instanceof PrinterEvent.PauseRequested(String jobId, int attempt)
                && !journaled.isPausing(jobId, attempt)) {
            return;
        }
        PrinterStatus shown = view.get().reading();
        if (event instanceof PrinterEvent.CancelFailed(Job job) && lostJobs.isRunning(job, shown)) {
            tasks.run(new Transition.Action.Cancel(job));
        }
        Transition<?> transition = transitions.next(view.get().jobState(), event);
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

    void apply(Transition<?> transition) {
        apply(transition, List.of(), false);
    }

    private void apply(Transition<?> transition, List<NewEvent> statusChanges, boolean isAskedToPause) {
        PrinterView before = view.get();
        TransitionJournal.Written written =
                transitionJournal.write(transition, before, statusChanges, stopped.get(), isAskedToPause);
        if (before.jobState() instanceof Unconfirmed unconfirmed
                && transition.next() instanceof NoJob
                && !before.isShowing(unconfirmed.job())) {
            lostJobs.gaveUp(unconfirmed);
        }
        boolean isFree = transition.next() instanceof NoJob && !(before.jobState() instanceof NoJob);
        view.set(before.in(written.next()));
        if (isFree) {
            tasks.removeReplayed(config.deviceId());
        }
        reportState();
        if (written.hasEvents()) {
            reporter.events();
        }
        transition.actions().forEach(this::run);
    }

    private void run(Transition.Action action) {
        if (action instanceof Transition.Action.Start(Starting starting)) {
            lostJobs.starts(starting.job());
        }
        tasks.run(action);
    }

    void report(NewEvent event) {
        journal.write(List.of(), List.of(event));
        reporter.events();
    }
}
