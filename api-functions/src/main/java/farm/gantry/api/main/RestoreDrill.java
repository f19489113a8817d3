package farm.gantry.api.main;

import farm.gantry.api.database.schema.RestoredRecords;
import farm.gantry.api.main.postgres.LocalPostgres;
import farm.gantry.api.main.process.DataFolderLock;
import farm.gantry.file.FileUri;
import farm.gantry.ingest.reading.FileHash;
import farm.gantry.ingest.reading.FileTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/**
 * Restores an archive to a temporary folder, which proves that a farm can be restored from it. Starts the database
 * there, reads all records, and compares each file of a part with its hash.
 */
public final class RestoreDrill {
    /** Space that must stay free beside the restored files, for the programs and the log of the database. */
    private static final long MIN_FREE_BYTES = 1_000_000_000;

    private RestoreDrill() {}

    /** The number of records and files that were read. */
    public record Result(long records, int files) {}

    /** Restores the archive into a new folder in {@code parent}, and deletes that folder. */
    public static Result run(Path archive, Path parent) throws IOException {
        checkSpace(archive, parent);
        Path folder = Files.createTempDirectory(parent, "gantry-drill-", DataFolderLock.OWNER_ONLY);
        try {
            Path restored = folder.resolve("farm");
            RestoreCommand.restoreArchive(archive, restored);
            return check(BackupCommand.apiFolder(restored));
        } finally {
            FileTree.delete(folder);
        }
    }

    /** Throws if the restored files would fill the disk, which may be that of a running server. */
    private static void checkSpace(Path archive, Path parent) throws IOException {
        try (ZipFile zip = new ZipFile(archive.toFile())) {
            long needed = zip.stream().mapToLong(ZipEntry::getSize).sum() + MIN_FREE_BYTES;
            if (parent.toFile().getUsableSpace() < needed) {
                throw new IOException("the drill needs " + needed / 1_000_000 + " MB in " + parent
                        + "; name a folder on another disk with --drill-in");
            }
        } catch (ZipException e) {
            throw new IOException(archive + " is not a complete backup: " + e.getMessage(), e);
        }
    }

    private static Result check(Path data) throws IOException {
        try (LocalPostgres postgres = LocalPostgres.start(data.resolve("postgres"))) {
            RestoredRecords records = RestoredRecords.read(postgres.ownerUrl(LocalPostgres.DATABASE));
            for (String text : records.fileUris()) {
                Optional<FileUri> uri = FileUri.parse(text);
                if (uri.isEmpty() || !isStored(data.resolve("files"), uri.get())) {
                    throw new IOException("the file " + text + " of a part is missing or damaged");
                }
            }
            return new Result(records.count(), records.fileUris().size());
        }
    }

    private static boolean isStored(Path files, FileUri uri) throws IOException {
        Path home = files.resolve(uri.area().name()).resolve(uri.storeId()).resolve(uri.id());
        Path content = home.resolve("content").resolve(uri.name());
        Path hash = home.resolve("sha256").resolve(uri.name());
        return Files.isRegularFile(content)
                && Files.isRegularFile(hash)
                && FileHash.of(content).equals(Files.readString(hash));
    }
}
