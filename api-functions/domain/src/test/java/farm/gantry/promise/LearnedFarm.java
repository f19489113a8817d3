package farm.gantry.promise;

import farm.gantry.store.WorkingHours;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Learns from the prints and the people of a simulated farm as a real farm does from its own. */
final class LearnedFarm {
    /** The number of prints before promises are measured. */
    private static final int PRINTS = 100;

    private static final Duration RELEARNED_AFTER = Duration.ofHours(1);

    private final Map<EstimateErrors.Source, EstimateError.Statistics> observed = new HashMap<>();
    private final List<BedConfirmation> confirmations = new ArrayList<>();
    private final WorkingHours settings;
    private RemainingTimeAccuracy.Statistics remainders =
            new RemainingTimeAccuracy.Statistics(EstimateError.Statistics.NONE, EstimateError.Statistics.NONE);
    private WorkPattern work;
    private Instant learnedAt = Instant.MIN;
    private int ended;
    private int failed;
    private int succeededCount;
    private double extraSeconds;

    LearnedFarm(WorkingHours settings) {
        this.settings = settings;
        this.work = WorkPattern.fromSettings(settings);
    }

    /** A report of a printer half-way through a print. */
    record Report(long second, double estimated, double elapsed, double reported) {}

    /**
     * Learns of a print.
     *
     * @param actual the seconds that the printer counted
     * @param occupied the seconds from start to end
     */
    void ended(String printerId, double estimated, double actual, double occupied, boolean succeeded) {
        ended++;
        if (succeeded) {
            observed.merge(
                    new EstimateErrors.Source("firmwareK", "Trident", printerId, null),
                    ratio(actual / estimated),
                    EstimateError.Statistics::plus);
            succeededCount++;
            extraSeconds += Math.max(0, occupied - actual);
        } else {
            failed++;
        }
    }

    /** Learns what the remaining time was worth that a printer reported of a print that has ended now. */
    void reported(Report report, long ended) {
        double actual = ended - report.second();
        double extrapolated =
                RemainingTimeAccuracy.extrapolate(report.estimated(), report.elapsed(), report.reported());
        if (actual > 0 && report.reported() > 0 && extrapolated > 0) {
            remainders = new RemainingTimeAccuracy.Statistics(
                    remainders.reported().plus(ratio(actual / report.reported())),
                    remainders.extrapolated().plus(ratio(actual / extrapolated)));
        }
    }

    private static EstimateError.Statistics ratio(double ratio) {
        double log = Math.log(ratio);
        return new EstimateError.Statistics(1, log, log * log);
    }

    void cleared(Instant endedAt, Instant clearedAt) {
        confirmations.add(new BedConfirmation(endedAt, clearedAt));
    }

    boolean isMeasured() {
        return ended >= PRINTS;
    }

    WorkPattern work(Instant now) {
        if (learnedAt.isBefore(now.minus(RELEARNED_AFTER))) {
            work = WorkPattern.learn(settings, ZoneOffset.UTC, now, confirmations);
            learnedAt = now;
        }
        return work;
    }

    EstimateErrors deviations() {
        return new EstimateErrors(
                observed,
                Map.of(
                        new EstimateErrors.Model("firmwareK", "Trident"),
                        new EstimateErrors.ObservedTime(succeededCount, extraSeconds)),
                Map.of("firmwareK", remainders),
                Map.of(),
                (failed + 1.0) / (ended + 40));
    }
}
