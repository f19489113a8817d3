package farm.gantry.api.main.backup;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a backup of the running server whenever one is due, and then deletes the oldest ones. A failed backup is
 * logged and tried again an hour later. One thread at a time may call it.
 */
public final class ScheduledBackups {
    private static final Logger LOG = LoggerFactory.getLogger(ScheduledBackups.class);
    private static final Duration RETRY_DELAY = Duration.ofHours(1);

    private final BackupFolder folder;
    private final BackupSchedule schedule;
    private final int keep;
    private final ArchiveWriter writer;
    private final Listener listener;
    private final InstantSource clock;
    private final Instant startedAt;
    private final AtomicReference<Instant> retryAt = new AtomicReference<>(Instant.MIN);
    private final AtomicReference<@Nullable Instant> lastBackup = new AtomicReference<>();

    /** Writes an archive to a path, which appears complete or not at all. */
    @FunctionalInterface
    public interface ArchiveWriter {
        void write(Path archive) throws IOException;
    }

    /** Learns of a failed backup, but not of its failed repetitions, and of every backup that succeeded. */
    public interface Listener {
        void onFailure(String reason);

        void onSuccess();
    }

    ScheduledBackups(
            BackupFolder folder,
            BackupSchedule schedule,
            int keep,
            ArchiveWriter writer,
            Listener listener,
            InstantSource clock) {
        this.folder = folder;
        this.schedule = schedule;
        this.keep = keep;
        this.writer = writer;
        this.listener = listener;
        this.clock = clock;
        this.startedAt = clock.instant();
    }

    /** Returns the backups of a server that starts now; empty without a folder of backups. */
    public static Optional<ScheduledBackups> of(BackupSettings settings, ArchiveWriter writer, Listener listener) {
        return settings.archives()
                .map(folder -> new ScheduledBackups(
                        folder,
                        settings.schedule(ZoneId.systemDefault()),
                        settings.keep(),
                        writer,
                        listener,
                        InstantSource.system()));
    }

    /** Returns the seconds since the last backup in the folder began; infinite if there is none. */
    public double ageSeconds() {
        Instant last = lastBackup.get();
        return last == null
                ? Double.POSITIVE_INFINITY
                : Duration.between(last, clock.instant()).toMillis() / 1000.0;
    }

    /** Makes a backup if one is due. Throws nothing for a failed one. */
    public void runIfDue() {
        Instant now = clock.instant();
        Optional<Instant> last = findLatest(now);
        lastBackup.set(last.orElse(null));
        if (now.isBefore(retryAt.get()) || now.isBefore(schedule.dueAfter(last, startedAt))) {
            return;
        }
        try {
            run(now.truncatedTo(ChronoUnit.SECONDS));
            retryAt.set(Instant.MIN);
            notifyListener(Listener::onSuccess);
        } catch (IOException | RuntimeException e) {
            if (!Thread.currentThread().isInterrupted()) { // else the server stops
                Instant retry = now.plus(RETRY_DELAY);
                boolean isRepeated = !retryAt.getAndSet(retry).equals(Instant.MIN);
                LOG.error("the scheduled backup failed and will be tried again at {}: {}", retry, e.getMessage(), e);
                if (!isRepeated) {
                    String reason = String.valueOf(e.getMessage());
                    notifyListener(each -> each.onFailure(reason));
                }
            }
        }
    }

    private void notifyListener(Consumer<Listener> result) {
        try {
            result.accept(listener);
        } catch (RuntimeException e) { // the next backup must not depend on it
            LOG.error("the stores cannot be notified of the result of the backup", e);
        }
    }

    /** Returns when the newest backup began; empty also if the folder cannot be read, which the next backup reports. */
    private Optional<Instant> findLatest(Instant now) {
        try {
            return folder.findLatest(now);
        } catch (IOException | UncheckedIOException e) {
            LOG.debug("cannot list the backups in {}", folder.path(), e);
            return Optional.empty();
        }
    }

    private void run(Instant time) throws IOException {
        folder.checkWritable();
        folder.deleteInterrupted(time);
        Path archive = folder.archive(time);
        writer.write(archive);
        lastBackup.set(time);
        LOG.info("wrote the backup {} ({} MB)", archive, Files.size(archive) >> 20);
        try {
            folder.deleteOldest(keep, time);
        } catch (IOException | UncheckedIOException e) {
            LOG.warn(
                    "cannot delete the oldest backups in {}; delete them, before they fill the disk", folder.path(), e);
        }
    }
}
