package farm.gantry.ingest.tool;

import farm.gantry.ingest.tool.SandboxPaths.Step;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sandbox around a tool: resource limits, and, by bubblewrap or else by the namespaces of {@code unshare}, no network,
 * no other processes and no files but its folder, its programs and their libraries. Its processes end with the first.
 */
public final class Sandbox {
    private static final Logger LOG = LoggerFactory.getLogger(Sandbox.class);

    /** Path of the tool's folder inside the sandbox. */
    private static final String WORK = "/mnt";

    private static final List<String> NAMESPACES = List.of(
            "unshare", "--user", "--map-root-user", "--net", "--ipc", "--mount", "--pid", "--fork", "--kill-child");

    /**
     * Builds a new root in memory that holds the tool's folder ($1) and what the steps up to {@code --} show, moves into it,
     * and takes the old root away. The command has no capability by which it could undo a step.
     */
    private static final String SCRIPT = """
            set -e
            export PATH="$PATH:/usr/sbin:/usr/bin:/sbin:/bin"
            mount -t tmpfs none /sys
            cd /sys
            mkdir mnt tmp proc dev dev/shm old
            mount --rbind "$1" mnt
            shift
            for device in null zero full random urandom; do
              : > dev/$device
              mount --bind /dev/$device dev/$device
            done
            ln -s /proc/self/fd dev/fd
            mount -t proc none proc
            while [ "$1" != -- ]; do
              case $1 in
                link) mkdir -p ".${3%/*}"; ln -s "$2" ".$3"; shift 3 ;;
                cover) mount -t tmpfs none ".$2"; shift 2 ;;
                bind)
                  if [ -d "$2" ]; then mkdir -p ".$2"; else mkdir -p ".${2%/*}"; : > ".$2"; fi
                  mount --rbind "$2" ".$2"
                  mount -o remount,bind,ro ".$2"
                  shift 2 ;;
              esac
            done
            shift
            pivot_root . old
            cd /mnt
            umount -l /old
            rmdir /old
            exec setpriv --bounding-set=-all --inh-caps=-all --no-new-privs "$@"
            """;

    private final Isolation isolation;
    private final SandboxPaths paths;

    Sandbox(Isolation isolation, List<Path> hidden) {
        this.isolation = isolation;
        this.paths = new SandboxPaths(hidden);
    }

    /** Returns the strictest sandbox that this machine supports. Tools never see the folders. */
    public static Sandbox hidingFolders(List<Path> folders) {
        return new Sandbox(
                Available.BUBBLEWRAP
                        ? Isolation.BUBBLEWRAP
                        : Available.NAMESPACES ? Isolation.NAMESPACES : Isolation.NONE,
                folders);
    }

    /** Resource limits alone. */
    public static Sandbox none() {
        return new Sandbox(Isolation.NONE, List.of());
    }

    /** Detected once. */
    private static final class Available {
        static final boolean LIMITS = runs(List.of("prlimit", "--nofile=64", "true"));
        static final boolean BUBBLEWRAP = runs(Isolation.BUBBLEWRAP);
        static final boolean NAMESPACES = !BUBBLEWRAP && runs(Isolation.NAMESPACES);

        private Available() {}
    }

    static boolean runs(Isolation isolation) {
        return runs(new Sandbox(isolation, List.of()).isolated(Path.of("/tmp"), List.of("true")));
    }

    List<String> wrap(Path folder, ToolLimits limits, List<String> command) {
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
        whole.addAll(isolated(folder.toAbsolutePath(), command));
        return whole;
    }

    private List<String> isolated(Path folder, List<String> command) {
        return switch (isolation) {
            case BUBBLEWRAP -> bubblewrap(folder, command);
            case NAMESPACES -> namespaces(folder, command);
            case NONE -> command;
        };
    }

    private List<String> bubblewrap(Path folder, List<String> command) {
        List<String> whole = new ArrayList<>(
                List.of("bwrap", "--unshare-all", "--cap-drop", "ALL", "--die-with-parent", "--new-session"));
        whole.addAll(List.of("--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"));
        whole.addAll(List.of("--bind", folder.toString(), WORK, "--chdir", WORK));
        for (Step step : paths.steps(command)) {
            whole.addAll(
                    switch (step) {
                        case Step.Bind(Path path) -> List.of("--ro-bind", path.toString(), path.toString());
                        case Step.Link(Path target, Path path) ->
                            List.of("--symlink", target.toString(), path.toString());
                        case Step.Cover(Path path) -> List.of("--tmpfs", path.toString());
                    });
        }
        whole.addAll(command);
        return whole;
    }

    private List<String> namespaces(Path folder, List<String> command) {
        List<String> whole = new ArrayList<>(NAMESPACES);
        whole.addAll(List.of("sh", "-c", SCRIPT, "sh", folder.toString()));
        for (Step step : paths.steps(command)) {
            whole.addAll(
                    switch (step) {
                        case Step.Bind(Path path) -> List.of("bind", path.toString());
                        case Step.Link(Path target, Path path) -> List.of("link", target.toString(), path.toString());
                        case Step.Cover(Path path) -> List.of("cover", path.toString());
                    });
        }
        whole.add("--");
        whole.addAll(command);
        return whole;
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
    boolean hidesFiles() {
        return isolation != Isolation.NONE;
    }

    /** Whether file, process and network isolation are all available. */
    boolean isComplete() {
        return Available.LIMITS && hidesFiles();
    }
}
