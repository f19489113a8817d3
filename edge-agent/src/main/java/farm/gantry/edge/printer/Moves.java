package farm.gantry.edge.printer;

import farm.gantry.edge.journal.Job;
import farm.gantry.edge.journal.Step;
import farm.gantry.edge.printer.Move.Deed;
import farm.gantry.edge.printer.Move.Tale;
import farm.gantry.edge.printer.Situation.Fetching;
import farm.gantry.edge.printer.Situation.Ready;
import farm.gantry.edge.printer.Situation.Running;
import farm.gantry.edge.printer.Situation.Starting;
import farm.gantry.edge.printer.Situation.Unsure;
import farm.gantry.edge.printer.Situation.Vacant;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.wire.LinkRequest.Kind;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The machine of one printer. Its law: start is sent in one place only, on the way into {@code Starting}, and no way
 * leads back there with the same job.
 */
final class Moves {
    private static final Duration SHORTEST_PRINT = Duration.ofMinutes(2);

    private final Duration grace;

    /** {@code grace}: how long a printer may show another file than ours before our print is given up. */
    Moves(Duration grace) {
        this.grace = grace;
    }

    private record Meeting(Situation situation, Signal signal) {}

    Move next(Situation situation, Signal signal) {
        return switch (new Meeting(situation, signal)) {
            case Meeting(Vacant vacant, Signal.Asked asked) ->
                asked.objection() == null
                        ? Move.to(new Fetching(asked.job(), vacant)).then(new Deed.Download(asked.job()))
                        : refused(vacant, asked.job(), asked.objection());
            case Meeting(var busy, Signal.Asked asked) ->
                refused(busy, asked.job(), "another job of the farm is not over on this printer");
            case Meeting(Vacant vacant, Signal.Seen seen) -> watch(vacant, seen.reading(), seen.unseen());

            case Meeting(Fetching fetching, Signal.Downloaded(Job job))
            when is(fetching.job(), job) ->
                Move.to(fetching).mark(job, Step.downloaded).then(new Deed.Upload(job));
            case Meeting(Fetching fetching, Signal.Uploaded uploaded)
            when is(fetching.job(), uploaded.job()) ->
                uploaded.reading() == null
                        ? Move.to(new Ready(fetching.job(), fetching.before())).mark(fetching.job(), Step.uploaded)
                        : start(fetching.job(), fetching.before(), uploaded.reading(), null);
            case Meeting(Fetching fetching, Signal.Seen seen) ->
                unlessUsed(
                        fetching.job(),
                        fetching.before(),
                        seen.reading(),
                        seen.unseen(),
                        now -> Move.to(new Fetching(fetching.job(), now)));
            case Meeting(Fetching fetching, Signal.Stuck(Job job, Refusal.Cause cause, String reason))
            when is(fetching.job(), job) -> ended(fetching.before(), job, notBrought(cause), reason);
            case Meeting(Fetching(Job job, Vacant before), Signal.CancelAsked cancel)
            when is(job, cancel) -> ended(before, job, Kind.jobCancelled, null);

            case Meeting(Ready ready, Signal.Seen seen) ->
                start(ready.job(), ready.before(), seen.reading(), seen.unseen());
            case Meeting(Ready ready, Signal.Stuck(Job job, Refusal.Cause cause, String reason))
            when is(ready.job(), job) -> ended(ready.before(), job, notBrought(cause), reason);
            case Meeting(Ready(Job job, Vacant before), Signal.CancelAsked cancel)
            when is(job, cancel) -> ended(before, job, Kind.jobCancelled, null);

            case Meeting(Starting starting, Signal.StartAnswered(Job job))
            when is(starting.job(), job) -> started(job, false, starting.cancelling());
            case Meeting(Starting starting, Signal.StartRefused(Job job, Refusal.Cause cause, String reason))
            when is(starting.job(), job) ->
                ended(starting.before(), job, starting.cancelling() ? Kind.jobCancelled : notStarted(cause), reason);
            case Meeting(Starting starting, Signal.StartUnanswered(Job job))
            when is(starting.job(), job) ->
                Move.to(new Unsure(job, false, starting.cancelling(), null, starting.before()))
                        .then(new Deed.Recall(job));
            case Meeting(Starting(Job job, Vacant before, var _), Signal.CancelAsked cancel)
            when is(job, cancel) -> Move.to(new Starting(job, before, true));
            case Meeting(Starting starting, Signal.Seen seen)
            when shows(seen, starting.job()) ->
                seen.reading().ending() == null
                        ? started(starting.job(), isPaused(seen), starting.cancelling())
                        : over(starting.job(), false, starting.cancelling(), seen.reading());

            case Meeting(Running running, Signal.Seen seen) -> follow(running, seen);
            case Meeting(Running(Job job, var paused, var _), Signal.CancelAsked cancel)
            when is(job, cancel) -> Move.to(new Running(job, paused, true)).then(new Deed.Cancel(job));
            case Meeting(Running running, Signal.CancelFailed(Job job))
            when running.cancelling() && is(running.job(), job) ->
                Move.to(running).then(new Deed.Cancel(job));
            case Meeting(Running running, Signal.PauseAsked pause)
            when is(running.job(), pause) -> Move.to(running).then(new Deed.Pause(running.job()));
            case Meeting(Running running, Signal.ResumeAsked resume)
            when is(running.job(), resume) -> Move.to(running).then(new Deed.Resume(running.job()));

            case Meeting(Unsure unsure, Signal.Seen seen) -> search(unsure, seen);
            case Meeting(Unsure unsure, Signal.Recalled recalled)
            when is(unsure.job(), recalled.job()) ->
                over(
                        new Vacant(unsure.job().fileName(), false, null),
                        unsure.job(),
                        unsure.started(),
                        unsure.cancelling(),
                        recalled.end().ending(),
                        Objects.requireNonNullElse(
                                recalled.end().reason(), "the printer's own history says that it failed"));
            case Meeting(Unsure unsure, Signal.CancelAsked cancel)
            when is(unsure.job(), cancel) -> Move.to(unsure.cancelled());
            case Meeting(Unsure unsure, Signal.PauseAsked pause)
            when is(unsure.job(), pause) -> Move.to(unsure.asked(new Deed.Pause(unsure.job())));
            case Meeting(Unsure unsure, Signal.ResumeAsked resume)
            when is(unsure.job(), resume) -> Move.to(unsure.asked(new Deed.Resume(unsure.job())));

            case Meeting(var any, Signal.CancelAsked(String jobId, int attempt)) ->
                Move.to(any).tell(new Tale(Kind.jobCancelled, jobId, attempt, "the job is not on this printer"));
            case Meeting(var any, var _) -> Move.to(any);
        };
    }

