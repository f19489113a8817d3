package farm.gantry.api.main.backup;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Optional;

/**
 * A backup on each day at a time of day in a time zone. When a clock change skips the time, the backup is due later by
 * the skipped interval; when it repeats the time, the backup is due once.
 */
record BackupSchedule(LocalTime at, ZoneId zone) {
    /** Delay of a missed backup after the start of the server, which has more urgent work then. */
    static final Duration STARTUP_DELAY = Duration.ofMinutes(5);

    /** Returns the first scheduled time after the instant. */
    Instant nextAfter(Instant instant) {
        LocalDate day = instant.atZone(zone).toLocalDate();
        Instant sameDay = scheduledOn(day);
        return sameDay.isAfter(instant) ? sameDay : scheduledOn(day.plusDays(1));
    }

    private Instant scheduledOn(LocalDate day) {
        return day.atTime(at).atZone(zone).toInstant();
    }

    /**
     * Returns when the next backup of a running server is due. A scheduled time that passed while the server was
     * stopped, or a missing first backup, makes one due soon after the start.
     */
    Instant dueAfter(Optional<Instant> lastBackup, Instant startedAt) {
        return lastBackup
                .map(this::nextAfter)
                .filter(next -> !next.isBefore(startedAt))
                .orElse(startedAt.plus(STARTUP_DELAY));
    }
}
