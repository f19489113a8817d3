package farm.gantry.promise;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Compares promises with what then happened in a thousand simulated farms. */
class PromiseAccuracyTest {
    private static final int FARMS = Integer.getInteger("promise.farms", 1000);

    @Test
    void ninetyPercentOfPromisesHoldAndTheFirstReasonIsRight() {
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
                                    planner.waitReasons(end.getKey()).getFirst())
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

    @Test
    void ninetyPercentOfOrderPromisesHoldWithReprintsOfFailedPieces() {
        int farms = 0;
        int likely = 0;
        int latest = 0;
        for (int seed = 0; seed < FARMS; seed++) {
            RandomFarm farm = new RandomFarm(seed, RandomFarm.Replacement.BY_PEOPLE, queue -> queue);
            List<String> order =
                    farm.queue().stream().map(FarmState.QueuedJob::id).toList();
            Promise promise = new PromisePlanner(farm.state()).promiseAll(order);
            farm.happen();
            Instant ended =
                    RandomFarm.at(order.stream().mapToLong(farm.ends::get).max().orElseThrow());
            farms++;
            likely += ended.isAfter(Objects.requireNonNull(promise.promisedAt())) ? 0 : 1;
            latest += ended.isAfter(Objects.requireNonNull(promise.promisedBy())) ? 0 : 1;
        }
        System.out.printf(
                "%d orders: %.1f %% done before promisedBy, %.1f %% before promisedAt%n",
                farms, 100.0 * latest / farms, 100.0 * likely / farms);
        assertThat((double) likely / farms).isBetween(0.45, 0.55);
        assertThat((double) latest / farms).isBetween(0.87, 0.93);
    }

    private static boolean cameTrue(RandomFarm farm, String jobId, WaitReason wait) {
        String printer = Objects.requireNonNull(farm.printers.get(jobId));
        List<String> named = wait.printerIds() == null ? List.of(printer) : wait.printerIds();
        return switch (wait.code()) {
            case printerBusy, bed, printing, prints, throttled, filament -> named.contains(printer);
            case queue -> named.contains(printer) && hadOthersBefore(farm, jobId, named, wait);
            case blocked, paused -> false;
        };
    }

    /** Returns whether the estimated number of jobs before this one is right within a third, or within two. */
    private static boolean hadOthersBefore(RandomFarm farm, String jobId, List<String> named, WaitReason wait) {
        long before = farm.begins.entrySet().stream()
                .filter(other -> named.contains(farm.printers.get(other.getKey()))
                        && !other.getKey().equals(jobId)
                        && other.getValue() < Objects.requireNonNull(farm.begins.get(jobId)))
                .count();
        int jobsAhead = Objects.requireNonNull(wait.jobsAhead());
        return Math.abs(before - jobsAhead) <= Math.max(2, jobsAhead / 3);
    }
}
