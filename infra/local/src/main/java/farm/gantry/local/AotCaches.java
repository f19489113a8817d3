package farm.gantry.local;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Caches of loaded classes (AOT), which make the farm's processes start faster; {@code infra/local/prepare} creates
 * them.
 */
final class AotCaches {
    /** The property that names the command, if the start found no caches. */
    private static final String PREPARE = "gantry.prepare";

    private AotCaches() {}

    /** Creates the caches at the lowest priority if this process started without them; stops with this process. */
    static void createIfMissing(Path logs) throws IOException {
        String command = System.getProperty(PREPARE);
        if (command != null) {
            System.out.println("Creating caches for faster starts, once per build, at the lowest priority");
            Process process = new ProcessBuilder("nice", "-n", "19", command, "--built")
                    .redirectErrorStream(true)
                    .redirectOutput(logs.resolve("prepare.log").toFile())
                    .start();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> kill(process), "end of prepare"));
        }
    }

    /** Ends the process and its children, because an incomplete cache is useless. */
    private static void kill(Process process) {
        List<ProcessHandle> started = process.descendants().toList();
        process.destroyForcibly();
        started.forEach(ProcessHandle::destroyForcibly);
    }
}
