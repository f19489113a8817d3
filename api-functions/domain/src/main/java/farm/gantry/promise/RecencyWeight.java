package farm.gantry.promise;

import java.time.Duration;
import java.time.Instant;

/** The weight of observations, which halves every four weeks. */
record RecencyWeight(Instant now) {
    private static final double HALF_LIFE_SECONDS = Duration.ofDays(28).toSeconds();

    double weight(Instant time) {
        double age = Math.max(0, Duration.between(time, now).toSeconds());
        return Math.pow(0.5, age / HALF_LIFE_SECONDS);
    }
}
