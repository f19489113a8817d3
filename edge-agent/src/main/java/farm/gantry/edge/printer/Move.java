package farm.gantry.edge.printer;

import farm.gantry.edge.journal.Job;
import farm.gantry.edge.journal.Step;
import farm.gantry.wire.LinkRequest.Kind;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Where a signal leads: the next situation; what is written down and told; then what is done. */
record Move(Situation next, List<Mark> marks, List<Tale> tales, List<Deed> deeds) {

    record Mark(Job job, Step step) {}

    /** An event in the making. */
    record Tale(
            Kind kind,
            @Nullable String jobId,
            @Nullable Integer attempt,
            @Nullable String message) {}

    /** What is done beside the machine, its outcome a signal. */
    sealed interface Deed {
        record Download(Job job) implements Deed {}

        record Upload(Job job) implements Deed {}

        record Start(Job job) implements Deed {}

        record Pause(Job job) implements Deed {}

        record Resume(Job job) implements Deed {}

        record Cancel(Job job) implements Deed {}

        record Recall(Job job) implements Deed {}

        /** Leaves out the objects that the job does not want; done again, it changes nothing. */
        record Skip(Job job) implements Deed {}
    }

    static Move to(Situation next) {
        return new Move(next, List.of(), List.of(), List.of());
    }

    Move mark(Job job, Step step) {
        return new Move(next, with(marks, new Mark(job, step)), tales, deeds);
    }

    Move tell(Kind kind, Job job, @Nullable String message) {
        return tell(new Tale(kind, job.jobId(), job.attempt(), message));
    }

    Move tell(Tale tale) {
        return new Move(next, marks, with(tales, tale), deeds);
    }

    Move then(Deed deed) {
        return new Move(next, marks, tales, with(deeds, deed));
    }

    private static <T> List<T> with(List<T> list, T more) {
        return Stream.concat(list.stream(), Stream.of(more)).toList();
    }
}
