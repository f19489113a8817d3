package farm.gantry.api;

/** Ends a request with a {@link Problem}. */
public final class Refused extends RuntimeException {
    private final transient Problem problem;

    public Refused(Problem problem) {
        super(problem.message(), null, false, false);
        this.problem = problem;
    }

    public Problem problem() {
        return problem;
    }
}
