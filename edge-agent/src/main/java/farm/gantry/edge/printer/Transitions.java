package farm.gantry.edge.printer;

import farm.gantry.edge.journal.Job;
import farm.gantry.edge.journal.JobStep;
import farm.gantry.edge.printer.JobState.Begin;
import farm.gantry.edge.printer.JobState.NoJob;
import farm.gantry.edge.printer.JobState.Prepared;
import farm.gantry.edge.printer.JobState.Preparing;
import farm.gantry.edge.printer.JobState.Running;
import farm.gantry.edge.printer.JobState.Starting;
import farm.gantry.edge.printer.JobState.Unconfirmed;
import farm.gantry.edge.printer.Transition.Action;
import farm.gantry.edge.printer.Transition.Report;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.printer.PrinterState;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.wire.LinkRequest.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The state machine of one printer. Its invariant: start is sent only on the transition into {@code Starting}, and no
 * transition leads there twice with the same job and attempt.
 */
final class Transitions {
    /**
     * The number of queries of the printer's history within the grace period; the history may not include the print
     * yet.
     */
    private static final int MAX_HISTORY_QUERIES = 6;

    private static final String LOST =
            "needs attention: the printer no longer shows the print, and its end was not seen: check the bed";
    private static final String UNKNOWN =
            "needs attention: it could not be determined whether the print ran: check the bed";

    private final Duration grace;
    private final Duration untilShown;
    private final boolean pausesEarly;
    private final boolean namesNext;
    private final boolean countsStarts;
    private final boolean forgetsPrints;

    /**
     * {@code grace}: how long a printer may show another file than ours before our print is given up; {@code
     * untilShown}: the same for a print that it has not shown yet. {@code abilities} are those of its provider.
     */
    Transitions(Duration grace, Duration untilShown, Set<Provider.Ability> abilities) {
        this.grace = grace;
        this.untilShown = untilShown;
        this.pausesEarly = abilities.contains(Provider.Ability.PAUSE_WHILE_PREPARING);
        this.namesNext = abilities.contains(Provider.Ability.NAMES_NEXT);
        this.countsStarts = abilities.contains(Provider.Ability.COUNTS_STARTS);
        this.forgetsPrints = abilities.contains(Provider.Ability.FORGETS_PRINTS);
    }

    /** Returns the maximum part of a wait for a print that may have passed before the agent was restarted. */
    Duration maxEarlierWait() {
        return untilShown.minus(untilShown.dividedBy(MAX_HISTORY_QUERIES));
    }

    /** Returns whether a comparison of the printer's counter with an old one proves whether a print has begun since. */
    boolean countsStarts() {
        return countsStarts;
    }

    /** Returns whether the printer's print has reached the point at which it can be paused. */
    boolean isPausable(PrinterStatus reading) {
        return pausesEarly || reading.status() != Status.preparing;
    }

    private record StateAndEvent(JobState state, PrinterEvent event) {}

    Transition next(JobState state, PrinterEvent event) {
        Transition transition = decide(state, event);
        return transition.next() instanceof Running running && running.shown() && !isShown(state)
                ? transition.reach(running.job(), JobStep.shown)
                : transition;
    }

    private static boolean isShown(JobState state) {
        return switch (state) {
            case Running running -> running.shown();
            case Unconfirmed unconfirmed -> unconfirmed.begin() == Begin.SHOWN;
            case NoJob _, Preparing _, Prepared _, Starting _ -> false;
        };
    }

