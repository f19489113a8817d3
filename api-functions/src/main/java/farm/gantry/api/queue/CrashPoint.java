package farm.gantry.api.queue;

import java.util.Locale;

/** For the crash tests alone: the process dies at once, as by a power cut, where {@code gantry.crashAt} says. */
enum CrashPoint {
    REQUESTED,
    RELAYED,
    FETCH,
    READ_METADATA,
    THUMBNAILS,
    SPLIT_PLATES,
    ESTIMATE;

    private static final int KILLED = 137;

    void reached() {
        if (name().toLowerCase(Locale.ROOT).replace('_', '-').equals(System.getProperty("gantry.crashAt"))) {
            Runtime.getRuntime().halt(KILLED);
        }
    }
}