    private static Move start(Job job, Vacant before, Reading reading, @Nullable Duration unseen) {
        String objection = reading.objection();
        if (objection != null) {
            return refused(before, job, objection);
        }
        return unlessUsed(
                job,
                before,
                reading,
                unseen,
                now -> Move.to(new Starting(job, now, false))
                        .mark(job, Step.uploaded)
                        .then(new Deed.Start(job)));
    }

    /** Nothing starts on a bed that somebody used since the farm last saw it. */
    private static Move unlessUsed(
            Job job, Vacant before, Reading reading, @Nullable Duration unseen, Function<Vacant, Move> otherwise) {
        Move watched = watch(before, reading, unseen);
        return watched.tales().isEmpty() && watched.next() instanceof Vacant now
                ? otherwise.apply(now)
                : ended(
                        watched,
                        job,
                        Kind.jobRefused,
                        watched.tales().getFirst().message());
    }

    private static Move started(Job job, boolean paused, boolean cancelling) {
        Move move = Move.to(new Running(job, paused, cancelling))
                .mark(job, Step.started)
                .tell(Kind.jobStarted, job, null);
        return cancelling ? move.then(new Deed.Cancel(job)) : skipping(move, job);
    }

    private static Move skipping(Move move, Job job) {
        return job.skipObjects().isEmpty() ? move : move.then(new Deed.Skip(job));
    }