    private Transition decide(JobState state, PrinterEvent event) {
        return switch (new StateAndEvent(state, event)) {
            case StateAndEvent(NoJob noJob, PrinterEvent.PrintRequested request) ->
                request.objection() == null
                        ? Transition.to(new Preparing(request.job(), noJob)).then(new Action.Download(request.job()))
                        : refused(noJob, request.job(), request.objection());
            case StateAndEvent(var busy, PrinterEvent.PrintRequested request) ->
                refused(busy, request.job(), "another job of the farm has not ended on this printer");
            case StateAndEvent(NoJob noJob, PrinterEvent.StatusRead seen) ->
                detectForeignPrint(known(noJob, seen), seen.reading(), seen.unseen());

            case StateAndEvent(Preparing preparing, PrinterEvent.Downloaded(Job job))
            when isSameAttempt(preparing.job(), job) ->
                Transition.to(preparing).reach(job, JobStep.downloaded).then(new Action.Upload(job));
            case StateAndEvent(Preparing preparing, PrinterEvent.Uploaded uploaded)
            when isSameAttempt(preparing.job(), uploaded.job()) ->
                uploaded.reading() == null
                        ? Transition.to(new Prepared(preparing.job(), preparing.before()))
                                .reach(preparing.job(), JobStep.uploaded)
                        : start(preparing.job(), preparing.before(), uploaded.reading());
            case StateAndEvent(Preparing preparing, PrinterEvent.StatusRead seen) ->
                unlessBedUsed(
                        preparing.job(),
                        known(preparing.before(), seen),
                        seen.reading(),
                        seen.unseen(),
                        now -> Transition.to(new Preparing(preparing.job(), now)));
            case StateAndEvent(
                    Preparing preparing,
                    PrinterEvent.PreparationFailed(Job job, Refusal.Cause cause, String reason))
            when isSameAttempt(preparing.job(), job) ->
                ended(preparing.before(), job, preparationFailure(cause), reason);
            case StateAndEvent(Preparing(Job job, NoJob before), PrinterEvent.CancelRequested cancel)
            when isSameAttempt(job, cancel) -> ended(before, job, Kind.jobCancelled, null);

            case StateAndEvent(Prepared prepared, PrinterEvent.StatusRead seen) ->
                unlessBedUsed(
                        prepared.job(),
                        known(prepared.before(), seen),
                        seen.reading(),
                        seen.unseen(),
                        now -> Transition.to(new Prepared(prepared.job(), now)));
            case StateAndEvent(Prepared prepared, PrinterEvent.Uploaded(Job job, PrinterStatus reading))
            when reading != null && isSameAttempt(prepared.job(), job) -> start(job, prepared.before(), reading);
            case StateAndEvent(
                    Prepared prepared,
                    PrinterEvent.PreparationFailed(Job job, Refusal.Cause cause, String reason))
            when isSameAttempt(prepared.job(), job) -> ended(prepared.before(), job, preparationFailure(cause), reason);
            case StateAndEvent(Prepared(Job job, NoJob before), PrinterEvent.CancelRequested cancel)
            when isSameAttempt(job, cancel) -> ended(before, job, Kind.jobCancelled, null);

            case StateAndEvent(Starting starting, PrinterEvent.StartAccepted(Job job))
            when isSameAttempt(starting.job(), job) -> started(new Running(job, false, starting.cancelling(), false));
            case StateAndEvent(
                    Starting starting,
                    PrinterEvent.StartRefused(Job job, Refusal.Cause cause, String reason))
            when isSameAttempt(starting.job(), job) ->
                ended(starting.before(), job, starting.cancelling() ? Kind.jobCancelled : startFailure(cause), reason);
            case StateAndEvent(Starting starting, PrinterEvent.StartUnanswered(Job job))
            when isSameAttempt(starting.job(), job) ->
                Transition.to(new Unconfirmed(job, Begin.SENT, false, starting.cancelling(), null, starting.before()))
                        .then(new Action.QueryHistory(job));
            case StateAndEvent(Starting(Job job, NoJob before, var _), PrinterEvent.CancelRequested cancel)
            when isSameAttempt(job, cancel) -> Transition.to(new Starting(job, before, true));
            case StateAndEvent(Starting starting, PrinterEvent.StatusRead seen)
            when isShowing(seen, starting.job()) && seen.reading().ending() == null -> {
                Running running = running(starting.job(), starting.cancelling(), seen);
                yield tellingPause(started(running), false, running, seen);
            }

            case StateAndEvent(Running running, PrinterEvent.StatusRead seen) -> track(running, seen);
            case StateAndEvent(
                    Running(Job job, var paused, var _, var shown, var _),
                    PrinterEvent.CancelRequested cancel)
            when isSameAttempt(job, cancel) ->
                Transition.to(new Running(job, paused, true, shown)).then(new Action.Cancel(job));
            case StateAndEvent(Running running, PrinterEvent.CancelFailed(Job job))
            when running.cancelling() && isSameAttempt(running.job(), job) ->
                Transition.to(running).then(new Action.Cancel(job));
            case StateAndEvent(Running running, PrinterEvent.PauseRequested pause)
            when isSameAttempt(running.job(), pause) ->
                Transition.to(running.requested(new Action.Pause(running.job())));
            case StateAndEvent(Running running, PrinterEvent.ResumeRequested resume)
            when isSameAttempt(running.job(), resume) ->
                Transition.to(running.requested(new Action.Resume(running.job())));

            case StateAndEvent(Unconfirmed unconfirmed, PrinterEvent.StatusRead seen) -> reconcile(unconfirmed, seen);
            case StateAndEvent(Unconfirmed unconfirmed, PrinterEvent.HistoryFound recalled)
            when isSameAttempt(unconfirmed.job(), recalled.job()) -> remembered(unconfirmed, recalled.end());
            case StateAndEvent(Unconfirmed unconfirmed, PrinterEvent.CancelRequested cancel)
            when isSameAttempt(unconfirmed.job(), cancel) -> Transition.to(unconfirmed.cancelled());
            case StateAndEvent(Unconfirmed unconfirmed, PrinterEvent.PauseRequested pause)
            when isSameAttempt(unconfirmed.job(), pause) ->
                Transition.to(unconfirmed.requested(new Action.Pause(unconfirmed.job())));
            case StateAndEvent(Unconfirmed unconfirmed, PrinterEvent.ResumeRequested resume)
            when isSameAttempt(unconfirmed.job(), resume) ->
                Transition.to(unconfirmed.requested(new Action.Resume(unconfirmed.job())));

            case StateAndEvent(var any, PrinterEvent.CancelRequested(String jobId, int attempt)) ->
                Transition.to(any)
                        .report(new Report(Kind.jobCancelled, jobId, attempt, "the job is not on this printer"));
            case StateAndEvent(var any, var _) -> Transition.to(any);
        };
    }

