package farm.gantry.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.printer.PrinterState;
import farm.gantry.printer.PrinterThrottleGroup;
import farm.gantry.schedule.SimulatedCloud.EventKind;
import farm.gantry.schedule.SimulatedCloud.Order;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Tests the scheduling rules with a clock that jumps and random failures: crashes lose unsaved changes, messages are
 * delayed, duplicated, reordered or lost, people start prints at the printers and clear beds. No job may start on a bed
 * that was used after its last confirmation. {@code -Dsimulation.seeds=100000} runs many seeds, {@code
 * -Dsimulation.seed=17} repeats one.
 */
class SimulationTest {
    private static final int STEPS = 150;
    private static final int MAX_STARTS = 2;

    @Test
    void noJobIsStartedTwiceOrLostUnderRandomFailures() {
        Long one = Long.getLong("simulation.seed");
        LongStream seeds =
                one == null ? LongStream.range(0, Long.getLong("simulation.seeds", 500)) : LongStream.of(one);
        seeds.forEach(seed -> new World(seed).run());
    }

    private record Event(long sequence, String printer, String job, int attempt, EventKind kind) {}

    /** A printer's true state, and what its agent has journalled of it. */
    private static final class RealPrinter {
        @Nullable
        String printing;

        boolean isUsed;
        int prints;
        int known;
        long lastUse = -1;
    }

    private static final class World {
        private static final String FOREIGN = "foreign/0";

