package farm.gantry;

/** For the crash tests alone: the process dies at once, as by a power cut, where {@code gantry.crashAt} says. */
public final class CrashPoint {
    private static final int KILLED = 137;

    private CrashPoint() {}

    public static void reached(String name) {
        if (name.equals(System.getProperty("gantry.crashAt"))) {
            Runtime.getRuntime().halt(KILLED);
        }
    }
}
