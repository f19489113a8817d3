package farm.gantry.api.main.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** A secret that is created once and stored in a file that only its owner can read. */
public final class SecretFile {
    public static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private SecretFile() {}

    /** The secret in the file; {@code fresh} where there is none yet. */
    public static String readOrCreate(Path file, String fresh) throws IOException {
        if (!Files.exists(file)) {
            write(file, fresh);
        }
        return Files.readString(file).strip();
    }

    /** Writes the secret to the file and replaces an older one; a crash leaves one of the two, whole. */
    public static void write(Path file, String secret) throws IOException {
        Path draft = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(draft);
        Files.createFile(draft, OWNER_ONLY);
        Files.writeString(draft, secret, StandardOpenOption.SYNC);
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
