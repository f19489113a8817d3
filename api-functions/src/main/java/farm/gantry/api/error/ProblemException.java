package farm.gantry.api.error;

import io.micronaut.json.tree.JsonNode;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Ends a request with a {@link Problem}. */
public final class ProblemException extends RuntimeException {
    private final transient Problem problem;

    public ProblemException(Problem problem) {
        super(problem.message(), null, false, false);
        this.problem = problem;
    }

    /** One field of the request is invalid; {@code code} is stable, {@code message} a sentence for people. */
    public static ProblemException invalid(String path, String code, String message) {
        return new ProblemException(new Problem.Invalid(List.of(new Fault(path, code, message))));
    }

    /** Returns a 404 error; {@code what} is the noun of the missing record. */
    public static ProblemException notFound(String what) {
        return new ProblemException(new Problem.NotFound("no such " + what));
    }

    public static ProblemException conflict(String message) {
        return new ProblemException(new Problem.Conflict(message));
    }

    /** Returns the conflict that other records, given as table and id, prevent the deletion. */
    public static ProblemException stillReferenced(List<String> others) {
        return conflict(
                "other records refer to it; delete them or change their references first:" + String.join(", ", others));
    }

    /** Throws if a bulk change names ids that do not exist. */
    public static void throwIfMissing(List<String> ids) {
        if (!ids.isEmpty()) {
            throw new ProblemException(new Problem.UnknownIds(ids));
        }
    }

    /** Throws unless the body is a JSON object. */
    public static void throwUnlessObject(JsonNode body) {
        if (!body.isObject()) {
            throw invalid("", "type", "the body must be an object");
        }
    }

    /** Throws if a change's condition does not match the current record. */
    public static void throwIfStale(boolean isStale) {
        if (isStale) {
            throw new ProblemException(new Problem.PreconditionFailed());
        }
    }

    /** Returns this exception with the path of each fault changed, also in its message. */
    public ProblemException mapPaths(UnaryOperator<String> place) {
        return problem instanceof Problem.Invalid invalid
                ? new ProblemException(new Problem.Invalid(invalid.faults().stream()
                        .map(fault -> fault.withPath(place.apply(fault.path())))
                        .toList()))
                : this;
    }

    /** Returns the messages of all faults, or that of a problem without faults. */
    public String describe() {
        return problem instanceof Problem.Invalid invalid
                ? invalid.faults().stream().map(Fault::message).collect(Collectors.joining("; "))
                : problem.message();
    }

    public Problem problem() {
        return problem;
    }
}
