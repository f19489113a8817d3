package farm.gantry.api.main.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The programs of the PostgreSQL that keeps its data in a folder; what they say goes to the log. */
public record PostgresPrograms(Path folder, Path log) {
    /** Of the PostgreSQL that comes with this version. */
    public static final String VERSION = "18.6";

    /**
     * The system property that names a place of their own for them: of a process that starts several PostgreSQLs and deletes
     * their folders, and of its child processes.
     */
    public static final String SHARED_FOLDER_PROPERTY = "gantry.postgres-binaries";

    public static Optional<Path> findSharedFolder() {
        return Optional.ofNullable(System.getProperty(SHARED_FOLDER_PROPERTY)).map(Path::of);
    }

    /** Where the library unpacks them, each archive below a name of its own. */
    public Path archiveFolder() {
        return findSharedFolder().orElseGet(() -> folder.resolve("binaries"))
                .resolve(VERSION + "-" + System.getProperty("os.arch"));
    }

    public boolean areUnpacked() throws IOException {
        return findUnpackedFolder().isPresent();
    }

    /** Where they are, if they are; the library would read all of its archive to say so. */
    private Optional<Path> findUnpackedFolder() throws IOException {
        Path archives = archiveFolder();
        if (!Files.exists(archives)) {
            return Optional.empty();
        }
        try (Stream<Path> found = Files.list(archives)) {
            return found.filter(archive -> Files.exists(archive.resolve(".exists")))
                    .map(archive -> archive.resolve("bin"))
                    .findFirst();
        }
    }

    /** Starts one of them. */
    public Process launch(String program, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        if (Integer.valueOf(0).equals(Files.getAttribute(folder, "unix:uid"))) {
            command.addAll(List.of("unshare", "-U")); // PostgreSQL does not run as root
        }
        Path programs = findUnpackedFolder().orElseThrow(() -> new IOException("no PostgreSQL is below " + archiveFolder()));
        command.add(programs.resolve(program).toString());
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
    }

    /** Runs one of them to its end, and answers its status. */
    public int run(String program, String... arguments) throws IOException {
        return awaitExitStatus(launch(program, arguments));
    }

    /** With which status a program ends. */
    public static int awaitExitStatus(Process process) throws IOException {
        try {
            return process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
