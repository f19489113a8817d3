package farm.gantry.ingest.tool;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Walls of the system around a tool: limits on what it takes, and where the system lets an ordinary user build them, no
 * network, no other processes and no files but its folder and the system's own. Its processes end with the first.
 */
final class Sandbox {
    private static final Logger LOG = LoggerFactory.getLogger(Sandbox.class);
    private static final List<String> NAMESPACES = List.of(
            "unshare",
            "--user",
            "--map-root-user",
            "--net",
            "--ipc",
            "--mount",
            "--pid",
            "--fork",
            "--kill-child",
            "--mount-proc");

    /** What holds people's files; all of it is covered. */
    private static final List<String> COVERED = List.of("/tmp", "/var", "/home", "/root", "/srv", "/run", "/media");

    private static final Set<String> SYSTEM = Set.of("/usr", "/bin", "/lib", "/lib64", "/etc", "/dev", "/proc", "/opt");

    private static final String SCRIPT = "mount --bind \"$1\" /mnt || exit 97; shift; "
            + "while [ \"$1\" != -- ]; do [ -d \"$1\" ] && mount -t tmpfs none \"$1\"; shift; done; shift; "
            + "cd /mnt && exec \"$@\"";

    private Sandbox() {}

    /** Looked for once: it does not come and go with a running system. */
    private static final class Available {
        static final boolean LIMITS = runs(List.of("prlimit", "--nofile=64", "true"));
        static final boolean NAMES = runs(names(Path.of("/tmp"), List.of("true")));

        private Available() {}
    }

    static List<String> prefix(Path folder, Tool.Limits limits) {
        List<String> prefix = new ArrayList<>();
        if (Available.LIMITS) {
            prefix.addAll(List.of(
                    "prlimit",
                    "--as=" + limits.memoryBytes(),
                    "--fsize=" + limits.fileBytes(),
                    "--cpu=" + limits.time().toSeconds() * 4,
                    "--nofile=256",
                    "--core=0"));
        }
        if (Available.NAMES) {
            prefix.addAll(names(folder, List.of()));
        }
        return prefix;
    }

    private static List<String> names(Path folder, List<String> command) {
        Path whole = folder.toAbsolutePath();
        Set<String> covered = new LinkedHashSet<>(COVERED);
        String first = "/" + whole.getName(0);
        if (!SYSTEM.contains(first)) {
            covered.add(first);
        }
        List<String> names = new ArrayList<>(NAMESPACES);
        names.addAll(List.of("sh", "-c", SCRIPT, "sh", whole.toString()));
        names.addAll(covered);
        names.add("--");
        names.addAll(command);
        return names;
    }

    private static boolean runs(List<String> command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            boolean done = process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
            process.destroyForcibly();
            if (!done) {
                LOG.warn("{} does not work here, so that tools run with fewer walls", command.getFirst());
            }
            return done;
        } catch (IOException absent) {
            LOG.warn("there is no {} here, so that tools run with fewer walls", command.getFirst());
            return false;
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Whether the walls that need the system's help stand. */
    static boolean isWhole() {
        return Available.LIMITS && Available.NAMES && Files.isDirectory(Path.of("/mnt"));
    }
}
