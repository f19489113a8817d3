package farm.gantry.api.main;

import farm.gantry.CrashPoint;
import farm.gantry.api.main.postgres.LocalPostgres;
import farm.gantry.api.main.process.DataFolderLock;
import farm.gantry.ingest.reading.FileTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code restore}: makes a data folder of an archive. Everything is checked before anything is written, and the folder
 * appears whole or not at all. The first start over it forgets which beds were clear.
 */
@Command(
        name = "restore",
        mixinStandardHelpOptions = true,
        description =
                "Makes a farm's data folder of an archive of infra/local/backup. The folder must be empty or not exist.")
public final class RestoreCommand implements Callable<Integer> {
    /** In the API's folder, from the restoring to the end of the first start's work on it. */
    public static final String RESTORE_MARKER = "restored";

    private static final String DRAFT = ".restoring-";

    @Parameters(paramLabel = "ARCHIVE", description = "what infra/local/backup wrote")
    Path archive = Path.of(".");

    @Option(
            names = "--data",
            defaultValue = "${env:GANTRY_LOCAL_DATA:-.gantry}",
            description = "folder that the farm's data is to be in (${DEFAULT-VALUE})")
    Path data = Path.of(".gantry");

    public static void main(String[] arguments) {
        System.exit(BackupCommand.commandLine(new RestoreCommand(), "Nothing was restored: ").execute(arguments));
    }

    @Override
    public Integer call() throws IOException {
        restoreArchive(archive, data.toAbsolutePath().normalize());
        System.out.println("The farm is in " + data + ". No bed counts as clear: look at each, and confirm it.");
        return 0;
    }

    /** Makes the folder of the archive; fails, and changes nothing, unless it is empty and the archive whole. */
    public static void restoreArchive(Path archive, Path folder) throws IOException {
        if (LocalPostgres.isRunning(BackupCommand.apiFolder(folder).resolve("postgres"))) {
            throw new IOException("the farm of " + folder + " is running");
        } else if (Files.exists(folder) && !isEmpty(folder)) {
            throw new IOException(folder + " is not empty: name another folder, or move it away");
        }
        Path parent = Objects.requireNonNull(folder.getParent());
        Files.createDirectories(parent);
        String name = DRAFT + folder.getFileName();
        try (ZipFile zip = new ZipFile(archive.toFile())) {
            BackupArchive.verifyEnd(archive);
            BackupArchive.verifyChecksums(zip);
            deleteDrafts(parent, name);
            Path draft = Files.createTempDirectory(parent, name, DataFolderLock.OWNER_ONLY);
            BackupArchive.unpack(zip, draft);
            Files.createFile(BackupCommand.apiFolder(draft).resolve(RESTORE_MARKER));
            try (Stream<Path> folders = Files.walk(draft)) {
                for (Path each : folders.filter(Files::isDirectory).toList()) {
                    BackupArchive.syncToDisk(each);
                }
            }
            CrashPoint.reached("synced");
            Files.move(draft, folder, StandardCopyOption.ATOMIC_MOVE);
            CrashPoint.reached("restored");
            BackupArchive.syncToDisk(parent);
        } catch (ZipException e) {
            throw new IOException(archive + " is no whole backup: " + e.getMessage(), e);
        }
    }

    private static boolean isEmpty(Path folder) throws IOException {
        try (Stream<Path> children = Files.list(folder)) {
            return children.findAny().isEmpty();
        }
    }

    /** Deletes what a restoring that was killed left. */
    private static void deleteDrafts(Path parent, String name) throws IOException {
        List<Path> drafts;
        try (Stream<Path> children = Files.list(parent)) {
            drafts = children.filter(child -> child.getFileName().toString().startsWith(name))
                    .toList();
        }
        for (Path draft : drafts) {
            FileTree.delete(draft);
        }
    }
}
