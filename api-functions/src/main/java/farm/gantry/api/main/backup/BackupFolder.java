package farm.gantry.api.main.backup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.ResolverStyle;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The folder of scheduled backups, {@code gantry-backup-20261130T030000Z.zip}. A file with such a name is complete,
 * because an archive gets its name last. Other files are never counted or deleted, and neither are archives of the
 * future, which a wrong clock has named.
 */
public record BackupFolder(Path path) {
    private static final String PREFIX = "gantry-backup-";
    private static final String SUFFIX = ".zip";
    /** Suffix of an archive that is being written. */
    private static final String DRAFT_SUFFIX = SUFFIX + ".partial";

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'").withResolverStyle(ResolverStyle.STRICT);

    private record Archive(Path file, Instant time) {}

    /** Returns the path of the archive of a backup that begins at the time. */
    Path archive(Instant time) {
        return path.resolve(PREFIX + TIME.format(time.atOffset(ZoneOffset.UTC)) + SUFFIX);
    }

    /** Returns when the newest backup began. */
    public Optional<Instant> findLatest(Instant now) throws IOException {
        return findArchives(SUFFIX, now).stream().map(Archive::time).findFirst();
    }

    /** Deletes the oldest archives, so that at most {@code keep} are left. */
    void deleteOldest(int keep, Instant now) throws IOException {
        for (Archive archive : findArchives(SUFFIX, now).stream().skip(keep).toList()) {
            Files.deleteIfExists(archive.file());
        }
    }

    /** Deletes what killed servers left of unfinished archives. */
    void deleteInterrupted(Instant now) throws IOException {
        for (Archive draft : findArchives(DRAFT_SUFFIX, now)) {
            Files.deleteIfExists(draft.file());
        }
    }

    /** Throws, with the remedy, if the folder does not exist or cannot be written. */
    public void checkWritable() throws IOException {
        String user = System.getProperty("user.name");
        if (!Files.isDirectory(path)) {
            throw new IOException("there is no folder " + path + "; create it, and give it to the user " + user);
        } else if (!Files.isWritable(path)) {
            throw new IOException("the user " + user + " cannot write to " + path
                    + "; give it to that user, and name it in ReadWritePaths of the systemd unit");
        }
    }

    /** Returns the archives until now, the newest first. */
    private List<Archive> findArchives(String suffix, Instant now) throws IOException {
        try (Stream<Path> files = Files.list(path)) {
            return files.flatMap(file -> time(file, suffix).map(time -> new Archive(file, time)).stream())
                    .filter(archive -> !archive.time().isAfter(now) && Files.isRegularFile(archive.file()))
                    .sorted(Comparator.comparing(Archive::time).reversed())
                    .toList();
        }
    }

    private static Optional<Instant> time(Path file, String suffix) {
        String name = file.getFileName().toString();
        if (!name.startsWith(PREFIX) || !name.endsWith(suffix)) {
            return Optional.empty();
        }
        try {
            String time = name.substring(PREFIX.length(), name.length() - suffix.length());
            return Optional.of(LocalDateTime.parse(time, TIME).toInstant(ZoneOffset.UTC));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }
}
