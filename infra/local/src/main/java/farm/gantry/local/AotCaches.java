package farm.gantry.local;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Creates the caches of loaded classes (Java's AOT caches), with which the farm's processes start faster, by running
 * {@code infra/local/prepare}.
 */
final class AotCaches {
    /** The system property with the command that creates the caches. It is set if the start found no caches. */
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
