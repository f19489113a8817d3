package farm.gantry;

/**
 * For crash tests only: ends the process at once, as a power failure would, at the point named by {@code
 * gantry.crashAt}.
 */
public final class CrashPoint {
    private static final int KILLED = 137;

    private CrashPoint() {}

    public static void reached(String name) {
        if (name.equals(System.getProperty("gantry.crashAt"))) {
            Runtime.getRuntime().halt(KILLED);
        }
    }
}