    private static Transition start(Job job, NoJob before, PrinterStatus reading) {
        String objection = reading.objection();
        if (objection != null) {
            return refused(before, job, objection);
        }
        return unlessBedUsed(
                job,
                before,
                reading,
                null,
                now -> Transition.to(new Starting(job, now, false))
                        .reach(job, JobStep.uploaded)
                        .then(new Action.Start(job, now)));
    }

    /** Suppresses a start on a bed that was used since the farm last saw it. */
    private static Transition unlessBedUsed(
            Job job,
            NoJob before,
            PrinterStatus reading,
            @Nullable Duration unseen,
            Function<NoJob, Transition> otherwise) {
        Transition checked = detectForeignPrint(before, reading, unseen);
        return checked.reports().isEmpty() && checked.next() instanceof NoJob now
                ? otherwise.apply(now)
                : ended(
                        checked,
                        job,
                        Kind.jobRefused,
                        checked.reports().getFirst().message());
    }

    /**
     * Returns the printer before this status, without the print that it may have stopped showing by itself, after a
     * gap.
     */
    private NoJob known(NoJob before, PrinterEvent.StatusRead seen) {
        PrinterStatus reading = seen.reading();
        boolean forgotten = forgetsPrints
                && seen.unseen() != null
                && !before.busy()
                && before.lastFile() != null
                && reading.isStartable()
                && reading.fileName().isEmpty();
        return forgotten ? new NoJob("", false, before.printCounter()) : before;
    }

    /** Returns the state of a printer that shows our file and no end. */
    private static Running running(Job job, boolean cancelling, PrinterEvent.StatusRead seen) {
        return new Running(
                job, isPaused(seen), cancelling, seen.reading().status().isBusy());
    }

    private static Transition started(Running running) {
        Job job = running.job();
        Transition transition =
                Transition.to(running).reach(job, JobStep.started).report(Kind.jobStarted, job, null);
        return running.cancelling() ? transition.then(new Action.Cancel(job)) : skippingObjects(transition, job);
    }

    /**
     * Adds a report of whether the print is paused, unless the last report says the same; {@code reported} is null if
     * that is unknown.
     */
    private static Transition tellingPause(
            Transition transition, @Nullable Boolean reported, Running running, PrinterEvent.StatusRead seen) {
        Kind kind = running.paused() ? Kind.jobPaused : Kind.jobResumed;
        return reported != null && reported == running.paused()
                ? transition
                : transition.report(kind, running.job(), seen.reading().fault());
    }

    private static Transition skippingObjects(Transition transition, Job job) {
        return job.skipObjects().isEmpty() ? transition : transition.then(new Action.SkipObjects(job));
    }

