package farm.gantry.api.main.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The programs of the PostgreSQL that stores its data in a folder; their output goes to the log. */
public record PostgresPrograms(Path folder, Path log) {
    /** Version of the bundled PostgreSQL. */
    public static final String VERSION = "18.6";

    /**
     * System property: a separate folder for the programs. It is for a process that starts several PostgreSQLs and
     * deletes their data folders, and for its child processes.
     */
    public static final String SHARED_FOLDER_PROPERTY = "gantry.postgres-binaries";

    public static Optional<Path> findSharedFolder() {
        return Optional.ofNullable(System.getProperty(SHARED_FOLDER_PROPERTY)).map(Path::of);
    }

    /** Returns the folder in which the library unpacks the programs, each archive below its own name. */
    public Path archiveFolder() {
        return findSharedFolder()
                .orElseGet(() -> folder.resolve("binaries"))
                .resolve(VERSION + "-" + System.getProperty("os.arch"));
    }

    public boolean areUnpacked() throws IOException {
        return findUnpackedFolder().isPresent();
    }

    /**
     * Returns the folder of the programs if they are unpacked. The library would read its whole archive to find out.
     */
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

    /** Starts one of the programs. */
    public Process launch(String program, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        if (Integer.valueOf(0).equals(Files.getAttribute(folder, "unix:uid"))) {
            command.addAll(List.of("unshare", "-U")); // PostgreSQL refuses to run as root
        }
        Path programs = findUnpackedFolder()
                .orElseThrow(() -> new IOException("there are no PostgreSQL programs in " + archiveFolder()));
        command.add(programs.resolve(program).toString());
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
    }

    /** Runs one of the programs until it exits, and returns its exit status. */
    public int run(String program, String... arguments) throws IOException {
        return awaitExitStatus(launch(program, arguments));
    }

    /** Waits for the program and returns its exit status. */
    public static int awaitExitStatus(Process process) throws IOException {
        try {
            return process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
