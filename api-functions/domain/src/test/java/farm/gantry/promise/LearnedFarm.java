package farm.gantry.promise;

import java.util.Map;

/** What a simulated farm has learned of its prints that ended, as the real one learns it. */
final class LearnedFarm {
    /** The prints after which promises are measured. */
    private static final int PRINTS = 100;

    private Deviation.Observed observed = new Deviation.Observed(0, 0, 0);
    private int ended;
    private int failed;

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
        } else {
            failed++;
        }
    }

    boolean isMeasured() {
        return ended >= PRINTS;
    }

    Deviations deviations() {
        return new Deviations(Map.of(new Deviations.Key("Trident", null), observed), (failed + 1.0) / (ended + 40));
    }
}