    private static Move adopted(Running running) {
        Move move = Move.to(running);
        return running.cancelling() ? move.then(new Deed.Cancel(running.job())) : skipping(move, running.job());
    }

    private static Move follow(Running running, Signal.Seen seen) {
        Job job = running.job();
        Reading reading = seen.reading();
        if (!shows(seen, job)) {
            return Move.to(new Unsure(job, true, running.cancelling(), seen.at(), null))
                    .then(new Deed.Recall(job));
        }
        if (reading.ending() != null) {
            return over(job, true, running.cancelling(), reading);
        }
        Move move = Move.to(new Running(job, isPaused(seen), running.cancelling()));
        if (isPaused(seen) != running.paused()) {
            move = move.tell(isPaused(seen) ? Kind.jobPaused : Kind.jobResumed, job, reading.fault());
        }
        if (!seen.afterGap()) {
            return move; // what was asked for arrived
        }
        return running.cancelling() ? move.then(new Deed.Cancel(job)) : skipping(move, job);
    }

    private Move search(Unsure unsure, Signal.Seen seen) {
        Job job = unsure.job();
        Duration since = unsure.since();
        boolean stood = since != null && seen.at().compareTo(since.plus(grace)) >= 0;
        if (shows(seen, job)) {
            return found(unsure, seen, stood);
        }
        if (since == null || seen.afterGap()) {
            return waiting(unsure, seen).then(new Deed.Recall(job));
        }
        if (!stood) {
            return Move.to(unsure);
        }
        Vacant next =
                new Vacant(seen.reading().fileName(), false, seen.reading().printCounter());
        if (unsure.cancelling()) {
            return ended(next, job, Kind.jobCancelled, lost(unsure.started()));
        }
        return !unsure.started() && neverBegan(unsure.before(), seen.reading())
                ? ended(next, job, Kind.jobNotBegun, "the start was lost on its way: the printer began no print")
                : ended(next, job, Kind.jobFailed, lost(unsure.started()));
    }

    /** A printer at rest that has counted no print since right before the start. */
    private static boolean neverBegan(@Nullable Vacant before, Reading reading) {
        return before != null
                && reading.isStartable()
                && reading.fileName().equals(before.lastFile())
                && reading.printCounter() != null
                && reading.printCounter().equals(before.printCounter());
    }

    /** Some printers show the next name for a while beside the last one's end, which is not believed until it stands. */
    private static Move found(Unsure unsure, Signal.Seen seen, boolean stood) {
        Job job = unsure.job();
        if (seen.reading().ending() != null) {
            return unsure.started() || stood
                    ? over(job, unsure.started(), unsure.cancelling(), seen.reading())
                    : waiting(unsure, seen);
        }
        Move move = unsure.started()
                ? adopted(new Running(job, isPaused(seen), unsure.cancelling()))
                : started(job, isPaused(seen), unsure.cancelling());
        Deed asked = unsure.asked();
        return asked == null || unsure.cancelling() ? move : move.then(asked);
    }

    private static Move waiting(Unsure unsure, Signal.Seen seen) {
        return Move.to(unsure.since() == null ? unsure.since(seen.at()) : unsure);
    }

    private static String lost(boolean started) {
        return started
                ? "needs attention: the print was started, but the printer no longer shows it: check the bed"
                : "needs attention: it could not be determined whether the print ran: check the bed";
    }

    private static Move over(Job job, boolean started, boolean cancelling, Reading reading) {
        Reading.Ending ending = reading.ending() == null ? Reading.Ending.failed : reading.ending();
        Vacant next = new Vacant(job.fileName(), false, reading.printCounter());
        return over(next, job, started, cancelling, ending, reading.reason());
    }