    private static Transition resumeTracking(Running running) {
        Transition transition = Transition.to(running);
        return running.cancelling()
                ? transition.then(new Action.Cancel(running.job()))
                : skippingObjects(transition, running.job());
    }

    /**
     * Carries out the requested pause or resume, unless it is done already; a pause waits until the printer can be
     * paused.
     */
    private Transition carryingOut(@Nullable Action request, Running running, PrinterStatus reading) {
        if (request == null || running.cancelling()) {
            return Transition.to(running);
        }
        boolean isPause = request instanceof Action.Pause;
        if (isPause && !isPausable(reading)) {
            return Transition.to(running.requested(request));
        }
        return isPause == running.paused()
                ? Transition.to(running)
                : Transition.to(running).then(request);
    }

    private Transition track(Running running, PrinterEvent.StatusRead seen) {
        Job job = running.job();
        PrinterStatus reading = seen.reading();
        if (!isShowing(seen, job)) {
            if (reading.status() == Status.unknown && !running.cancelling()) {
                return Transition.to(running); // A restarted Moonraker does not know yet what Klipper prints.
            }
            return Transition.to(unconfirmed(running).since(seen.at())).then(new Action.QueryHistory(job));
        }
        if (reading.ending() != null) {
            return running.shown()
                    ? finished(job, true, running.cancelling(), reading)
                    : endSeen(unconfirmed(running), seen);
        }
        Running shown = running(job, running.cancelling(), seen);
        Running next = running.shown() ? shown.seen() : shown;
        Transition transition =
                tellingPause(carryingOut(running.requested(), next, reading), running.paused(), next, seen);
        if (!seen.afterGap()) {
            return transition; // the requested state is reached
        }
        return running.cancelling() ? transition.then(new Action.Cancel(job)) : skippingObjects(transition, job);
    }

    private static Unconfirmed unconfirmed(Running running) {
        Begin begin = running.shown() ? Begin.SHOWN : Begin.ACCEPTED;
        return new Unconfirmed(running.job(), begin, running.paused(), running.cancelling(), null, null)
                .requested(running.requested());
    }

    private Transition reconcile(Unconfirmed unconfirmed, PrinterEvent.StatusRead seen) {
        Job job = unconfirmed.job();
        Duration since = unconfirmed.since();
        if (isShowing(seen, job)) {
            return onVisible(unconfirmed, seen);
        }
        Unconfirmed unseen = unconfirmed.endSince(null);
        if (since != null && isBusyWithoutFile(seen.reading())) {
            return Transition.to(unseen.since(seen.at()));
        }
        if (since == null || seen.afterGap()) {
            return Transition.to(since == null ? unseen.since(seen.at()) : unseen)
                    .then(new Action.QueryHistory(job));
        }
        if (!isSettled(unconfirmed, since, seen)) {
            Duration historyQueriedAt = unseen.historyQueriedAt() == null ? since : unseen.historyQueriedAt();
            return seen.at().compareTo(historyQueriedAt.plus(grace.dividedBy(MAX_HISTORY_QUERIES))) < 0
                    ? Transition.to(unseen)
                    : Transition.to(unseen.historyQueriedAt(seen.at())).then(new Action.QueryHistory(job));
        }
        return !unconfirmed.started() && !unconfirmed.cancelling() && neverBegan(unconfirmed.before(), seen.reading())
                ? ended(
                        NoJob.after(seen.reading()),
                        job,
                        Kind.jobNotBegun,
                        "the printer lost the start and began no print")
                : givenUp(unconfirmed, seen.reading(), unconfirmed.started() ? LOST : UNKNOWN);
    }

    /** Gives up the print; nobody knows what is on the bed. */
    private static Transition givenUp(Unconfirmed unconfirmed, PrinterStatus reading, String reason) {
        return ended(
                NoJob.after(reading),
                unconfirmed.job(),
                unconfirmed.cancelling() ? Kind.jobCancelled : Kind.jobFailed,
                reason);
    }

    /** Returns whether the start may be queued behind the printer's current work. */
    private static boolean isBusyWithoutFile(PrinterStatus reading) {
        return reading.status().isBusy() && reading.fileName().isEmpty();
    }

    /** Returns whether the printer is idle with the print counter that it had right before the start. */
    private static boolean neverBegan(@Nullable NoJob before, PrinterStatus reading) {
        return before != null
                && reading.isStartable()
                && reading.fileName().equals(before.lastFile())
                && reading.printCounter() != null
                && reading.printCounter().equals(before.printCounter());
    }

