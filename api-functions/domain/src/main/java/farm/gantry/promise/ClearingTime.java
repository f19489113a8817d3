package farm.gantry.promise;

import farm.gantry.store.WorkingHours;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.stream.IntStream;

/**
 * The time that a person takes to clear a bed, modelled as a log-normal distribution in seconds. {@code weight} is the number of
 * confirmations that it was learned from, recent ones counted whole.
 */
record ClearingTime(double mean, double spread, double weight) {
    /** The weight of the setting, as a number of confirmations. */
    private static final double PRIOR_WEIGHT = 8;

    /** The least setting that counts beside confirmations; a store that sets nothing does not clear beds in no time. */
    private static final double MIN_PRIOR_SECONDS = 60;

    /** The quantiles of a normal distribution at one standard deviation from its median. */
    private static final double LOW = 0.1587;

    private static final double HIGH = 0.8413;

    private record WeightedDuration(double logSeconds, double weight) {}

    static ClearingTime fromSettings(WorkingHours settings) {
        return new ClearingTime(Math.log(Math.max(1, settings.minutesPerBed() * 60.0)), 0, 0);
    }

    /**
     * Learns from confirmations, sorted by the end of their prints. Work on a bed begins when its print has ended, somebody is at the
     * farm, and one of the people is free. The median and the quantiles are used, which single forgotten beds do not move.
     */
    static ClearingTime learn(
            WorkingHours settings,
            Attendance attendance,
            ZoneId zone,
            List<BedConfirmation> confirmations,
            RecencyWeight recency) {
        Instant begin = confirmations.getFirst().endedAt();
        WorkCalendar calendar = WorkCalendar.of(settings, attendance, zone, begin);
        PriorityQueue<Long> people = new PriorityQueue<>();
        IntStream.range(0, Math.min(settings.people(), confirmations.size())).forEach(_ -> people.add(0L));
        List<WeightedDuration> work = new ArrayList<>();
        for (BedConfirmation bed : confirmations) {
            long ended = bed.endedAt().getEpochSecond() - begin.getEpochSecond();
            long cleared = bed.clearedAt().getEpochSecond() - begin.getEpochSecond();
            long begun = calendar.nextAttendedSecond(Math.max(ended, people.poll()));
            people.add(cleared);
            if (cleared > begun) {
                work.add(new WeightedDuration(Math.log((double) (cleared - begun)), recency.weight(bed.clearedAt())));
            }
        }
        return fromSettings(settings).after(work);
    }

    private ClearingTime after(List<WeightedDuration> work) {
        if (work.isEmpty()) {
            return this;
        }
        work.sort(Comparator.comparingDouble(WeightedDuration::logSeconds));
        double sum = work.stream().mapToDouble(WeightedDuration::weight).sum();
        double deviation = (quantile(work, HIGH * sum) - quantile(work, LOW * sum)) / 2;
        double prior = Math.max(mean, Math.log(MIN_PRIOR_SECONDS));
        double learned = (PRIOR_WEIGHT * prior + sum * quantile(work, sum / 2)) / (PRIOR_WEIGHT + sum);
        return new ClearingTime(learned, deviation * Math.sqrt(sum / (PRIOR_WEIGHT + sum)), sum);
    }

    private static double quantile(List<WeightedDuration> sorted, double weight) {
        double sum = 0;
        for (WeightedDuration each : sorted) {
            sum += each.weight();
            if (sum >= weight) {
                return each.logSeconds();
            }
        }
        return sorted.getLast().logSeconds();
    }

    /** Returns whether confirmations weigh more than the setting. */
    boolean isLearned() {
        return weight >= PRIOR_WEIGHT;
    }

    /** Returns the seconds at this many standard deviations from the median. */
    long seconds(double deviations) {
        return mean <= 0 ? 0 : Math.round(Math.exp(mean + spread * deviations));
    }
}
