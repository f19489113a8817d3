package farm.gantry.local;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Caches of loaded classes, by which the farm's processes start sooner; {@code infra/local/prepare} makes them. */
final class StartUpCaches {
    /** The property that names the command, where a start found no caches. */
    private static final String PREPARE = "gantry.prepare";

    private StartUpCaches() {}

    /** Has them made at the lowest priority where this process started without; ends with this process. */
    static void make(Path logs) throws IOException {
        String command = System.getProperty(PREPARE);
        if (command != null) {
            System.out.println("Caches for quicker starts are made meanwhile, once a build, at the lowest priority");
            Process process = new ProcessBuilder("nice", "-n", "19", command, "--built")
                    .redirectErrorStream(true)
                    .redirectOutput(logs.resolve("prepare.log").toFile())
                    .start();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> kill(process), "end of prepare"));
        }
    }

    /** With all that it started: a cache that is half done is of no use. */
    private static void kill(Process process) {
        List<ProcessHandle> started = process.descendants().toList();
        process.destroyForcibly();
        started.forEach(ProcessHandle::destroyForcibly);
    }
}
