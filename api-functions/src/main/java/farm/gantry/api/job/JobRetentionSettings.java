package farm.gantry.api.job;

import io.micronaut.context.annotation.ConfigurationProperties;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Settings of the deletion of ended jobs.
 *
 * @param retention how long they are kept, at least 30 days; unset for no limit
 * @param archiveFolder folder of the files to which they are written before; unset for none
 */
@ConfigurationProperties("gantry.jobs")
record JobRetentionSettings(
        @Nullable Duration retention, @Nullable String archiveFolder) {
    /** Estimates are learned from the prints of this time, and reports show it by default. */
    private static final Duration MIN_RETENTION = Duration.ofDays(30);

    JobRetentionSettings {
        if (retention != null && retention.compareTo(MIN_RETENTION) < 0) {
            throw new IllegalArgumentException("gantry.jobs.retention must be at least " + MIN_RETENTION.toDays()
                    + "d, because estimates are learned from the prints of this time");
        }
    }

    Optional<JobArchive> archive() {
        return Optional.ofNullable(archiveFolder)
                .filter(folder -> !folder.isBlank())
                .map(folder -> new JobArchive(Path.of(folder)));
    }
}
