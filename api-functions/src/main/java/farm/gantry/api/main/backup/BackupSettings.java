package farm.gantry.api.main.backup;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.nio.file.Path;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Settings of scheduled backups.
 *
 * @param folder folder of the archives; without it no backups are scheduled
 * @param at time of day in the time zone of the server
 * @param keep number of archives that are kept
 */
@ConfigurationProperties("gantry.backup")
public record BackupSettings(
        @Nullable String folder,
        @Bindable(defaultValue = "03:00") String at,
        @Bindable(defaultValue = "14") int keep) {
    /** The key of the folder's setting. */
    public static final String FOLDER = "gantry.backup.folder";

    /** Returns the folder of the archives; empty without scheduled backups. */
    public Optional<BackupFolder> archives() {
        return Optional.ofNullable(folder)
                .filter(path -> !path.isBlank())
                .map(path -> new BackupFolder(Path.of(path).toAbsolutePath().normalize()));
    }

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException names the setting whose value is invalid
     */
    public void check() {
        archives();
        time();
        if (keep < 1) {
            throw new IllegalArgumentException("gantry.backup.keep: " + keep + " is not a number of archives from 1");
        }
    }

    BackupSchedule schedule(ZoneId zone) {
        return new BackupSchedule(time(), zone);
    }

    private LocalTime time() {
        try {
            return LocalTime.parse(at).truncatedTo(ChronoUnit.SECONDS);
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException(
                    "gantry.backup.at: \"" + at + "\" is not a time of day, such as 03:00", e);
        }
    }
}
