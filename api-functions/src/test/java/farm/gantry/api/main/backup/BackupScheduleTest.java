package farm.gantry.api.main.backup;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class BackupScheduleTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    private final BackupSchedule utc = new BackupSchedule(LocalTime.of(3, 0), ZoneOffset.UTC);

    private static BackupSchedule berlin(int hour, int minute) {
        return new BackupSchedule(LocalTime.of(hour, minute), BERLIN);
    }

    private static Instant at(String time) {
        return Instant.parse(time);
    }

    @Test
    void nextBackupIsOnTheSameDayOrTheNext() {
        assertThat(utc.nextAfter(at("2026-11-30T02:59:59Z"))).isEqualTo(at("2026-11-30T03:00:00Z"));
        assertThat(utc.nextAfter(at("2026-11-30T03:00:00Z"))).isEqualTo(at("2026-12-01T03:00:00Z"));
        assertThat(berlin(3, 0).nextAfter(at("2026-11-30T03:00:00Z"))).isEqualTo(at("2026-12-01T02:00:00Z"));
    }

    /** On 2026-03-29, clocks in Berlin go from 02:00 to 03:00. */
    @Test
    void skippedTimeIsDueAfterTheGap() {
        BackupSchedule schedule = berlin(2, 30);
        Instant dayBefore = at("2026-03-28T01:30:00Z");
        Instant moved = schedule.nextAfter(dayBefore);
        assertThat(moved).isEqualTo(at("2026-03-29T01:30:00Z")); // 03:30 in summer
        assertThat(schedule.nextAfter(moved)).isEqualTo(at("2026-03-30T00:30:00Z"));
    }

    /** On 2026-10-25, clocks in Berlin go from 03:00 to 02:00. */
    @Test
    void repeatedTimeIsDueOnce() {
        BackupSchedule schedule = berlin(2, 30);
        Instant first = schedule.nextAfter(at("2026-10-24T12:00:00Z"));
        assertThat(first).isEqualTo(at("2026-10-25T00:30:00Z"));
        assertThat(schedule.nextAfter(first)).isEqualTo(at("2026-10-26T01:30:00Z"));
        assertThat(schedule.nextAfter(at("2026-10-25T01:30:00Z"))).isEqualTo(at("2026-10-26T01:30:00Z"));
    }

    @Test
    void timeAfterTheClockChangeKeepsItsHour() {
        assertThat(berlin(3, 0).nextAfter(at("2026-10-24T01:00:00Z"))).isEqualTo(at("2026-10-25T02:00:00Z"));
        assertThat(berlin(3, 0).nextAfter(at("2026-03-28T02:00:00Z"))).isEqualTo(at("2026-03-29T01:00:00Z"));
    }

    @Test
    void missedBackupIsDueSoonAfterTheStart() {
        Instant start = at("2026-11-30T10:00:00Z");
        Instant soon = at("2026-11-30T10:05:00Z");
        assertThat(utc.dueAfter(Optional.empty(), start)).isEqualTo(soon);
        assertThat(utc.dueAfter(Optional.of(at("2026-11-29T09:59:00Z")), start)).isEqualTo(soon);
        assertThat(utc.dueAfter(Optional.of(at("2026-11-30T02:59:00Z")), start)).isEqualTo(soon);
    }

    @Test
    void recentBackupLeavesTheNextOneAtItsTime() {
        Instant start = at("2026-11-30T10:00:00Z");
        assertThat(utc.dueAfter(Optional.of(at("2026-11-30T03:00:00Z")), start)).isEqualTo(at("2026-12-01T03:00:00Z"));
        assertThat(utc.dueAfter(Optional.of(at("2026-11-30T10:05:00Z")), start)).isEqualTo(at("2026-12-01T03:00:00Z"));
    }
}
