package farm.gantry.api.database.schema;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Identifies the migrations of a build by the names and checksums in the directory of their archive, because reading
 * them takes a good part of a start.
 */
final class MigrationDigest {
    /** Folder of the migrations in the archive. */
    static final String FOLDER = "db/migration";

    private MigrationDigest() {}

    /**
     * Returns the digest of this build's migrations; empty if they are not in an archive and so may change at any time.
     */
    static Optional<String> ofBuild() {
        try {
            Path place = Path.of(MigrationDigest.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            return Files.isRegularFile(place) ? of(place) : Optional.empty();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the digest of the migrations in an archive, if it has any. */
    static Optional<String> of(Path archive) {
        try (ZipFile file = new ZipFile(archive.toFile())) {
            List<? extends ZipEntry> migrations = file.stream()
                    .filter(entry -> entry.getName().startsWith(FOLDER) && !entry.isDirectory())
                    .sorted(Comparator.comparing(ZipEntry::getName))
                    .toList();
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (ZipEntry each : migrations) {
                digest.update((each.getName() + ' ' + each.getCrc() + '\n').getBytes(StandardCharsets.UTF_8));
            }
            return migrations.isEmpty()
                    ? Optional.empty()
                    : Optional.of(HexFormat.of().formatHex(digest.digest()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
