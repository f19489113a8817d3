package farm.gantry.api.main;

import farm.gantry.api.database.schema.ClusterBackup;
import farm.gantry.api.main.postgres.LocalPostgres;
import farm.gantry.api.main.process.DataFolderLock;
import farm.gantry.api.main.process.SecretFile;
import farm.gantry.api.settings.ServerSettings;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code backup}: writes the database, files and secrets of a one-machine installation into an archive, whether the
 * farm runs or not. It copies the database before the files, because a file is stored before a row refers to it. No
 * files are deleted meanwhile.
 */
@Command(
        name = "backup",
        mixinStandardHelpOptions = true,
        description = "Writes all data of a farm on this machine into one archive: database, files and keys."
                + " The farm may run. The archive holds secrets; only its owner can read it.")
public final class BackupCommand implements Callable<Integer> {
    /**
     * Folders of PostgreSQL that each start recreates. The required part of the write-ahead log is added separately.
     */
    private static final Set<String> RECREATED_AT_START = Set.of(
            "pg_wal",
            "pg_replslot",
            "pg_dynshmem",
            "pg_notify",
            "pg_serial",
            "pg_snapshots",
            "pg_stat_tmp",
            "pg_subtrans");

    private static final Set<String> PROCESS_FILES = Set.of("postmaster.pid", "postmaster.opts", "epg-lock");

    @Option(
            names = "--data",
            defaultValue = "${env:GANTRY_LOCAL_DATA:-.gantry}",
            description = "data folder of the farm (default: ${DEFAULT-VALUE})")
    Path data = Path.of(".gantry");

    @Option(
            names = "--to",
            description = "path of the archive to write (default: gantry-backup-DATE-TIME.zip in the current folder)")
    @Nullable
    Path to;

    @Option(
            names = "--allow-missing-files",
            description =
                    "make the backup although gantry.files.folder or gantry.aws.bucket stores files outside of the"
                            + " data folder; the archive lacks them")
    boolean allowsMissingFiles;

    @Option(names = "--set", description = "a setting of the server as name=value; may be repeated")
    Map<String, String> settings = Map.of();

    public static void main(String[] arguments) {
        System.exit(commandLine(new BackupCommand(), "Nothing was backed up: ").execute(arguments));
    }

    /** Returns the command line of a command. A failure is printed as one line that starts with {@code beginning}. */
    static CommandLine commandLine(Object command, String beginning) {
        return new CommandLine(command).setExecutionExceptionHandler((failure, line, _) -> {
            line.getErr().println(beginning + failure.getMessage());
            return 1;
        });
    }

    @Override
    public Integer call() throws IOException {
        Path folder = data.toAbsolutePath().normalize();
        if (!allowsMissingFiles) {
            ServerSettings server = new ServerSettings(settings, System.getenv());
            Optional<String> setting = findSettingOfOtherFiles(apiFolder(folder), server::find);
            if (setting.isPresent()) {
                throw new IOException(setting.get() + " stores files outside of " + data
                        + ", and the archive would lack them: copy them yourself, and run this again with"
                        + " --allow-missing-files");
            }
        }
        Path archive = to != null
                ? to
                : Path.of("gantry-backup-"
                        + DateTimeFormatter.ofPattern("yyyy-MM-dd-HHmmss")
                                .format(LocalDateTime.now(ZoneId.systemDefault()))
                        + ".zip");
        writeArchive(folder, archive.toAbsolutePath());
        System.out.println(
                "The farm of " + data + " is in " + archive + " (" + Files.size(archive) / 1_000_000 + " MB)");
        return 0;
    }

    /**
     * Writes the installation in the folder into an archive. The folder is that of {@code infra/local/up} or of the API
     * alone.
     */
    public static void writeArchive(Path folder, Path to) throws IOException {
        Path data = apiFolder(folder);
        if (!LocalPostgres.exists(data.resolve("postgres"))) {
            throw new IOException("there is no farm in " + folder);
        }
        Path postgres = data.resolve("postgres");
        if (LocalPostgres.isRunning(postgres)) {
            writeArchive(folder, data, LocalPostgres.ownerUrl(postgres, LocalPostgres.DATABASE), to, 0);
        } else {
            try (DataFolderLock _ = DataFolderLock.acquire(data, "a backup", Duration.ZERO);
                    LocalPostgres started = LocalPostgres.start(postgres)) {
                writeArchive(folder, data, started.ownerUrl(LocalPostgres.DATABASE), to, 0);
            }
        }
    }

