package farm.gantry.promise;

import farm.gantry.store.WorkingHours;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Comparator;
import java.util.List;

/**
 * When people are at the farm and how long they take to clear a bed. The store's settings are the prior; confirmations of clear beds
 * replace them as they accumulate. People and holidays are always those of the settings.
 */
public final class WorkPattern {
    private final WorkingHours settings;
    private final Attendance attendance;
    private final ClearingTime clearing;
    private final Source source;

    /** The basis of a work pattern. */
    @Serdeable
    public enum Source {
        /** The store's settings, because there are too few confirmations of clear beds. */
        settings,
        /** Confirmations of clear beds: some hours differ from the settings, or the clearing time counts more than its setting. */
        confirmations
    }

    private WorkPattern(WorkingHours settings, Attendance attendance, ClearingTime clearing, Source source) {
        this.settings = settings;
        this.attendance = attendance;
        this.clearing = clearing;
        this.source = source;
    }

    /** Returns a pattern from the settings alone. */
    public static WorkPattern fromSettings(WorkingHours settings) {
        return new WorkPattern(settings, Attendance.UNKNOWN, ClearingTime.fromSettings(settings), Source.settings);
    }

    /** Learns the pattern from confirmations by people; recent ones weigh more. */
    public static WorkPattern learn(
            WorkingHours settings, ZoneId zone, Instant now, List<BedConfirmation> confirmations) {
        List<BedConfirmation> sorted = confirmations.stream()
                .filter(bed -> bed.clearedAt().isAfter(bed.endedAt()))
                .sorted(Comparator.comparing(BedConfirmation::endedAt))
                .toList();
        if (sorted.isEmpty()) {
            return fromSettings(settings);
        }
        RecencyWeight recency = new RecencyWeight(now);
        Attendance attendance = new AttendanceEstimator(settings, zone, recency).learn(sorted);
        ClearingTime clearing = ClearingTime.learn(settings, attendance, zone, sorted, recency);
        boolean isLearned = !attendance.isUnknown() || clearing.isLearned();
        return new WorkPattern(settings, attendance, clearing, isLearned ? Source.confirmations : Source.settings);
    }

    public WorkingHours settings() {
        return settings;
    }

    public Source source() {
        return source;
    }

    ClearingTime clearing() {
        return clearing;
    }

    WorkCalendar calendar(ZoneId zone, Instant now) {
        return WorkCalendar.of(settings, attendance, zone, now);
    }
}
