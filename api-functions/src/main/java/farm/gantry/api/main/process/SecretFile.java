package farm.gantry.api.main.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;

/** Files that contain one secret each and that only their owner can read. */
public final class SecretFile {
    /** The secrets of a server, by their paths in its data folder. None can be replaced: it encrypts or signs what is stored. */
    public static final List<String> OF_SERVER =
            List.of("pepper", "secret-key", "postgres/password", "postgres/owner-password");

    public static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private SecretFile() {}

    /** Returns the secret in the file; creates the file with {@code fresh} if it does not exist. */
    public static String readOrCreate(Path file, String fresh) throws IOException {
        if (!Files.exists(file)) {
            write(file, fresh);
        }
        return Files.readString(file).strip();
    }

    /**
     * Writes the secret to the file. After a crash the file contains either the old or the new secret, never a part of
     * one.
     */
    public static void write(Path file, String secret) throws IOException {
        Path draft = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(draft);
        Files.createFile(draft, OWNER_ONLY);
        Files.writeString(draft, secret, StandardOpenOption.SYNC);
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
