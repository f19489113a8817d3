package farm.gantry.promise;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What was promised, against what then happened in a thousand farms. */
class PromiseAccuracyTest {
    private static final int FARMS = Integer.getInteger("promise.farms", 1000);

    @Test
    void nineOfTenPromisesAreKeptAndTheFirstReasonComesTrue() {
        int jobs = 0;
        int inTime = 0;
        int early = 0;
        int waits = 0;
        int cameTrue = 0;
        for (int seed = 0; seed < FARMS; seed++) {
            RandomFarm farm = new RandomFarm(seed);
            PromisePlanner planner = new PromisePlanner(farm.state());
            Map<String, Promise> promises = planner.promises();
            farm.happen();
            for (Map.Entry<String, Long> end : farm.ends.entrySet()) {
                Promise promise = Objects.requireNonNull(promises.get(end.getKey()));
                Instant ended = RandomFarm.at(end.getValue());
                jobs++;
                inTime += ended.isAfter(Objects.requireNonNull(promise.promisedBy())) ? 0 : 1;
                early += ended.isAfter(Objects.requireNonNull(promise.promisedAt())) ? 0 : 1;
                if (farm.printers.containsKey(end.getKey())) {
                    waits++;
                    cameTrue += cameTrue(
                                    farm,
                                    end.getKey(),
                                    planner.waits(end.getKey()).getFirst())
                            ? 1
                            : 0;
                }
            }
        }
        System.out.printf(
                "%d farms, %d jobs: %.1f %% done before promisedBy, %.1f %% before promisedAt; of %d first reasons %.1f %% came true%n",
                FARMS, jobs, 100.0 * inTime / jobs, 100.0 * early / jobs, waits, 100.0 * cameTrue / waits);
        assertThat((double) inTime / jobs).isBetween(0.88, 0.95);
        assertThat((double) early / jobs).isBetween(0.44, 0.56);
        assertThat((double) cameTrue / waits).isGreaterThan(0.8);
    }

    private static boolean cameTrue(RandomFarm farm, String jobId, Wait wait) {
        String printer = Objects.requireNonNull(farm.printers.get(jobId));
        List<String> named = wait.printerIds() == null ? List.of(printer) : wait.printerIds();
        return switch (wait.code()) {
            case printerBusy, bed, printing, prints, throttled, filament -> named.contains(printer);
            case queue -> named.contains(printer) && hadOthersBefore(farm, jobId, named, wait);
            case blocked -> false;
        };
    }

    /** As many others as were said, give or take a third, or two. */
    private static boolean hadOthersBefore(RandomFarm farm, String jobId, List<String> named, Wait wait) {
        long before = farm.begins.entrySet().stream()
                .filter(other -> named.contains(farm.printers.get(other.getKey()))
                        && !other.getKey().equals(jobId)
                        && other.getValue() < Objects.requireNonNull(farm.begins.get(jobId)))
                .count();
        int said = Objects.requireNonNull(wait.jobsAhead());
        return Math.abs(before - said) <= Math.max(2, said / 3);
    }
}
