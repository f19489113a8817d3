package farm.gantry.edge.printer.state;

import farm.gantry.edge.journal.Job;
import farm.gantry.edge.journal.JobStep;
import farm.gantry.edge.printer.state.StartedState.Starting;
import farm.gantry.wire.LinkRequest.Kind;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The effect of an event: the next state, the job steps to journal, the events to report, and the actions to run
 * afterwards.
 *
 * @param <N> the type of the next state
 */
public record Transition<N extends JobState>(
        N next, List<StepReached> steps, List<Report> reports, List<Action> actions) {

    public record StepReached(Job job, JobStep step) {}

    /** An event for the API, without its sequence number and time. */
    public record Report(
            Kind kind,
            @Nullable String jobId,
            @Nullable Integer attempt,
            @Nullable String message) {}

    /** An action that the agent runs after it has journalled the transition; its outcome is a {@link PrinterEvent}. */
    public sealed interface Action {
        record Download(Job job) implements Action {}

        record Upload(Job job) implements Action {}

        /** Starts the print. Only the transition into this state may create it. */
        record Start(Starting state) implements Action {}

        /** Waits until a start that was sent in the agent's previous run is carried out or lost. */
        record AwaitStart(Job job) implements Action {}

        record Pause(Job job) implements Action {}

        record Resume(Job job) implements Action {}

        record Cancel(Job job) implements Action {}

        record QueryHistory(Job job) implements Action {}

        /** Excludes the objects that the job skips from its running print. Idempotent. */
        record SkipObjects(Job job) implements Action {}
    }

    public static <N extends JobState> Transition<N> to(N next) {
        return new Transition<>(next, List.of(), List.of(), List.of());
    }

    Transition<N> reach(Job job, JobStep step) {
        return new Transition<>(next, append(steps, new StepReached(job, step)), reports, actions);
    }

    Transition<N> report(Kind kind, Job job, @Nullable String message) {
        return report(new Report(kind, job.jobId(), job.attempt(), message));
    }

    /** Adds a report about the printer, without a job. */
    Transition<N> report(Kind kind, String message) {
        return report(new Report(kind, null, null, message));
    }

    Transition<N> report(Report report) {
        return new Transition<>(next, steps, append(reports, report), actions);
    }

    Transition<N> then(Action action) {
        return new Transition<>(next, steps, reports, append(actions, action));
    }

    /** Returns both transitions as one, so that their reports are written together. */
    public <L extends JobState> Transition<L> followedBy(Transition<L> later) {
        return new Transition<>(
                later.next,
                concatenate(steps, later.steps),
                concatenate(reports, later.reports),
                concatenate(actions, later.actions));
    }

    private static <T> List<T> append(List<T> list, T more) {
        return concatenate(list, List.of(more));
    }

    private static <T> List<T> concatenate(List<T> list, List<T> more) {
        return Stream.concat(list.stream(), more.stream()).toList();
    }
}
