package farm.gantry.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.job.JobStatus.Move;
import farm.gantry.printer.PrinterThrottleGroup;
import farm.gantry.schedule.SimulatedCloud.Order;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The rules under a clock that jumps and a world that fails at every step: crashes undo what was not kept, messages come
 * late, twice, out of order or not for long. Thousands of seeds: {@code -Dsimulation.seeds=20000}; one again:
 * {@code -Dsimulation.seed=17}.
 */
class SimulationTest {
    private static final int STEPS = 150;
    private static final int MOST_STARTS = 2;

    @Test
    void whateverFailsNothingIsStartedTwiceAndNothingIsLost() {
        Long one = Long.getLong("simulation.seed");
        LongStream seeds =
                one == null ? LongStream.range(0, Long.getLong("simulation.seeds", 500)) : LongStream.of(one);
        seeds.forEach(seed -> new World(seed).run());
    }

    private record Event(long sequence, String printer, String job, int attempt, Move move) {}

    private static final class World {
        private final long seed;
        private final Random random;
        private final Map<String, String> printing = new TreeMap<>();
        private final Set<String> dirty = new HashSet<>();
        private final Map<String, Integer> fences = new HashMap<>();
        private final Set<Integer> known = new HashSet<>();
        private final Set<String> started = new HashSet<>();
        private final List<Event> told = new ArrayList<>();
        private final Set<String> completed = new HashSet<>();
        private SimulatedCloud cloud;
        private long kept = -1;
        private Instant now = Instant.EPOCH;

        World(long seed) {
            this.seed = seed;
            this.random = new Random(seed);
            this.cloud = new SimulatedCloud(new PrinterThrottleGroup(
                    "g",
                    "s",
                    now,
                    now,
                    "g",
                    true,
                    MOST_STARTS,
                    300,
                    2,
                    new PrinterThrottleGroup.ReleaseConditions(null, null, new PrinterThrottleGroup.Elapsed(60)),
                    List.of()));
            for (int i = 0; i < 5; i++) {
                SimulatedCloud.Bed bed = new SimulatedCloud.Bed();
                bed.throttled = i > 0;
                cloud.beds.put("p" + i, bed);
            }
            for (int i = 0; i < 12; i++) {
                cloud.jobs.put("j" + (10 + i), new SimulatedCloud.Job());
            }
        }

        void run() {
            for (int i = 0; i < STEPS; i++) {
                now = now.plusSeconds(random.nextInt(40));
                SimulatedCloud before = cloud.copy();
                long keptBefore = kept;
                step(random.nextInt(100));
                if (random.nextInt(100) < 10) {
                    cloud = before; // died before it was kept
                    kept = keptBefore;
                }
                check();
            }
            for (int i = 0; i < 100; i++) {
                now = now.plusSeconds(400);
                cloud.round(now);
                check();
                cloud.orders.forEach(this::take);
                List.copyOf(printing.keySet()).forEach(printer -> end(printer, Move.COMPLETE));
                hear(told.size());
                clear();
            }
            assertThat(cloud.jobs.values()).as("seed %s", seed).allMatch(job -> job.status.isFinished());
            completed.forEach(attempt -> {
                SimulatedCloud.Job job = cloud.jobs.get(attempt.replaceFirst("/.*", ""));
                if (job != null && attempt.endsWith("/" + job.attempt)) {
                    assertThat(job.status.wire())
                            .as("seed %s: %s", seed, attempt)
                            .isIn("Completed", "Cancelled");
                }
            });
        }

        private void step(int die) {
            if (die < 30) {
                cloud.round(now);
            } else if (die < 55 && !cloud.orders.isEmpty()) {
                // any of all that was ever said, so that orders come late, again and out of order
                take(cloud.orders.get(random.nextInt(cloud.orders.size())));
            } else if (die < 70) {
                hear(random.nextInt(told.size() + 1));
            } else if (die < 80) {
                printing.keySet().stream()
                        .skip(random.nextInt(printing.size() + 1))
                        .findFirst()
                        .ifPresent(printer -> end(printer, random.nextInt(4) == 0 ? Move.FAIL : Move.COMPLETE));
            } else if (die < 90) {
                clear();
            } else if (die < 95) {
                cloud.cancel("j" + (10 + random.nextInt(12)));
            } else {
                cloud.retry("j" + (10 + random.nextInt(12)));
            }
        }

        /** The agent's law: what it knows it does not do again, and nothing that is older than what it has seen. */
        private void take(Order order) {
            boolean fresh = order.attempt() > fences.getOrDefault(order.job(), 0);
            if (order.cancels()) {
                fences.merge(order.job(), order.attempt(), Math::max);
                String running = order.job() + "/" + order.attempt();
                if (running.equals(printing.get(order.printer()))) {
                    end(order.printer(), Move.CANCEL);
                } else if (known.add(order.number()) && !started.contains(running)) {
                    tell(order.printer(), order.job(), order.attempt(), Move.CANCEL);
                }
            } else if (fresh && known.add(order.number())) {
                fences.put(order.job(), order.attempt());
                start(order);
            }
        }

        private void start(Order order) {
            String attempt = order.job() + "/" + order.attempt();
            if (printing.containsKey(order.printer())) {
                tell(order.printer(), order.job(), order.attempt(), Move.FAIL);
                return;
            }
            assertThat(dirty)
                    .as("seed %s: %s starts on a clear bed", seed, attempt)
                    .doesNotContain(order.printer());
            assertThat(started.add(attempt))
                    .as("seed %s: %s starts once", seed, attempt)
                    .isTrue();
            printing.put(order.printer(), attempt);
            tell(order.printer(), order.job(), order.attempt(), Move.START);
        }

        private void end(String printer, Move how) {
            String attempt = String.valueOf(printing.remove(printer));
            String[] parts = attempt.split("/", -1);
            dirty.add(printer);
            if (how == Move.COMPLETE) {
                completed.add(attempt);
            }
            tell(printer, parts[0], Integer.parseInt(parts[1]), how);
        }

        private void tell(String printer, String job, int attempt, Move move) {
            told.add(new Event(told.size(), printer, job, attempt, move));
        }

        /** So many of the events that are not acknowledged arrive, in their order; what was kept before is dropped. */
        private void hear(int most) {
            List<Event> arriving = told.stream()
                    .filter(event -> event.sequence() > kept)
                    .limit(most)
                    .toList();
            for (Event event :
                    Stream.concat(told.stream().limit(2), arriving.stream()).toList()) {
                if (event.sequence() > kept) {
                    kept = event.sequence();
                    cloud.hear(event.printer(), event.job(), event.attempt(), event.move());
                }
            }
        }

        /** A person clears the beds of printers that stand still and have no start on the way. */
        private void clear() {
            cloud.beds.forEach((printer, bed) -> {
                if (!printing.containsKey(printer)) {
                    dirty.remove(printer);
                    bed.ready = true;
                }
            });
        }

        private void check() {
            List<String> taken = cloud.jobs.values().stream()
                    .filter(job -> job.status.isActive())
                    .flatMap(job -> Stream.ofNullable(job.printer))
                    .toList();
            assertThat(taken).as("seed %s: one active job a printer", seed).doesNotHaveDuplicates();
            assertThat(cloud.holds.size()).as("seed %s: starts", seed).isLessThanOrEqualTo(MOST_STARTS);
        }
    }
}