        private final long seed;
        private final Random random;
        private final Map<String, RealPrinter> printers = new TreeMap<>();
        private final Map<String, Integer> fences = new HashMap<>();
        private final Set<Integer> known = new HashSet<>();
        private final Set<String> started = new HashSet<>();
        private final List<Event> events = new ArrayList<>();
        private final Set<String> completed = new HashSet<>();
        private SimulatedCloud cloud;
        private boolean isAway;
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
                    MAX_STARTS,
                    300,
                    2,
                    new PrinterThrottleGroup.ReleaseConditions(null, null, new PrinterThrottleGroup.Elapsed(60)),
                    List.of()));
            for (int i = 0; i < 5; i++) {
                SimulatedCloud.Machine machine = new SimulatedCloud.Machine();
                machine.throttled = i > 0;
                cloud.machines.put("p" + i, machine);
                printers.put("p" + i, new RealPrinter());
            }
            for (int i = 0; i < 12; i++) {
                cloud.jobs.put("j" + (10 + i), new SimulatedCloud.Job());
            }
        }

        void run() {
            for (int i = 0; i < STEPS; i++) {
                now = now.plusSeconds(random.nextInt(40));
                SimulatedCloud before = cloud.copy();
                step(random.nextInt(100));
                if (random.nextInt(100) < 10) {
                    cloud = before; // crashed before the commit
                }
                check();
            }
            comeBack();
            for (int i = 0; i < 100; i++) {
                now = now.plusSeconds(400);
                cloud.round(now);
                check();
                List.copyOf(cloud.orders).forEach(this::take);
                printers.forEach((printer, real) -> end(printer, real, EventKind.COMPLETE));
                deliver(events.size());
                printers.keySet().forEach(this::report);
                printers.keySet().forEach(this::clear);
            }
            assertThat(cloud.jobs.values()).as("seed %s", seed).allMatch(job -> job.status.isFinished());
            completed.forEach(attempt -> {
                SimulatedCloud.Job job = cloud.jobs.get(attempt.replaceFirst("/.*", ""));
                if (job != null && attempt.endsWith("/" + job.attempt)) {
                    assertThat(job.status.wireName())
                            .as("seed %s: %s", seed, attempt)
                            .isIn("Completed", "Cancelled");
                }
            });
        }

        private void step(int die) {
            String printer = "p" + random.nextInt(printers.size());
            RealPrinter real = Objects.requireNonNull(printers.get(printer));
            if (die < 25) {
                cloud.round(now);
            } else if (die < 45 && !cloud.orders.isEmpty() && !isAway) {
                // any command ever sent, so that commands are late, duplicated and out of order
                take(cloud.orders.get(random.nextInt(cloud.orders.size())));
            } else if (die < 57 && !isAway) {
                deliver(random.nextInt(events.size() + 1));
            } else if (die < 65 && !isAway) {
                report(printer);
            } else if (die < 73) {
                end(printer, real, random.nextInt(4) == 0 ? EventKind.FAIL : EventKind.COMPLETE);
            } else if (die < 79) {
                beginForeign(printer, real);
            } else if (die < 86) {
                clear(printer);
            } else if (die < 89) {
                cloud.goOn(printer, random.nextBoolean());
            } else if (die < 91) {
                isAway = true;
                if (random.nextBoolean()) {
                    cloud.lose();
                }
            } else if (die < 94) {
                comeBack();
            } else if (die < 97) {
                cloud.cancel("j" + (10 + random.nextInt(12)));
            } else {
                cloud.retry("j" + (10 + random.nextInt(12)));
            }
        }

        /** Starts a foreign print, at the printer itself. */
        private void beginForeign(String printer, RealPrinter real) {
            if (real.printing == null) {
                real.printing = FOREIGN;
                real.isUsed = true;
                real.prints++;
                notice(printer, real);
            }
        }

        /**
         * Lets the agent notice a print that it did not start: directly, or by the printer's counter after it was away.
         */
        private void notice(String printer, RealPrinter real) {
            if (!isAway) {
                real.known = real.prints;
                emit(printer, "", 0, EventKind.USED);
            }
        }

        private void comeBack() {
            if (isAway) {
                isAway = false;
                printers.forEach((printer, real) -> {
                    if (real.known != real.prints) {
                        notice(printer, real);
                    }
                });
            }
        }

        /**
         * Applies a command as an agent does: a known command is not repeated, and a command older than the journal is
         * ignored.
         */
        private void take(Order order) {
            boolean fresh = order.attempt() > fences.getOrDefault(order.job(), 0);
            RealPrinter real = Objects.requireNonNull(printers.get(order.printer()));
            switch (order.kind()) {
                case CANCEL -> {
                    fences.merge(order.job(), order.attempt(), Math::max);
                    String running = order.job() + "/" + order.attempt();
                    if (running.equals(real.printing)) {
                        end(order.printer(), real, EventKind.CANCEL);
                    } else if (known.add(order.number()) && !started.contains(running)) {
                        emit(order.printer(), order.job(), order.attempt(), EventKind.CANCEL);
                    }
                }
                case PRINT -> {
                    if (fresh && known.add(order.number())) {
                        fences.put(order.job(), order.attempt());
                        start(order, real);
                    }
                }
                case CLEAR -> {
                    if (known.add(order.number()) && order.ackSequence() >= real.lastUse) {
                        assertThat(real.printing)
                                .as("seed %s: %s is cleared while it stands still", seed, order.printer())
                                .isNull();
                        real.isUsed = false;
                        emit(order.printer(), "", 0, EventKind.CLEARED);
                    }
                }
            }
        }

        private void start(Order order, RealPrinter real) {
            String attempt = order.job() + "/" + order.attempt();
            if (real.printing != null || order.ackSequence() < real.lastUse) {
                emit(order.printer(), order.job(), order.attempt(), EventKind.REFUSED);
                return;
            }
            assertThat(real.isUsed)
                    .as("seed %s: %s starts on a bed of %s that was used", seed, attempt, order.printer())
                    .isFalse();
            assertThat(started.add(attempt))
                    .as("seed %s: %s starts once", seed, attempt)
                    .isTrue();
            real.printing = attempt;
            real.isUsed = true;
            real.prints++;
            real.known = real.prints;
            emit(order.printer(), order.job(), order.attempt(), EventKind.START);
        }

        /** Ends a print; the print of a job ends only while its agent is running. */
        private void end(String printer, RealPrinter real, EventKind how) {
            String attempt = real.printing;
            if (attempt == null || (isAway && !attempt.equals(FOREIGN))) {
                return;
            }
            real.printing = null;
            if (attempt.equals(FOREIGN)) {
                notice(printer, real);
                return;
            }
            if (how == EventKind.COMPLETE) {
                completed.add(attempt);
            }
            String[] parts = attempt.split("/", -1);
            emit(printer, parts[0], Integer.parseInt(parts[1]), how);
        }

        private void emit(String printer, String job, int attempt, EventKind kind) {
            int sequence = events.size();
            events.add(new Event(sequence, printer, job, attempt, kind));
            if (kind != EventKind.REFUSED && kind != EventKind.CLEARED) {
                Objects.requireNonNull(printers.get(printer)).lastUse = sequence;
            }
        }

        /** Delivers some of the unacknowledged events in order and drops those acknowledged before. */
        private void deliver(int limit) {
            List<Event> arriving = events.stream()
                    .filter(event -> event.sequence() > cloud.ackSequence)
                    .limit(limit)
                    .toList();
            for (Event event :
                    Stream.concat(events.stream().limit(2), arriving.stream()).toList()) {
                if (event.sequence() > cloud.ackSequence) {
                    cloud.apply(event.sequence(), event.printer(), event.job(), event.attempt(), event.kind());
                }
            }
        }

        private void report(String printer) {
            RealPrinter real = Objects.requireNonNull(printers.get(printer));
            String printing = real.printing;
            PrinterState.Status status = printing == null ? PrinterState.Status.finished : PrinterState.Status.printing;
            cloud.report(
                    printer,
                    SimulatedCloud.state(status, real.prints),
                    printing == null ? null : printing.replaceFirst("/.*", ""));
        }

        /** Clears the bed of an idle printer and confirms it. */
        private void clear(String printer) {
            RealPrinter real = Objects.requireNonNull(printers.get(printer));
            if (real.printing == null && cloud.confirm(printer)) {
                real.isUsed = false;
            }
        }

        private void check() {
            List<String> taken = cloud.jobs.values().stream()
                    .filter(job -> job.status.isActive())
                    .flatMap(job -> Stream.ofNullable(job.printer))
                    .toList();
            assertThat(taken).as("seed %s: one active job a printer", seed).doesNotHaveDuplicates();
            assertThat(cloud.holds.size()).as("seed %s: starts", seed).isLessThanOrEqualTo(MAX_STARTS);
        }
    }
}
