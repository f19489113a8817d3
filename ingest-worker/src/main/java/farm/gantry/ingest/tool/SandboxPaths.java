package farm.gantry.ingest.tool;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The paths of this machine that a tool sees: the folders of the package manager, and the programs and scripts that its
 * command names. Hidden folders are covered last, wherever they lie.
 */
record SandboxPaths(List<Path> hidden) {
    /** Programs, libraries and fonts. {@code /opt} and the rest of {@code /usr/local} belong to the operator. */
    private static final List<Path> SYSTEM = paths(
            "/usr/bin",
            "/usr/sbin",
            "/usr/lib",
            "/usr/lib32",
            "/usr/lib64",
            "/usr/libexec",
            "/usr/share",
            "/usr/local/lib",
            "/usr/local/lib64",
            "/usr/local/share/fonts",
            "/usr/local/share/openscad",
            "/bin",
            "/sbin",
            "/lib",
            "/lib32",
            "/lib64",
            "/etc/alternatives",
            "/etc/fonts",
            "/etc/ld.so.cache");

    /** Folders of which only the files of the tool are shown. */
    private static final List<Path> SHARED = paths("/etc", "/usr/local/bin", "/usr/local/sbin");

    /** Folders that hold a folder for each program. */
    private static final List<Path> PROGRAMS = paths("/opt", "/usr/local");

    private static final Path HOME = Path.of("/home");
    private static final Path ROOT = Path.of("/root");

    /** A step in building the file system of a sandbox. */
    sealed interface Step {
        /** Shows a file or folder, read only. */
        record Bind(Path path) implements Step {}

        /** Repeats a symbolic link. */
        record Link(Path target, Path path) implements Step {}

        /** Puts an empty folder over a folder. */
        record Cover(Path path) implements Step {}
    }

    private static List<Path> paths(String... paths) {
        return Stream.of(paths).map(Path::of).toList();
    }

    /** The steps, in order, for a command. */
    List<Step> steps(List<String> command) {
        List<Step> steps = new ArrayList<>();
        Set<Path> shown = new LinkedHashSet<>();
        for (Path path : SYSTEM) {
            if (Files.isSymbolicLink(path) && isBelowAny(real(path), SYSTEM)) {
                steps.add(new Step.Link(target(path), path));
            } else if (Files.exists(path)) {
                shown.add(path);
            }
        }
        List<Path> covers = hidden.stream()
                .filter(Files::isDirectory)
                .map(SandboxPaths::real)
                .filter(cover -> SYSTEM.stream().noneMatch(path -> path.startsWith(cover)))
                .distinct()
                .toList();
        Set<Path> above = new LinkedHashSet<>();
        for (Path path : findPrograms(command, covers)) {
            (isBelowAny(real(path), covers) ? above : shown).add(path);
        }
        shown.forEach(path -> steps.add(new Step.Bind(path)));
        for (Path path : shown) {
            for (Path cover : covers) {
                if (cover.startsWith(real(path))) {
                    steps.add(new Step.Cover(path.resolve(real(path).relativize(cover))));
                }
            }
        }
        above.forEach(path -> steps.add(new Step.Bind(path)));
        return steps;
    }

    /** Returns the programs and scripts that the operator's command names, with the folders of their own files. */
    private static Set<Path> findPrograms(List<String> command, List<Path> covers) {
        Set<Path> named = new LinkedHashSet<>();
        Stream<Path> words = command.stream()
                .skip(1)
                .filter(word -> word.startsWith("/"))
                .map(Path::of)
                .filter(path -> !isBelowAny(path, paths("/dev", "/proc")) && Files.exists(path));
        Stream.concat(program(command.getFirst()).stream(), words)
                .flatMap(path -> Stream.of(path, real(path)))
                .filter(path -> !isBelowAny(path, SYSTEM))
                .map(path -> withItsFolder(path.normalize(), covers))
                .forEach(named::add);
        return named;
    }

    private static Path withItsFolder(Path path, List<Path> covers) {
        if (Files.isDirectory(path) || isBelowAny(path, SHARED)) {
            return path;
        }
        Path folder = PROGRAMS.stream()
                .filter(programs -> path.startsWith(programs) && path.getNameCount() > programs.getNameCount() + 1)
                .findFirst()
                .map(programs -> path.getRoot().resolve(path.subpath(0, programs.getNameCount() + 1)))
                .orElse(path.getParent());
        return folder == null || isShared(folder, covers) ? path : folder;
    }

    /** Whether the folder holds other things than a program. */
    private static boolean isShared(Path folder, List<Path> covers) {
        return folder.getNameCount() < 2
                || PROGRAMS.contains(folder)
                || HOME.equals(folder.getParent())
                || folder.equals(ROOT)
                || covers.stream().anyMatch(cover -> cover.startsWith(real(folder)));
    }

    private static Optional<Path> program(String name) {
        if (name.contains("/")) {
            return Optional.of(Path.of(name).toAbsolutePath()).filter(Files::exists);
        }
        return searchPath()
                .map(folder -> folder.resolve(name).toAbsolutePath())
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** The folders in which programs are looked for. */
    static Stream<Path> searchPath() {
        return Stream.of(System.getenv().getOrDefault("PATH", "/usr/bin").split(File.pathSeparator))
                .filter(folder -> !folder.isEmpty())
                .map(Path::of);
    }

    private static boolean isBelowAny(Path path, List<Path> folders) {
        return folders.stream().anyMatch(path::startsWith);
    }

    private static Path target(Path link) {
        try {
            return Files.readSymbolicLink(link);
        } catch (IOException gone) {
            return link;
        }
    }

    private static Path real(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException gone) {
            return path.toAbsolutePath().normalize();
        }
    }
}
