package farm.gantry.local;

/** Locks of tests that have their own farm, beside the shared one: a small machine can run two such farms at a time. */
final class OwnFarm {
    static final String FIRST = "the first farm of a test's own";
    static final String SECOND = "the second farm of a test's own";

    private OwnFarm() {}
}