    private Transition onVisible(Unconfirmed unconfirmed, PrinterEvent.StatusRead seen) {
        Job job = unconfirmed.job();
        if (seen.reading().ending() != null) {
            if (unconfirmed.begin() != Begin.SHOWN && !hasEnded(unconfirmed, seen)) {
                return endSeen(unconfirmed, seen);
            }
            return unconfirmed.begin() != Begin.SHOWN && namesNext
                    ? givenUp(unconfirmed, seen.reading(), UNKNOWN)
                    : finished(job, unconfirmed.started(), unconfirmed.cancelling(), seen.reading());
        }
        Running shown = running(job, unconfirmed.cancelling(), seen);
        Running running = unconfirmed.begin() == Begin.SHOWN ? shown.seen() : shown;
        Transition transition = unconfirmed.started() ? resumeTracking(running) : started(running);
        return tellingPause(transition, unconfirmed.paused(), running, seen)
                .followedBy(carryingOut(unconfirmed.requested(), running, seen.reading()));
    }

    /**
     * Returns whether the print has ended. Some printers show the next file name for a while together with the last
     * print's end, also while they prepare for the next one. So the end of a print that was not seen to run must last
     * for {@code untilShown}, at a printer at rest. If it may last permanently, nobody knows whose end it is.
     */
    private boolean hasEnded(Unconfirmed unconfirmed, PrinterEvent.StatusRead seen) {
        return unconfirmed.endSince() != null
                && !seen.reading().status().isBusy()
                && isSettled(unconfirmed, unconfirmed.endSince(), seen);
    }

    /** Handles an end. The printer's history tells at once whose end it is. */
    private static Transition endSeen(Unconfirmed unconfirmed, PrinterEvent.StatusRead seen) {
        if (seen.reading().status().isBusy()) {
            return Transition.to(unconfirmed.endSince(seen.at()));
        }
        return unconfirmed.endSince() == null
                ? Transition.to(unconfirmed.endSince(seen.at())).then(new Action.QueryHistory(unconfirmed.job()))
                : Transition.to(unconfirmed);
    }

    private boolean isSettled(Unconfirmed unconfirmed, Duration since, PrinterEvent.StatusRead seen) {
        Duration wait = unconfirmed.begin() == Begin.SHOWN ? grace : untilShown;
        return seen.at().compareTo(since.plus(wait)) >= 0;
    }

    private static Transition finished(Job job, boolean started, boolean cancelling, PrinterStatus reading) {
        PrinterStatus.Ending ending = reading.ending() == null ? PrinterStatus.Ending.FAILED : reading.ending();
        NoJob next = new NoJob(job.fileName(), false, reading.printCounter());
        String message = ending == PrinterStatus.Ending.COMPLETED ? null : reading.reason();
        return finished(next, job, started, cancelling, ending, message);
    }

    private static Transition finished(
            NoJob next,
            Job job,
            boolean started,
            boolean cancelling,
            PrinterStatus.Ending ending,
            @Nullable String message) {
        Transition transition = Transition.to(next).reach(job, JobStep.ended);
        if (!started) {
            transition = transition.report(Kind.jobStarted, job, null);
        }
        return switch (ending) {
            case COMPLETED -> transition.report(Kind.jobCompleted, job, message);
            case CANCELLED -> transition.report(Kind.jobCancelled, job, cancelling ? null : "cancelled at the printer");
            case FAILED ->
                transition.report(
                        Kind.jobFailed, job, message == null ? "the printer reports that the print failed" : message);
        };
    }

    /** Ends the print as the printer's history says. A printer that forgets its prints shows no file after one. */
    private Transition remembered(Unconfirmed unconfirmed, Connection.Remembered end) {
        String shown = forgetsPrints ? "" : unconfirmed.job().fileName();
        String message = switch (end.ending()) {
            case COMPLETED -> end.reason();
            case CANCELLED -> null;
            case FAILED -> Objects.requireNonNullElse(end.reason(), "the printer's history says that the print failed");
        };
        return finished(
                new NoJob(shown, false, null),
                unconfirmed.job(),
                unconfirmed.started(),
                unconfirmed.cancelling(),
                end.ending(),
                message);
    }

    private static Transition refused(JobState next, Job job, String reason) {
        return ended(next, job, Kind.jobRefused, reason);
    }

