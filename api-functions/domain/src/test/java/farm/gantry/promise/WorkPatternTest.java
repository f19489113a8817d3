package farm.gantry.promise;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.store.WorkingHours;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Tests how working hours and clearing times are learned from bed confirmations, in farms whose true hours are known.
 */
class WorkPatternTest {
    private static final ZoneId ZONE = ZoneId.of("Europe/Berlin");
    private static final LocalDate MONDAY = LocalDate.parse("2026-03-02");
    private static final int BEDS = 12;
    private static final long SECONDS_BETWEEN_PRINTS = 600;
    private static final double SPREAD = 0.4;

    private static WorkingHours weekdays(int people, String... times) {
        List<WorkingHours.Shift> shifts = new ArrayList<>();
        for (WorkingHours.Day day : EnumSet.range(WorkingHours.Day.monday, WorkingHours.Day.friday)) {
            for (int i = 0; i < times.length; i += 2) {
                shifts.add(new WorkingHours.Shift(day, times[i], times[i + 1]));
            }
        }
        return new WorkingHours(shifts, List.of(), 5, 5, people);
    }

    private static Instant at(LocalDate day, String time) {
        return day.atTime(LocalTime.parse(time)).atZone(ZONE).toInstant();
    }

    /** Returns the bed confirmations of two people who work these hours and take this many minutes for a bed. */
    private static List<BedConfirmation> confirmations(WorkingHours real, double minutes, LocalDate first, int days) {
        Random random = new Random(17);
        Instant begin = at(first, "00:00");
        WorkCalendar calendar = WorkCalendar.of(real, ZONE, begin);
        PriorityQueue<Long> people = new PriorityQueue<>(List.of(0L, 0L));
        PriorityQueue<Long> waiting = new PriorityQueue<>();
        List<BedConfirmation> confirmations = new ArrayList<>();
        for (long ended = 0; ended < days * 86_400L; ended += 1 + random.nextLong(2 * SECONDS_BETWEEN_PRINTS)) {
            while (!waiting.isEmpty() && waiting.peek() <= ended) {
                waiting.poll();
            }
            if (waiting.size() < BEDS) {
                long begun = calendar.nextAttendedSecond(Math.max(ended, people.poll()));
                long cleared = begun + Math.round(60 * minutes * Math.exp(SPREAD * random.nextGaussian()));
                people.add(cleared);
                waiting.add(cleared);
                confirmations.add(new BedConfirmation(begin.plusSeconds(ended), begin.plusSeconds(cleared)));
            }
        }
        return confirmations;
    }

    private static WorkPattern learned(WorkingHours settings, LocalDate now, List<BedConfirmation> confirmations) {
        return WorkPattern.learn(settings, ZONE, at(now, "00:00"), confirmations);
    }

    /** Returns the first time at or after this time of day at which somebody is at the farm. */
    private static LocalTime from(WorkPattern pattern, LocalDate day, String time) {
        Instant instant = at(day, time);
        long second = pattern.calendar(ZONE, instant).nextAttendedSecond(0);
        return instant.plusSeconds(second).atZone(ZONE).toLocalTime();
    }

    @Test
    void settingsHoldWithoutConfirmations() {
        WorkPattern pattern = learned(weekdays(2, "08:00", "18:00"), MONDAY, List.of());
        assertThat(pattern.source()).isEqualTo(WorkPattern.Source.settings);
        assertThat(pattern.clearing().seconds(0)).isEqualTo(300);
        assertThat(pattern.clearing().seconds(2)).isEqualTo(300);
        assertThat(from(pattern, MONDAY, "12:10")).isEqualTo("12:10");
    }

    @Test
    void fewConfirmationsMoveTheSettingsLittle() {
        List<BedConfirmation> few = IntStream.range(0, 4)
                .mapToObj(i -> new BedConfirmation(
                        at(MONDAY, "09:00").plusSeconds(3600L * i),
                        at(MONDAY, "09:10").plusSeconds(3600L * i)))
                .toList();
        WorkPattern pattern = learned(weekdays(2, "08:00", "18:00"), MONDAY.plusDays(1), few);
        assertThat(pattern.source()).isEqualTo(WorkPattern.Source.settings);
        assertThat(pattern.clearing().seconds(0)).isBetween(301L, 400L);
    }

    @Test
    void slowerClearingIsLearned() {
        WorkingHours hours = weekdays(2, "08:00", "12:00", "13:00", "18:00");
        LocalDate now = MONDAY.plusDays(14);
        WorkPattern pattern = learned(hours, now, confirmations(hours, 8, MONDAY, 14));
        assertThat(pattern.source()).isEqualTo(WorkPattern.Source.confirmations);
        assertThat(pattern.clearing().seconds(0)).isBetween(440L, 520L);
        assertThat(pattern.clearing().spread()).isBetween(0.3, 0.5);
        assertThat(from(pattern, now, "12:10")).isEqualTo("13:00");
        assertThat(from(pattern, now, "07:00")).isEqualTo("08:00");
    }