    /**
     * Writes the installation of this process into an archive. Fails when less than {@code minFreeBytes} would be left
     * on the disk of the archive, which may also be that of the database.
     */
    static void writeArchive(Path data, LocalPostgres running, Path to, long minFreeBytes) throws IOException {
        writeArchive(data, data, running.ownerUrl(LocalPostgres.DATABASE), to, minFreeBytes);
    }

    /**
     * Returns the setting by which a server stores its files outside its data folder, where no backup includes them;
     * empty if there is none.
     */
    static Optional<String> findSettingOfOtherFiles(Path data, Function<String, Optional<String>> settings) {
        if (settings.apply(SharedInstallSettings.BUCKET).isPresent()) {
            return Optional.of(SharedInstallSettings.BUCKET);
        }
        Path files = data.resolve("files").toAbsolutePath().normalize();
        return settings.apply(SharedInstallSettings.FILES)
                .filter(folder -> !Path.of(folder).toAbsolutePath().normalize().equals(files))
                .map(_ -> SharedInstallSettings.FILES);
    }

    /** Returns the API's data folder, which in the folder of {@code infra/local/up} is a subfolder. */
    public static Path apiFolder(Path folder) {
        return Files.isDirectory(folder.resolve("api/postgres")) ? folder.resolve("api") : folder;
    }

    private static void writeArchive(Path folder, Path data, String ownerUrl, Path to, long minFreeBytes)
            throws IOException {
        try (BackupArchive archive = new BackupArchive(to, minFreeBytes);
                ClusterBackup backup = ClusterBackup.begin(ownerUrl)) {
            Path cluster = data.resolve("postgres/data");
            addFolderContents(folder, cluster, archive);
            ClusterBackup.WriteAheadLog log = backup.finish();
            archive.add(folder.relativize(cluster.resolve("backup_label")).toString(), log.label());
            for (Path segment : listChildren(cluster.resolve("pg_wal"))) {
                if (log.holds(segment.getFileName().toString())) {
                    addFileIfPresent(folder, segment, archive);
                }
            }
            for (String secret : SecretFile.OF_SERVER) {
                addFileIfPresent(folder, data.resolve(secret), archive);
            }
            addFileIfPresent(folder, folder.resolve("owner.key"), archive);
            addStoredFiles(folder, data.resolve("files"), archive);
            backup.checkHeld();
            archive.finish();
        }
    }

    private static void addFolderContents(Path folder, Path parent, BackupArchive archive) throws IOException {
        archive.addFolder(folder.relativize(parent).toString());
        for (Path child : listChildren(parent)) {
            String name = child.getFileName().toString();
            if (Files.isDirectory(child)) {
                if (RECREATED_AT_START.contains(name)) {
                    archive.addFolder(folder.relativize(child).toString());
                } else if (!name.startsWith("pgsql_tmp")) {
                    addFolderContents(folder, child, archive);
                }
            } else if (!PROCESS_FILES.contains(name)) {
                addFileIfPresent(folder, child, archive);
            }
        }
    }

    /**
     * Adds the stored files, each with the hash of the bytes that were copied, because an upload may be replaced
     * meanwhile.
     */
    private static void addStoredFiles(Path folder, Path files, BackupArchive archive) throws IOException {
        for (String area : List.of("files", "uploads")) {
            for (Path store : listChildren(files.resolve(area))) {
                for (Path owner : listChildren(store)) {
                    Path content = owner.resolve("content");
                    for (Path file : listFiles(content)) {
                        String sum = addFileIfPresent(folder, file, archive);
                        if (sum != null) {
                            Path hash = owner.resolve("sha256").resolve(content.relativize(file));
                            archive.add(folder.relativize(hash).toString(), sum);
                        }
                    }
                }
            }
        }
    }

    /** Adds the file and returns its SHA-256; returns null if the file no longer exists. */
    private static @Nullable String addFileIfPresent(Path folder, Path file, BackupArchive archive) throws IOException {
        try (InputStream bytes = Files.newInputStream(file)) {
            return archive.add(folder.relativize(file).toString(), bytes);
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    private static List<Path> listChildren(Path parent) throws IOException {
        try (Stream<Path> children = Files.list(parent)) {
            return children.sorted().toList();
        } catch (NoSuchFileException e) {
            return List.of();
        }
    }

    private static List<Path> listFiles(Path parent) throws IOException {
        try (Stream<Path> files = Files.walk(parent)) {
            return files.filter(Files::isRegularFile).toList();
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (UncheckedIOException e) {
            if (e.getCause() instanceof NoSuchFileException) { // an upload expired during the walk
                return List.of();
            }
            throw e;
        }
    }
}