    private static Transition ended(JobState next, Job job, Kind kind, @Nullable String message) {
        return ended(Transition.to(next), job, kind, message);
    }

    private static Transition ended(Transition transition, Job job, Kind kind, @Nullable String message) {
        return transition.reach(job, JobStep.ended).report(kind, job, message);
    }

    /**
     * Reports the bed as used after a print that the farm did not start, its end, or the loss of the printer's last
     * file name. A printer that is busy without a file homes or receives one.
     */
    private static Transition detectForeignPrint(NoJob noJob, PrinterStatus reading, @Nullable Duration unseen) {
        if (!reading.isClear()) {
            return Transition.to(noJob);
        }
        String file = reading.fileName();
        boolean busy = reading.status().isBusy() && !file.isEmpty() && reading.ending() == null;
        String counter = reading.printCounter() == null ? noJob.printCounter() : reading.printCounter();
        Transition transition = Transition.to(new NoJob(file, busy, counter));
        String change = foreignPrint(noJob, file, busy);
        if (change == null && !busy && unseen != null) {
            change = possibleUnseenPrint(noJob, reading.printCounter(), unseen);
        }
        return change == null ? transition : transition.report(new Report(Kind.printerChanged, null, null, change));
    }

    /** Returns the evidence of a print that the farm did not start, null without any. */
    private static @Nullable String foreignPrint(NoJob noJob, String file, boolean busy) {
        boolean same = file.equals(noJob.lastFile());
        if (busy) {
            return same && noJob.busy() ? null : "the printer is printing " + file + ", which the farm did not start";
        }
        if (noJob.busy()) {
            return "the print of " + noJob.lastFile() + ", which the farm did not start, has ended";
        }
        if (!same && !file.isEmpty()) {
            return "the printer has printed " + file + ", which the farm did not start";
        }
        return same || noJob.lastFile() == null ? null : "the printer was restarted or reset after " + noJob.lastFile();
    }

    /** Returns the print that may have happened while the printer was offline, null if none can have. */
    private static @Nullable String possibleUnseenPrint(NoJob noJob, @Nullable String counter, Duration unseen) {
        if (noJob.lastFile() == null) {
            return null;
        }
        if (counter != null && noJob.printCounter() != null) {
            return counter.equals(noJob.printCounter()) ? null : "the printer has printed while it was unreachable";
        }
        return unseen.compareTo(PrinterState.MIN_PRINT) <= 0
                ? null
                : "the printer was unreachable for " + unseen.toMinutes()
                        + " minutes and cannot report whether it has printed";
    }

    /** Returns how the bed was used since the printer showed {@code before}, null without evidence. */
    static @Nullable String bedUse(NoJob before, PrinterStatus now) {
        List<Report> reports = detectForeignPrint(before, now, Duration.ZERO).reports();
        return reports.isEmpty() ? null : reports.getFirst().message();
    }

    private static Kind preparationFailure(Refusal.Cause cause) {
        return cause == Refusal.Cause.JOB ? Kind.jobFailed : Kind.jobRefused;
    }

    private static Kind startFailure(Refusal.Cause cause) {
        return switch (cause) {
            case PRINTER -> Kind.jobRefused;
            case ANSWER -> Kind.jobNotBegun;
            case JOB -> Kind.jobFailed;
        };
    }

    /**
     * Returns whether the printer shows our print or its end. A printer at rest that names our file without an end does
     * not print it: it was restarted, or has only selected the file.
     */
    private static boolean isShowing(PrinterEvent.StatusRead seen, Job job) {
        PrinterStatus reading = seen.reading();
        return reading.isShowing(job) && (reading.ending() != null || !reading.isStartable());
    }

    private static boolean isPaused(PrinterEvent.StatusRead seen) {
        return seen.reading().status() == Status.paused;
    }

    private static boolean isSameAttempt(Job job, Job other) {
        return job.is(other.jobId(), other.attempt());
    }

    private static boolean isSameAttempt(Job job, PrinterEvent.CancelRequested cancel) {
        return job.is(cancel.jobId(), cancel.attempt());
    }

    private static boolean isSameAttempt(Job job, PrinterEvent.PauseRequested pause) {
        return job.is(pause.jobId(), pause.attempt());
    }

    private static boolean isSameAttempt(Job job, PrinterEvent.ResumeRequested resume) {
        return job.is(resume.jobId(), resume.attempt());
    }
}
