package farm.gantry.promise;

import farm.gantry.schedule.Candidate;
import farm.gantry.schedule.SlotFilament;
import farm.gantry.schedule.PlacementPlanner;
import farm.gantry.schedule.Requirement;
import farm.gantry.schedule.SchedulingFixtures;
import farm.gantry.store.WorkingHours;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * A random farm and a simulation of its events: the scheduler's own planner places jobs on printers, prints take longer
 * or shorter than estimated, and some fail.
 */
final class RandomFarm {
    static final double SPREAD = 0.15;
    static final double FAILURES = 0.03;
    private static final Instant NOW = Instant.parse("2026-11-24T10:00:00Z");
    private static final List<String> TYPES = List.of("PLA", "PETG", "ABS");

    /** How failed jobs are printed again: by the farm itself, or by people. */
    enum Replacement {
        BY_FARM(5, false),
        BY_PEOPLE(0, true);

        private final int retries;
        private final boolean isReplaced;

        Replacement(int retries, boolean isReplaced) {
            this.retries = retries;
            this.isReplaced = isReplaced;
        }
    }

    private final Random random;
    private final double bias;
    private final List<String> loaded = new ArrayList<>();
    private final long[] busySeconds;
    private final List<FarmState.QueuedJob> queue;
    private final WorkingHours hours;

    final Map<String, Long> ends = new HashMap<>();
    final Map<String, Long> begins = new HashMap<>();
    final Map<String, String> printers = new HashMap<>();

    RandomFarm(long seed) {
        this(seed, Replacement.BY_FARM, queue -> queue);
    }

    /** Creates the seed's farm with its queue in another order. */
    RandomFarm(long seed, UnaryOperator<List<FarmState.QueuedJob>> order) {
        this(seed, Replacement.BY_FARM, order);
    }

    RandomFarm(long seed, Replacement replacement, UnaryOperator<List<FarmState.QueuedJob>> order) {
        this.random = new Random(seed);
        this.bias = 0.2 * random.nextGaussian();
        int count = 2 + random.nextInt(25);
        this.busySeconds = new long[count];
        for (int i = 0; i < count; i++) {
            loaded.add(TYPES.get(random.nextInt(random.nextBoolean() ? 1 : TYPES.size())));
            busySeconds[i] = random.nextBoolean() ? 600 + random.nextInt(10_000) : 0;
        }
        List<Requirement> kinds = new ArrayList<>(List.of(SchedulingFixtures.anything()));
        loaded.stream()
                .distinct()
                .forEach(type -> kinds.add(SchedulingFixtures.of(List.of(SchedulingFixtures.type(type)))));
        this.queue = order.apply(IntStream.range(0, 3 + random.nextInt(6 * count))
                .mapToObj(i -> new FarmState.QueuedJob(
                        "job" + i,
                        kinds.get(random.nextInt(kinds.size())),
                        600 + random.nextInt(20_000),
                        null,
                        100,
                        replacement.retries,
                        replacement.isReplaced))
                .toList());
        this.hours = random.nextBoolean()
                ? WorkingHours.ALWAYS
                : new WorkingHours(
                        EnumSet.range(WorkingHours.Day.monday, WorkingHours.Day.saturday).stream()
                                .map(day -> new WorkingHours.Shift(
                                        day, "08:00", day == WorkingHours.Day.saturday ? "12:00" : "18:00"))
                                .toList(),
                        List.of(),
                        5,
                        5,
                        2);
    }

    List<FarmState.QueuedJob> queue() {
        return queue;
    }

    private Candidate candidate(int printer, long lastPrinted) {
        SlotFilament filament = SchedulingFixtures.filament(0, null, null, loaded.get(printer));
        return SchedulingFixtures.printer("p" + printer, lastPrinted, filament);
    }