    @Test
    void unknownLunchBreakIsLearnedWithinAWeek() {
        WorkingHours settings = weekdays(2, "08:00", "18:00");
        WorkingHours real = weekdays(2, "08:00", "12:00", "13:00", "18:00");
        LocalDate now = MONDAY.plusDays(7);
        WorkPattern pattern = learned(settings, now, confirmations(real, 5, MONDAY, 7));
        for (int day = 0; day < 5; day++) {
            assertThat(from(pattern, now.plusDays(day), "12:00")).isEqualTo("13:00");
            assertThat(from(pattern, now.plusDays(day), "11:20")).isEqualTo("11:20");
            assertThat(from(pattern, now.plusDays(day), "17:20")).isEqualTo("17:20");
        }
        assertThat(pattern.clearing().seconds(0)).isBetween(280L, 330L);
    }

    /** Returns a bed that waits on this day from 9 to 11 while nobody clears it, and beds that are cleared promptly before. */
    private static List<BedConfirmation> lateMorning(LocalDate day) {
        List<BedConfirmation> beds = new ArrayList<>();
        for (String time : List.of("08:00", "08:10", "08:20", "08:30")) {
            beds.add(new BedConfirmation(at(day, time), at(day, time).plusSeconds(400)));
        }
        beds.add(new BedConfirmation(at(day, "09:00"), at(day, "11:05")));
        return beds;
    }

    @Test
    void oneBadMorningChangesNoHours() {
        WorkingHours settings = weekdays(2, "08:00", "18:00");
        LocalDate nextMonday = MONDAY.plusDays(7);
        WorkPattern pattern = learned(settings, nextMonday, lateMorning(MONDAY));
        assertThat(from(pattern, nextMonday, "09:30")).isEqualTo("09:30");
        assertThat(pattern.source()).isEqualTo(WorkPattern.Source.settings);
    }

    @Test
    void thirdLateMorningChangesTheHoursAndTheirSource() {
        WorkingHours settings = weekdays(2, "08:00", "18:00");
        List<BedConfirmation> beds = IntStream.range(0, 3)
                .mapToObj(week -> lateMorning(MONDAY.plusDays(7L * week)))
                .flatMap(List::stream)
                .toList();
        LocalDate now = MONDAY.plusDays(21);
        assertThat(from(learned(settings, now, beds), now, "09:30")).isEqualTo("11:00");
        assertThat(learned(settings, now, beds).source()).isEqualTo(WorkPattern.Source.confirmations);
    }

    @Test
    void learnedHoursAreTheSourceBeforeTheClearingTimeIs() {
        List<BedConfirmation> beds = IntStream.range(0, 3)
                .mapToObj(day ->
                        new BedConfirmation(at(MONDAY.plusDays(day), "19:00"), at(MONDAY.plusDays(day), "19:10")))
                .toList();
        LocalDate now = MONDAY.plusDays(7);
        WorkPattern pattern = learned(weekdays(2, "08:00", "18:00"), now, beds);
        assertThat(pattern.clearing().isLearned()).isFalse();
        assertThat(from(pattern, now, "19:05")).isEqualTo("19:05");
        assertThat(pattern.source()).isEqualTo(WorkPattern.Source.confirmations);
    }

    @Test
    void workingHoursOfAStoreThatSetsNoneAreLearned() {
        LocalDate now = MONDAY.plusDays(28);
        WorkPattern pattern =
                learned(WorkingHours.ALWAYS, now, confirmations(weekdays(2, "08:00", "18:00"), 5, MONDAY, 28));
        assertThat(from(pattern, now, "03:00")).isEqualTo("08:00");
        assertThat(from(pattern, now, "19:00")).isEqualTo("08:00");
        assertThat(from(pattern, now, "14:00")).isEqualTo("14:00");
        LocalDate saturday = now.plusDays(5);
        Instant morning = at(saturday, "09:00");
        assertThat(morning.plusSeconds(pattern.calendar(ZONE, morning).nextAttendedSecond(0)))
                .isEqualTo(at(saturday.plusDays(2), "08:00"));
    }

    @Test
    void eveningShiftThatTheSettingsLackIsLearned() {
        LocalDate now = MONDAY.plusDays(14);
        WorkPattern pattern = learned(
                weekdays(2, "08:00", "17:00"), now, confirmations(weekdays(2, "08:00", "21:00"), 5, MONDAY, 14));
        assertThat(from(pattern, now, "19:30")).isEqualTo("19:30");
        assertThat(from(pattern, now, "21:30")).isEqualTo("08:00");
    }

    @Test
    void recentWeeksWeighMore() {
        WorkingHours settings = weekdays(2, "08:00", "18:00");
        List<BedConfirmation> both = new ArrayList<>(confirmations(settings, 4, MONDAY, 28));
        both.addAll(confirmations(settings, 10, MONDAY.plusDays(56), 14));
        WorkPattern pattern = learned(settings, MONDAY.plusDays(70), both);
        assertThat(pattern.clearing().seconds(0)).isGreaterThan(360);
    }

    @Test
    void bedThatPeoplePassOverShowsNothingOfTheirHours() {
        WorkingHours hours = weekdays(2, "08:00", "18:00");
        List<BedConfirmation> beds = new ArrayList<>();
        for (int day = 0; day < 5; day++) {
            Instant morning = at(MONDAY.plusDays(day), "09:00");
            beds.add(new BedConfirmation(morning, morning.plus(Duration.ofHours(8))));
            beds.add(new BedConfirmation(morning.plusSeconds(60), morning.plusSeconds(400)));
        }
        WorkPattern pattern = learned(hours, MONDAY.plusDays(7), beds);
        assertThat(from(pattern, MONDAY.plusDays(7), "13:00")).isEqualTo("13:00");
    }
}
