package farm.gantry.promise;

import java.util.Map;

/** Learns from the prints of a simulated farm as the real one learns from its own. */
final class LearnedFarm {
    /** The prints after which promises are measured. */
    private static final int PRINTS = 100;

    private Deviation.Observed observed = new Deviation.Observed(0, 0, 0);
    private int ended;
    private int failed;
    private int succeededCount;
    private double extraSeconds;

    /**
     * Learns of a print.
     *
     * @param actual the seconds that the printer counted
     * @param occupied the seconds from start to end
     */
    void ended(String printerId, double estimated, double actual, double occupied, boolean succeeded) {
        ended++;
        if (succeeded) {
            double log = Math.log(actual / estimated);
            observed = observed.and(new Deviation.Observed(1, log, log * log));
            succeededCount++;
            extraSeconds += Math.max(0, occupied - actual);
        } else {
            failed++;
        }
    }

    boolean isMeasured() {
        return ended >= PRINTS;
    }

    Deviations deviations() {
        return new Deviations(
                Map.of(new Deviations.Key("Trident", null), observed),
                Map.of("Trident", new Deviations.ExtraTime(succeededCount, extraSeconds)),
                (failed + 1.0) / (ended + 40));
    }
}
