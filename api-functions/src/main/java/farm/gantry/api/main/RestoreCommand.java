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
 * {@code restore}: creates a data folder from an archive. The archive is verified before anything is written. A new folder
 * appears complete or not at all; no farm starts in a folder that is filled in part. The first start on it marks every
 * bed as unconfirmed. {@code --drill} tests an archive.
 */
@Command(
        name = "restore",
        mixinStandardHelpOptions = true,
        description = "Creates the data folder of a farm from a backup, or tests a backup (--drill). The folder must be"
                + " empty or not exist.")
public final class RestoreCommand implements Callable<Integer> {
    /** Marker file in the API's folder. It exists from the restore until the first start has marked beds and queues. */
    public static final String RESTORE_MARKER = "restored";

    private static final String DRAFT = ".restoring-";
    private static final String UNFINISHED = ".restore-unfinished";

    @Parameters(paramLabel = "ARCHIVE", description = "backup archive, as written by the backup command")
    Path archive = Path.of(".");

    @Option(
            names = "--data",
            defaultValue = "${env:GANTRY_LOCAL_DATA:-.gantry}",
            description = "data folder to create (default: ${DEFAULT-VALUE})")
    Path data = Path.of(".gantry");

    @Option(
            names = "--drill",
            description = "only test the archive: restore it to a temporary folder, read all records and files, and"
                    + " delete the folder")
    boolean isDrill;

    @Option(
            names = "--drill-in",
            defaultValue = "${sys:java.io.tmpdir}",
            description = "folder in which a drill works (default: ${DEFAULT-VALUE})")
    Path drillFolder = Path.of("/tmp");

    public static void main(String[] arguments) {
        System.exit(BackupCommand.commandLine(new RestoreCommand(), "Nothing was restored: ")
                .execute(arguments));
    }

    @Override
    public Integer call() throws IOException {
        if (isDrill) {
            RestoreDrill.Result result = RestoreDrill.run(archive, drillFolder.toAbsolutePath());
            System.out.println("A farm can be restored from " + archive + ": " + result.records() + " records and "
                    + result.files() + " files were read. Nothing was changed.");
            return 0;
        }
        restoreArchive(archive, data.toAbsolutePath().normalize());
        System.out.println(
                "The farm is in " + data + ". All beds are marked as not clear: check each bed and confirm it.");
        return 0;
    }

    /**
     * Extracts the archive to the folder. Throws, with nothing changed, if the folder is not empty or the archive is
     * damaged. A folder that exists may be a mount point, such as a container's volume, and is filled in place.
     */
    public static void restoreArchive(Path archive, Path folder) throws IOException {
        if (LocalPostgres.isRunning(BackupCommand.apiFolder(folder).resolve("postgres"))) {
            throw new IOException("the farm of " + folder + " is running");
        } else if (Files.exists(folder) && !isEmpty(folder) && !isUnfinished(folder)) {
            throw new IOException(folder + " is not empty: choose another folder or move this one away");
        }
        try (ZipFile zip = new ZipFile(archive.toFile())) {
            BackupArchive.verifyEnd(archive);
            BackupArchive.verifyChecksums(zip);
            if (Files.exists(folder)) {
                restoreInside(zip, folder);
            } else {
                restoreBeside(zip, folder);
            }
        } catch (ZipException e) {
            throw new IOException(archive + " is not a complete backup: " + e.getMessage(), e);
        }
    }

    /** Returns whether a restore into the folder was interrupted. No farm starts there until one is complete. */
    static boolean isUnfinished(Path folder) {
        return Files.exists(folder.resolve(UNFINISHED));
    }

    private static void restoreBeside(ZipFile zip, Path folder) throws IOException {
        Path parent = Objects.requireNonNull(folder.getParent());
        Files.createDirectories(parent);
        String name = DRAFT + folder.getFileName();
        deleteDrafts(parent, name);
        Path draft = Files.createTempDirectory(parent, name, DataFolderLock.OWNER_ONLY);
        unpack(zip, draft);
        Files.move(draft, folder, StandardCopyOption.ATOMIC_MOVE);
        CrashPoint.reached("restored");
        BackupArchive.syncToDisk(parent);
    }

    /** Fills an empty folder, or one that an interrupted restore has filled in part. */
    private static void restoreInside(ZipFile zip, Path folder) throws IOException {
        Path draft = folder.resolve(UNFINISHED);
        for (Path child : children(folder)) {
            if (!child.equals(draft)) {
                FileTree.delete(child);
            }
        }
        FileTree.delete(draft);
        Files.createDirectory(draft, DataFolderLock.OWNER_ONLY);
        unpack(zip, draft);
        for (Path child : children(draft)) {
            Files.move(child, folder.resolve(child.getFileName()), StandardCopyOption.ATOMIC_MOVE);
            CrashPoint.reached("moving");
        }
        BackupArchive.syncToDisk(folder);
        Files.delete(draft);
        CrashPoint.reached("restored");
        BackupArchive.syncToDisk(folder);
    }

    private static void unpack(ZipFile zip, Path draft) throws IOException {
        BackupArchive.unpack(zip, draft);
        Files.createFile(BackupCommand.apiFolder(draft).resolve(RESTORE_MARKER));
        try (Stream<Path> folders = Files.walk(draft)) {
            for (Path each : folders.filter(Files::isDirectory).toList()) {
                BackupArchive.syncToDisk(each);
            }
        }
        CrashPoint.reached("synced");
    }

    private static List<Path> children(Path folder) throws IOException {
        try (Stream<Path> children = Files.list(folder)) {
            return children.toList();
        }
    }

    private static boolean isEmpty(Path folder) throws IOException {
        return children(folder).isEmpty();
    }

    /** Deletes temporary folders of interrupted restores. */
    private static void deleteDrafts(Path parent, String name) throws IOException {
        for (Path child : children(parent)) {
            if (child.getFileName().toString().startsWith(name)) {
                FileTree.delete(child);
            }
        }
    }
}
