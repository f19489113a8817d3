package farm.gantry.ingest.tool;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sandbox around a tool: resource limits, and, by bubblewrap or else by namespaces of its own, no
 * network, no other processes and no files but its folder, its programs and their libraries. Its processes end with the
 * first.
 */
final class Sandbox {
    private static final Logger LOG = LoggerFactory.getLogger(Sandbox.class);

    /** Where the tool's folder is to be found inside. */
    private static final String WORK = "/mnt";

    /** Programs and libraries. */
    private static final List<String> SYSTEM = List.of("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/opt");

    /** What of the system's settings programs cannot do without. */
    private static final List<String> SETTINGS = List.of("/etc/alternatives", "/etc/fonts", "/etc/ld.so.cache");

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

    /**
     * Keeps the folder ($1) and what the command needs (up to {@code --}) aside, covers everything that is not the system,
     * and puts them back.
     */
    private static final String SCRIPT = """
            set -e
            export PATH="$PATH:/usr/bin:/bin"
            mount -t tmpfs none /run
            mkdir /run/etc /run/kept
            for each in alternatives fonts ld.so.cache; do
              [ ! -e /etc/$each ] || cp -a /etc/$each /run/etc/
            done
            mount --rbind "$1" /mnt
            shift
            kept=""
            number=0
            while [ "$1" != -- ]; do
              number=$((number + 1))
              if [ -d "$1" ]; then mkdir /run/kept/$number; else : > /run/kept/$number; fi
              mount --rbind "$1" /run/kept/$number
              kept="$kept $1"
              shift
            done
            shift
            mount --rbind /run/etc /etc
            for each in /*; do
              case $each in
                /usr|/bin|/sbin|/lib*|/dev|/proc|/opt|/mnt|/etc|/run) ;;
                *) [ ! -d "$each" ] || [ -L "$each" ] || mount -t tmpfs none "$each" ;;
              esac
            done
            number=0
            for each in $kept; do
              number=$((number + 1))
              if [ -d /run/kept/$number ]; then mkdir -p "$each"; else mkdir -p "${each%/*}"; : > "$each"; fi
              mount --rbind /run/kept/$number "$each"
            done
            cd /mnt
            exec "$@"
            """;

    private Sandbox() {}

    /** Detected once. */
    private static final class Available {
        static final boolean LIMITS = runs(List.of("prlimit", "--nofile=64", "true"));
        static final boolean BUBBLEWRAP = runs(bubblewrap(Path.of("/tmp"), List.of("true")));
        static final boolean NAMES = !BUBBLEWRAP && runs(names(Path.of("/tmp"), List.of("true")));

        private Available() {}
    }

    static List<String> wrap(Path folder, Tool.Limits limits, List<String> command) {
        List<String> whole = new ArrayList<>();
        if (Available.LIMITS) {
            whole.addAll(List.of(
                    "prlimit",
                    "--as=" + limits.memoryBytes(),
                    "--fsize=" + limits.fileBytes(),
                    "--cpu=" + limits.time().toSeconds() * 4,
                    "--nofile=256",
                    "--core=0"));
        }
        Path work = folder.toAbsolutePath();
        whole.addAll(
                Available.BUBBLEWRAP ? bubblewrap(work, command) : Available.NAMES ? names(work, command) : command);
        return whole;
    }

    private static List<String> bubblewrap(Path folder, List<String> command) {
        List<String> whole = new ArrayList<>(List.of("bwrap", "--unshare-all", "--die-with-parent", "--new-session"));
        for (String path : SYSTEM) {
            whole.addAll(List.of("--ro-bind-try", path, path));
        }
        for (String path : SETTINGS) {
            whole.addAll(List.of("--ro-bind-try", path, path));
        }
        whole.addAll(List.of("--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"));
        for (String path : needed(command)) {
            whole.addAll(List.of("--ro-bind", path, path));
        }
        whole.addAll(List.of("--bind", folder.toString(), WORK, "--chdir", WORK));
        whole.addAll(command);
        return whole;
    }

    private static List<String> names(Path folder, List<String> command) {
        List<String> whole = new ArrayList<>(NAMESPACES);
        whole.addAll(List.of("sh", "-c", SCRIPT, "sh", folder.toString()));
        whole.addAll(needed(command));
        whole.add("--");
        whole.addAll(command);
        return whole;
    }

    /** What the operator's command names outside of the system: a script, with the folder that it lies in. */
    private static List<String> needed(List<String> command) {
        return command.stream()
                .filter(word -> word.startsWith("/")
                        && Stream.concat(SYSTEM.stream(), Stream.of("/dev", "/proc"))
                                .noneMatch(system -> word.startsWith(system + "/")))
                .map(Path::of)
                .filter(Files::exists)
                .map(path -> Files.isDirectory(path) || path.getNameCount() < 3 ? path : path.getParent())
                .map(Path::toString)
                .distinct()
                .toList();
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
                LOG.warn("{} does not work here, so that tools run with less isolation", command.getFirst());
            }
            return done;
        } catch (IOException absent) {
            LOG.warn("there is no {} here, so that tools run with less isolation", command.getFirst());
            return false;
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Whether a tool sees no files but its own. */
    static boolean hidesFiles() {
        return Available.BUBBLEWRAP || Available.NAMES;
    }

    /** Whether file, process and network isolation are all available. */
    static boolean isComplete() {
        return Available.LIMITS && hidesFiles();
    }
}