    private static Move over(
            Vacant next,
            Job job,
            boolean started,
            boolean cancelling,
            Reading.Ending ending,
            @Nullable String message) {
        Move move = Move.to(next).mark(job, Step.ended);
        if (!started) {
            move = move.tell(Kind.jobStarted, job, null);
        }
        return switch (ending) {
            case completed -> move.tell(Kind.jobCompleted, job, null);
            case cancelled -> move.tell(Kind.jobCancelled, job, cancelling ? null : "cancelled at the printer");
            case failed -> move.tell(Kind.jobFailed, job, message == null ? "the printer reports a failure" : message);
        };
    }

    private static Move refused(Situation next, Job job, String reason) {
        return ended(next, job, Kind.jobRefused, reason);
    }

    private static Move ended(Situation next, Job job, Kind kind, @Nullable String message) {
        return ended(Move.to(next), job, kind, message);
    }

    private static Move ended(Move move, Job job, Kind kind, @Nullable String message) {
        return move.mark(job, Step.ended).tell(kind, job, message);
    }

    /**
     * A print that the farm did not start, its end, or a printer that forgot its last one, leaves a bed nobody can vouch
     * for. One that is busy with no print, or after one, homes or takes a file.
     */
    private static Move watch(Vacant vacant, Reading reading, @Nullable Duration unseen) {
        if (!reading.isClear()) {
            return Move.to(vacant);
        }
        String file = reading.fileName();
        boolean busy = reading.status().isBusy() && !file.isEmpty() && reading.ending() == null;
        String counter = reading.printCounter() == null ? vacant.printCounter() : reading.printCounter();
        Move move = Move.to(new Vacant(file, busy, counter));
        String change = change(vacant, file, busy);
        if (change == null && !busy && unseen != null) {
            change = unseenChange(vacant, reading.printCounter(), unseen);
        }
        return change == null ? move : move.tell(new Tale(Kind.printerChanged, null, null, change));
    }

    /** What a printer shows of others' prints. */
    private static @Nullable String change(Vacant vacant, String file, boolean busy) {
        boolean same = file.equals(vacant.lastFile());
        if (busy) {
            return same && vacant.busy() ? null : "it is printing " + file + ", which the farm did not start";
        }
        if (vacant.busy()) {
            return "the print of " + vacant.lastFile() + ", which the farm did not start, is over";
        }
        if (!same && !file.isEmpty()) {
            return "it has printed " + file + ", which the farm did not start";
        }
        return same || vacant.lastFile() == null ? null : "it was restarted or reset after " + vacant.lastFile();
    }

    /** What it may have printed while nobody saw it, and shows no more. */
    private static @Nullable String unseenChange(Vacant vacant, @Nullable String counter, Duration unseen) {
        if (vacant.lastFile() == null) {
            return null;
        }
        if (counter != null && vacant.printCounter() != null) {
            return counter.equals(vacant.printCounter()) ? null : "it has printed while it was out of sight";
        }
        return unseen.compareTo(SHORTEST_PRINT) <= 0
                ? null
                : "it was out of sight for " + unseen.toMinutes()
                        + " minutes, and does not tell whether it has printed";
    }

    private static Kind notBrought(Refusal.Cause cause) {
        return cause == Refusal.Cause.job ? Kind.jobFailed : Kind.jobRefused;
    }

    private static Kind notStarted(Refusal.Cause cause) {
        return switch (cause) {
            case printer -> Kind.jobRefused;
            case answer -> Kind.jobNotBegun;
            case job -> Kind.jobFailed;
        };
    }

    private static boolean shows(Signal.Seen seen, Job job) {
        return seen.reading().fileName().equals(job.fileName());
    }

    private static boolean isPaused(Signal.Seen seen) {
        return seen.reading().status() == Status.paused;
    }

    private static boolean is(Job job, Job other) {
        return job.is(other.jobId(), other.attempt());
    }

    private static boolean is(Job job, Signal.CancelAsked cancel) {
        return job.is(cancel.jobId(), cancel.attempt());
    }

    private static boolean is(Job job, Signal.PauseAsked pause) {
        return job.is(pause.jobId(), pause.attempt());
    }

    private static boolean is(Job job, Signal.ResumeAsked resume) {
        return job.is(resume.jobId(), resume.attempt());
    }
}