    FarmState state() {
        Map<EstimateErrors.Source, EstimateError.Statistics> history = new HashMap<>();
        for (int i = 0; i < 200; i++) {
            double log = bias + SPREAD * random.nextGaussian();
            history.merge(
                    new EstimateErrors.Source(null, "Trident", "p" + i % loaded.size(), null),
                    new EstimateError.Statistics(1, log, log * log),
                    EstimateError.Statistics::plus);
        }
        List<FarmState.PlannedPrinter> planned = IntStream.range(0, loaded.size())
                .mapToObj(i -> new FarmState.PlannedPrinter(
                        candidate(i, i),
                        busySeconds[i] == 0
                                ? null
                                : new FarmState.CurrentJob("current" + i, 0, 0, (double) busySeconds[i], null),
                        true))
                .toList();
        return new FarmState(
                NOW,
                ZoneOffset.UTC,
                SchedulingFixtures.RULES,
                planned,
                queue,
                Map.of(),
                WorkPattern.fromSettings(hours),
                new EstimateErrors(history, FAILURES));
    }

    private record Event(long second, int printer, boolean isClear) {}

    /** Runs the simulation to its end. */
    RandomFarm happen() {
        WorkCalendar calendar = WorkCalendar.of(hours, ZoneOffset.UTC, NOW);
        PriorityQueue<Event> events = new PriorityQueue<>((one, other) -> Long.compare(one.second, other.second));
        PriorityQueue<Long> people = new PriorityQueue<>();
        IntStream.range(0, Math.min(50, hours.people())).forEach(_ -> people.add(0L));
        Map<Integer, Candidate> free = new HashMap<>();
        for (int i = 0; i < busySeconds.length; i++) {
            if (busySeconds[i] == 0) {
                free.put(i, candidate(i, i));
            } else {
                long end = Math.round(busySeconds[i] * Math.exp(SPREAD * random.nextGaussian()));
                ends.put("current" + i, end);
                events.add(new Event(end, i, false));
            }
        }
        List<FarmState.QueuedJob> waiting = new ArrayList<>(queue);
        Map<Integer, FarmState.QueuedJob> failing = new HashMap<>();
        long now = 0;
        place(now, waiting, free, events, failing);
        while (!events.isEmpty()) {
            Event event = events.poll();
            now = event.second;
            if (event.isClear) {
                free.put(event.printer, candidate(event.printer, 1_000_000 + now));
            } else {
                Optional.ofNullable(failing.remove(event.printer)).ifPresent(failed -> {
                    waiting.add(failed);
                    waiting.sort((one, other) -> Integer.compare(queue.indexOf(one), queue.indexOf(other)));
                });
                long done = calendar.nextAttendedSecond(Math.max(now, people.poll())) + hours.minutesPerBed() * 60L;
                people.add(done);
                events.add(new Event(done, event.printer, true));
            }
            place(now, waiting, free, events, failing);
        }
        return this;
    }

    private void place(
            long now,
            List<FarmState.QueuedJob> waiting,
            Map<Integer, Candidate> free,
            PriorityQueue<Event> events,
            Map<Integer, FarmState.QueuedJob> failing) {
        PlacementPlanner planner = new PlacementPlanner(SchedulingFixtures.RULES, List.copyOf(free.values()));
        for (FarmState.QueuedJob job : List.copyOf(waiting)) {
            planner.place(new PlacementPlanner.WaitingJob(job.id(), 0, job.requirement()))
                    .ifPresent(placement -> {
                        waiting.remove(job);
                        String name = placement.printer().printer().id();
                        int printer = Integer.parseInt(name.substring(1));
                        free.remove(printer);
                        double seconds = job.seconds() * Math.exp(bias + SPREAD * random.nextGaussian());
                        if (random.nextDouble() < FAILURES) {
                            failing.put(printer, job);
                            seconds *= random.nextDouble();
                        } else {
                            ends.put(job.id(), now + Math.round(seconds));
                        }
                        begins.putIfAbsent(job.id(), now);
                        printers.putIfAbsent(job.id(), name);
                        events.add(new Event(now + Math.max(1, Math.round(seconds)), printer, false));
                    });
        }
    }

    static Instant at(long second) {
        return NOW.plusSeconds(second);
    }
}
