package farm.gantry.promise;

import farm.gantry.store.WorkingHours;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Estimates in which half hours of the week somebody is at the farm, from the times at which people confirmed beds. A half hour counts as
 * attended if work on a confirmed bed began in it, and as unattended if a bed waited through most of it during a long gap without
 * confirmations. The estimate starts from the settings, is updated by the same time of day on all days with the same setting, and then by
 * the half hour itself. It differs from the settings only after {@link #MIN_OBSERVATIONS}.
 */
final class AttendanceEstimator {
    /** The prior probability that the settings are right, and its weight as a number of observations. */
    private static final double PRIOR = 0.9;

    private static final double PRIOR_WEIGHT = 1;

    /** The probability from which on a half hour differs from the settings. */
    private static final double CERTAINTY = 0.7;

    /**
     * The minimum number of observations that contradict the setting of a half hour, at the same time of day on all days with the same
     * setting, so that a single bad day changes nothing.
     */
    private static final int MIN_OBSERVATIONS = 3;

    /** A gap counts as unattended if a bed waits this many times longer than the first quartile of all waits. */
    private static final int LONG_WAITS = 6;

    private static final Duration SLOT = Duration.ofMinutes(Attendance.SLOT_MINUTES);

    /** The minimum part of a half hour without a confirmation for it to count as unattended: seven tenths. */
    private static final Duration MIN_UNATTENDED = SLOT.multipliedBy(7).dividedBy(10);

    private final WorkingHours settings;
    private final ZoneId zone;
    private final RecencyWeight recency;
    private final double[] attended = new double[Attendance.SLOTS_OF_WEEK];
    private final double[] unattended = new double[Attendance.SLOTS_OF_WEEK];
    private final int[] attendedCount = new int[Attendance.SLOTS_OF_WEEK];
    private final int[] unattendedCount = new int[Attendance.SLOTS_OF_WEEK];

    /** A period in which a bed waited and nobody began to clear one. */
    private record UnattendedGap(Instant from, Instant to) {
        Duration length() {
            return Duration.between(from, to);
        }
    }

    AttendanceEstimator(WorkingHours settings, ZoneId zone, RecencyWeight recency) {
        this.settings = settings;
        this.zone = zone;
        this.recency = recency;
    }

    /** Returns the attendance that the confirmations show; they are sorted by the end of their prints. */
    Attendance learn(List<BedConfirmation> confirmations) {
        Map<ZonedDateTime, Boolean> seen = new HashMap<>();
        for (BedConfirmation bed : confirmations) {
            seen.put(slotOf(workStartOf(bed.clearedAt())), true);
        }
        Duration minGap = minUnattendedGap(confirmations);
        for (UnattendedGap gap : gaps(confirmations)) {
            if (gap.length().compareTo(minGap) >= 0) {
                addUnattended(gap, seen);
            }
        }
        seen.forEach((slot, isAttended) -> {
            if (!settings.holidays().contains(slot.toLocalDate().toString())) {
                (isAttended ? attended : unattended)[weekSlot(slot)] += recency.weight(slot.toInstant());
                (isAttended ? attendedCount : unattendedCount)[weekSlot(slot)]++;
            }
        });
        return attendance();
    }

    private Instant workStartOf(Instant clearedAt) {
        return clearedAt.minus(Duration.ofMinutes(settings.minutesPerBed()));
    }

    private static Duration minUnattendedGap(List<BedConfirmation> confirmations) {
        List<Duration> waits =
                confirmations.stream().map(BedConfirmation::waited).sorted().toList();
        Duration responsive = waits.get(waits.size() / 4).multipliedBy(LONG_WAITS);
        return responsive.compareTo(MIN_UNATTENDED) > 0 ? responsive : MIN_UNATTENDED;
    }

    /**
     * Returns the gaps between two confirmations while a bed waits, and from the first waiting bed to the first confirmation. If people
     * cleared a later print's bed first, the bed that they passed over waits only until then, because it shows nothing about attendance.
     */
    private List<UnattendedGap> gaps(List<BedConfirmation> confirmations) {
        Instant[] ends = new Instant[confirmations.size()];
        Instant next = Instant.MAX;
        for (int i = ends.length - 1; i >= 0; i--) {
            Instant cleared = confirmations.get(i).clearedAt();
            next = cleared.isBefore(next) ? cleared : next;
            ends[i] = next;
        }
        List<UnattendedGap> gaps = new ArrayList<>();
        Instant last = Instant.MIN;
        for (int i = 0; i < ends.length; i++) {
            Instant ended = confirmations.get(i).endedAt();
            if (ends[i].isAfter(last)) {
                gaps.add(new UnattendedGap(ended.isAfter(last) ? ended : last, workStartOf(ends[i])));
                last = ends[i];
            }
        }
        return gaps;
    }

    private void addUnattended(UnattendedGap gap, Map<ZonedDateTime, Boolean> seen) {
        for (ZonedDateTime slot = slotOf(gap.from());
                slot.toInstant().isBefore(gap.to());
                slot = slotOf(slot.toInstant().plus(SLOT))) {
            Instant from = slot.toInstant().isAfter(gap.from()) ? slot.toInstant() : gap.from();
            Instant end = slot.toInstant().plus(SLOT);
            Instant to = end.isBefore(gap.to()) ? end : gap.to();
            if (Duration.between(from, to).compareTo(MIN_UNATTENDED) >= 0) {
                seen.put(slot, false);
            }
        }
    }

    private ZonedDateTime slotOf(Instant time) {
        ZonedDateTime local = time.atZone(zone);
        int minute = local.getMinute() / Attendance.SLOT_MINUTES * Attendance.SLOT_MINUTES;
        return local.withMinute(minute).withSecond(0).withNano(0);
    }

    private static int weekSlot(ZonedDateTime slot) {
        int slotOfDay = (slot.getHour() * 60 + slot.getMinute()) / Attendance.SLOT_MINUTES;
        return Attendance.slot(slot.getDayOfWeek(), slotOfDay);
    }

    private Attendance attendance() {
        BitSet expected = expectedSlots();
        BitSet added = new BitSet();
        BitSet removed = new BitSet();
        for (int slot = 0; slot < Attendance.SLOTS_OF_WEEK; slot++) {
            if (contradictions(slot, expected) < MIN_OBSERVATIONS) {
                continue;
            }
            double probability = probability(slot, expected);
            if (expected.get(slot) && probability < 1 - CERTAINTY) {
                removed.set(slot);
            } else if (!expected.get(slot) && probability > CERTAINTY) {
                added.set(slot);
            }
        }
        return new Attendance(added, removed);
    }

    /** Returns the half hours at the same time of day on the days with the same setting. */
    private static IntStream sameSlots(int slot, BitSet expected) {
        return IntStream.iterate(
                        slot % Attendance.SLOTS_OF_DAY,
                        same -> same < Attendance.SLOTS_OF_WEEK,
                        same -> same + Attendance.SLOTS_OF_DAY)
                .filter(same -> expected.get(same) == expected.get(slot));
    }

    private int contradictions(int slot, BitSet expected) {
        int[] counts = expected.get(slot) ? unattendedCount : attendedCount;
        return sameSlots(slot, expected).map(same -> counts[same]).sum();
    }

    /** Returns the posterior probability that somebody is at the farm. */
    private double probability(int slot, BitSet expected) {
        double yes = PRIOR_WEIGHT * (expected.get(slot) ? PRIOR : 1 - PRIOR)
                + sameSlots(slot, expected).mapToDouble(same -> attended[same]).sum();
        double all = PRIOR_WEIGHT
                + sameSlots(slot, expected)
                        .mapToDouble(same -> attended[same] + unattended[same])
                        .sum();
        return (PRIOR_WEIGHT * yes / all + attended[slot]) / (PRIOR_WEIGHT + attended[slot] + unattended[slot]);
    }

    /** Returns the half hours whose middle is within the settings' working hours. */
    private BitSet expectedSlots() {
        BitSet expected = new BitSet();
        LocalDate monday = LocalDate.EPOCH.plusDays(4);
        Instant begin = monday.atStartOfDay(zone).toInstant();
        WorkCalendar calendar = WorkCalendar.of(
                new WorkingHours(
                        settings.shifts(),
                        List.of(),
                        settings.minutesPerBed(),
                        settings.minutesPerFilamentChange(),
                        settings.people()),
                Attendance.UNKNOWN,
                zone,
                begin);
        for (int slot = 0; slot < Attendance.SLOTS_OF_WEEK; slot++) {
            LocalTime middle = LocalTime.MIN.plusMinutes(
                    (slot % Attendance.SLOTS_OF_DAY) * (long) Attendance.SLOT_MINUTES + Attendance.SLOT_MINUTES / 2);
            Instant time = monday.plusDays(slot / Attendance.SLOTS_OF_DAY)
                    .atTime(middle)
                    .atZone(zone)
                    .toInstant();
            long second = Duration.between(begin, time).toSeconds();
            expected.set(slot, calendar.nextAttendedSecond(second) == second);
        }
        return expected;
    }
}
