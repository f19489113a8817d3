package farm.gantry.promise;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Compares scheduling by earliest deadline with the queue's own order, in the same random farms. */
class DeadlineFirstTest {
    private static final int FARMS = Integer.getInteger("promise.farms", 1000);
    private static final int JOBS_OF_AN_ORDER = 4;

    /** Seconds until the deadline of each order; those without one are left out. */
    private static Map<Integer, Long> deadlines(long seed) {
        Random random = new Random(~seed);
        Map<Integer, Long> deadlines = new HashMap<>();
        for (int order = 0; order < 50; order++) {
            if (random.nextInt(3) > 0) {
                deadlines.put(order, 7200L + random.nextInt(200_000));
            }
        }
        return deadlines;
    }

    private static int order(String jobId) {
        return Integer.parseInt(jobId.substring(3)) / JOBS_OF_AN_ORDER;
    }

    /** Orders jobs by the time at which they must begin, as the scheduler's SQL statement does. */
    private static UnaryOperator<List<FarmState.QueuedJob>> byDeadline(Map<Integer, Long> deadlines) {
        return queue -> queue.stream()
                .sorted(Comparator.comparingDouble(job -> deadlines.getOrDefault(
                                order(job.id()), Duration.ofDays(7).toSeconds())
                        - job.seconds()))
                .toList();
    }

    private record Lateness(int late, long seconds) {
        Lateness and(Lateness other) {
            return new Lateness(late + other.late, seconds + other.seconds);
        }
    }

    private static Lateness lateness(RandomFarm farm, Map<Integer, Long> deadlines) {
        Map<Integer, Long> ends = new HashMap<>();
        farm.ends.forEach((job, end) -> {
            if (job.startsWith("job")) {
                ends.merge(order(job), end, Math::max);
            }
        });
        return ends.entrySet().stream()
                .filter(order -> deadlines.containsKey(order.getKey()))
                .map(order -> order.getValue() - deadlines.getOrDefault(order.getKey(), 0L))
                .filter(late -> late > 0)
                .map(late -> new Lateness(1, late))
                .reduce(new Lateness(0, 0), Lateness::and);
    }

    @Test
    void deadlineFirstReducesLateOrdersAndLateness() {
        Lateness inQueueOrder = new Lateness(0, 0);
        Lateness deadlineFirst = new Lateness(0, 0);
        for (int seed = 0; seed < FARMS; seed++) {
            Map<Integer, Long> deadlines = deadlines(seed);
            inQueueOrder = inQueueOrder.and(lateness(new RandomFarm(seed).happen(), deadlines));
            deadlineFirst =
                    deadlineFirst.and(lateness(new RandomFarm(seed, byDeadline(deadlines)).happen(), deadlines));
        }
        System.out.printf(
                "%d farms: %d orders late by %d h in all in queue order, %d by %d h with the deadline first%n",
                FARMS,
                inQueueOrder.late(),
                inQueueOrder.seconds() / 3600,
                deadlineFirst.late(),
                deadlineFirst.seconds() / 3600);
        assertThat(deadlineFirst.late()).isLessThan(inQueueOrder.late());
        assertThat(deadlineFirst.seconds()).isLessThan(inQueueOrder.seconds());
    }
}
