package farm.gantry.local;

/**
 * Locks of tests that have a farm of their own, beside the one that all others share: two such farms at a time are what a
 * small machine carries.
 */
final class OwnFarm {
    static final String FIRST = "the first farm of a test's own";
    static final String SECOND = "the second farm of a test's own";

    private OwnFarm() {}
}
