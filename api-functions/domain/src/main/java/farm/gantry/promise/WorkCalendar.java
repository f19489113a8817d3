package farm.gantry.promise;

import farm.gantry.store.WorkingHours;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The times at which people are at the farm, for some weeks from now, in seconds from now. */
final class WorkCalendar {
    private static final int DAYS = 120;

    private final long[] begins;
    private final long[] ends;

    private WorkCalendar(List<long[]> shifts) {
        this.begins = shifts.stream().mapToLong(shift -> shift[0]).toArray();
        this.ends = shifts.stream().mapToLong(shift -> shift[1]).toArray();
    }

    static WorkCalendar of(WorkingHours hours, ZoneId zone, Instant now) {
        return new WorkCalendar(shifts(hours, zone, now));
    }

    /** Returns the hours of the settings, except where somebody was seen to be at the farm at other times. */
    static WorkCalendar of(WorkingHours hours, Attendance attendance, ZoneId zone, Instant now) {
        List<long[]> shifts = shifts(hours, zone, now);
        return new WorkCalendar(attendance.isUnknown() ? shifts : correctByAttendance(shifts, hours, attendance, zone, now));
    }

    private static List<long[]> shifts(WorkingHours hours, ZoneId zone, Instant now) {
        List<long[]> shifts = new ArrayList<>();
        if (hours.shifts().isEmpty()) {
            shifts.add(new long[] {Long.MIN_VALUE, Long.MAX_VALUE});
            return shifts;
        }
        LocalDate first = now.atZone(zone).toLocalDate().minusDays(1);
        for (LocalDate day = first; day.isBefore(first.plusDays(DAYS)); day = day.plusDays(1)) {
            if (!hours.holidays().contains(day.toString())) {
                for (WorkingHours.Shift shift : hours.shifts()) {
                    if (shift.day().dayOfWeek() == day.getDayOfWeek()) {
                        shifts.add(shift(shift, day, zone, now));
                    }
                }
            }
        }
        return mergeOverlapping(shifts);
    }

    private static List<long[]> correctByAttendance(
            List<long[]> shifts, WorkingHours hours, Attendance attendance, ZoneId zone, Instant now) {
        List<long[]> corrected = new ArrayList<>();
        LocalDate first = now.atZone(zone).toLocalDate().minusDays(1);
        int next = 0;
        for (LocalDate day = first; day.isBefore(first.plusDays(DAYS)); day = day.plusDays(1)) {
            boolean isHoliday = hours.holidays().contains(day.toString());
            for (int slot = 0; slot < Attendance.SLOTS_OF_DAY; slot++) {
                long begin = second(day, slot, zone, now);
                long end = slot + 1 < Attendance.SLOTS_OF_DAY
                        ? second(day, slot + 1, zone, now)
                        : second(day.plusDays(1), 0, zone, now);
                while (next < shifts.size() && shifts.get(next)[1] <= begin) {
                    next++;
                }
                Boolean isAttended =
                        isHoliday ? null : attendance.isAttended(Attendance.slot(day.getDayOfWeek(), slot));
                if (isAttended == null) {
                    addWithin(begin, end, shifts, next, corrected);
                } else if (isAttended) {
                    corrected.add(new long[] {begin, end});
                }
            }
        }
        return mergeOverlapping(corrected);
    }

    private static void addWithin(long begin, long end, List<long[]> shifts, int first, List<long[]> corrected) {
        for (int i = first; i < shifts.size() && shifts.get(i)[0] < end; i++) {
            corrected.add(new long[] {Math.max(begin, shifts.get(i)[0]), Math.min(end, shifts.get(i)[1])});
        }
    }

    private static long second(LocalDate day, int slot, ZoneId zone, Instant now) {
        LocalTime time = LocalTime.MIN.plusMinutes((long) slot * Attendance.SLOT_MINUTES);
        return ChronoUnit.SECONDS.between(now, day.atTime(time).atZone(zone).toInstant());
    }

    private static long[] shift(WorkingHours.Shift shift, LocalDate day, ZoneId zone, Instant now) {
        LocalTime from = LocalTime.parse(shift.from());
        LocalTime to = LocalTime.parse(shift.to());
        LocalDate last = to.isAfter(from) ? day : day.plusDays(1);
        return new long[] {
            ChronoUnit.SECONDS.between(now, day.atTime(from).atZone(zone).toInstant()),
            ChronoUnit.SECONDS.between(now, last.atTime(to).atZone(zone).toInstant())
        };
    }

    /** Shifts that overlap are one. */
    private static List<long[]> mergeOverlapping(List<long[]> shifts) {
        shifts.sort(Comparator.comparingLong(shift -> shift[0]));
        List<long[]> joined = new ArrayList<>();
        for (long[] shift : shifts) {
            long[] last = joined.isEmpty() ? null : joined.getLast();
            if (last != null && shift[0] <= last[1]) {
                last[1] = Math.max(last[1], shift[1]);
            } else {
                joined.add(shift);
            }
        }
        return joined;
    }

    /** The first second at or after that one at which somebody is there; beyond the calendar it is that second itself. */
    long nextAttendedSecond(long second) {
        int low = 0;
        int high = ends.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (ends[middle] <= second) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low == ends.length ? second : Math.max(second, begins[low]);
    }
}
