package farm.gantry.promise;

import farm.gantry.schedule.Candidate;
import farm.gantry.schedule.PlacementPlanner;
import farm.gantry.schedule.SchedulingFixtures;
import farm.gantry.store.WorkingHours;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A simulation of some weeks in a farm whose true durations the planner does not know: orders arrive, the scheduler's
 * own planner places their jobs, prints take longer or shorter than estimated, and people clear beds at their own pace.
 * The farm learns from its prints as a real one does. Each promise is compared with the outcome.
 */
final class UnknownFarm {
    private static final Instant START = Instant.parse("2026-03-02T08:00:00Z");
    private static final int PRINTERS = 12;
    private static final long DAY = 86_400;
    private static final double MEAN_FACTOR = Math.log(1.15);
    private static final double SPREAD = 0.25;
    private static final double REPORT_SPREAD = 0.05;
    private static final int MAX_RETRIES = 5;
    private static final List<String> TYPES =
            List.of("PLA", "PLA", "PLA", "PLA", "PLA", "PLA", "PETG", "PETG", "PETG", "PETG", "ABS", "ABS");

    /** The remaining time that printers report. */
    enum Remainder {
        /** The true time with an error of some percent. */
        CLOSE,
        /**
         * The estimate times the share that is left, with an error of some percent, as printers report it from the progress marks in a
         * file.
         */
        PROGRESS,
        /** The estimate minus the elapsed time, as Klipper reports it. */
        COUNTDOWN,
        NOTHING
    }

    /**
     * The true behaviour of a farm; {@code known} are the working hours in the store's settings, {@code real} those of
     * the people.
     */
    record Truth(
            double clearingMinutes,
            double clearingSpread,
            double printerSpread,
            double failures,
            int heatingSeconds,
            Remainder remainder,
            WorkingHours known,
            WorkingHours real) {}

    /** A promise and its outcome, in seconds; {@code jobs} is the number of jobs of the order. */
    record Outcome(int jobs, long likely, long latest, long ended) {}

    private enum Kind {
        ORDER,
        HALF,
        END,
        CLEARED
    }

    private record Event(long second, int order, Kind kind, int printer) {}

    private static final class Job {
        private final FarmState.QueuedJob queued;
        private long ended;

        Job(FarmState.QueuedJob queued) {
            this.queued = queued;
        }
    }

    /** A running print: when it began, when it ends, and whether it succeeds. */
    private record Running(
            Job job, long begun, long end, double actualSeconds, boolean succeeds, double reportFactor) {}

    private record Promised(List<Job> jobs, Promise promise) {}

    private final Truth truth;
    /** Orders, prints and people each have their own random numbers, so that each case has the same orders. */
    private final Random orders;

    private final Random prints;
    private final Random clearings;
    private final Random reportErrors;
    private final double[] biases = new double[PRINTERS];
    private final long[] lastPrinted = new long[PRINTERS];
    private final Running[] running = new Running[PRINTERS];
    private final Set<Integer> free = new HashSet<>();
    private final List<Job> queue = new ArrayList<>();
    private final Map<String, Integer> places = new HashMap<>();
    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::second).thenComparingInt(Event::order));
    private final PriorityQueue<Long> people = new PriorityQueue<>();
    private final WorkCalendar calendar;
    private final LearnedFarm learned;
    private final LearnedFarm.@Nullable Report[] reports = new LearnedFarm.Report[PRINTERS];
    private int eventCount;
    private int jobCount;

    private final List<Promised> ofJobs = new ArrayList<>();
    private final List<Promised> ofOrders = new ArrayList<>();
    private final List<Promised> halfway = new ArrayList<>();

    UnknownFarm(Truth truth, long seed) {
        this.truth = truth;
        this.orders = new Random(seed);
        this.prints = new Random(seed + 1_000_003);
        this.clearings = new Random(seed + 2_000_003);
        this.reportErrors = new Random(seed + 3_000_003);
        this.learned = new LearnedFarm(truth.known());
        this.calendar = WorkCalendar.of(truth.real(), ZoneOffset.UTC, START);
        for (int printer = 0; printer < PRINTERS; printer++) {
            biases[printer] = truth.printerSpread() * prints.nextGaussian();
            free.add(printer);
        }
        IntStream.range(0, truth.real().people()).forEach(_ -> people.add(0L));
    }

    /** Simulates this many days, and measures the promises made after the first 100 prints. */
    UnknownFarm run(int days) {
        for (long second = 0; second < days * DAY; second += 2000 + orders.nextInt(18_000)) {
            add(second, Kind.ORDER, 0);
        }
        while (!events.isEmpty()) {
            Event event = events.poll();
            long now = event.second();
            switch (event.kind()) {
                case ORDER -> order(now);
                case HALF -> half(event.printer(), now);
                case END -> end(event.printer(), now);
                case CLEARED -> cleared(event.printer(), now);
            }
            place(now);
        }
        return this;
    }

    List<Outcome> jobs() {
        return outcomes(ofJobs);
    }

    List<Outcome> orders() {
        return outcomes(ofOrders);
    }

    /** Returns the outcomes of the promises made half-way through each print. */
    List<Outcome> halfway() {
        return outcomes(halfway);
    }

    private static List<Outcome> outcomes(List<Promised> promised) {
        return promised.stream()
                .map(each -> new Outcome(
                        each.jobs().size(),
                        second(each.promise().promisedAt()),
                        second(each.promise().promisedBy()),
                        each.jobs().stream().mapToLong(job -> job.ended).max().orElseThrow()))
                .toList();
    }

    private static long second(@Nullable Instant time) {
        return time == null ? 0 : time.getEpochSecond() - START.getEpochSecond();
    }

    private void add(long second, Kind kind, int printer) {
        events.add(new Event(second, eventCount++, kind, printer));
    }

    /** Adds an order. Most are small; one of eight has dozens of jobs and one of fifty has up to 200. */
    private void order(long now) {
        int die = orders.nextInt(100);
        int size = die < 2 ? 80 + orders.nextInt(121) : die < 14 ? 10 + orders.nextInt(30) : 1 + orders.nextInt(6);
        List<Job> jobs = new ArrayList<>();
        String type = TYPES.get(orders.nextInt(TYPES.size()));
        for (int i = 0; i < size; i++) {
            double seconds = Math.clamp(2700 * Math.exp(0.7 * orders.nextGaussian()), 300, 30_000);
            jobs.add(new Job(new FarmState.QueuedJob(
                    "job" + jobCount++,
                    SchedulingFixtures.of(List.of(SchedulingFixtures.type(type))),
                    Math.round(seconds),
                    null,
                    100,
                    MAX_RETRIES,
                    false)));
            places.put("job" + (jobCount - 1), jobCount);
        }
        queue.addAll(jobs);
        if (learned.isMeasured()) {
            PromisePlanner planner = new PromisePlanner(state(now, queue));
            Map<String, Promise> promises = planner.promises();
            jobs.forEach(job ->
                    ofJobs.add(new Promised(List.of(job), promises.getOrDefault(job.queued.id(), Promise.NONE))));
            ofOrders.add(new Promised(
                    jobs,
                    planner.promiseAll(jobs.stream().map(job -> job.queued.id()).toList())));
        }
    }

    private void half(int printer, long now) {
        Running print = running[printer];
        FarmState.CurrentJob current = current(print, now);
        reports[printer] = current == null || current.reportedSeconds() == null
                ? null
                : new LearnedFarm.Report(
                        now, current.estimatedSeconds(), current.elapsedSeconds(), current.reportedSeconds());
        if (learned.isMeasured()) {
            Map<String, Promise> promises = new PromisePlanner(state(now, List.of())).promises();
            halfway.add(new Promised(
                    List.of(print.job()),
                    promises.getOrDefault(print.job().queued.id(), Promise.NONE)));
        }
    }

    private void end(int printer, long now) {
        Running print = running[printer];
        running[printer] = null;
        learned.ended(
                "p" + printer,
                print.job().queued.seconds(),
                print.actualSeconds(),
                (double) (now - print.begun()),
                print.succeeds());
        if (print.succeeds()) {
            print.job().ended = now;
            LearnedFarm.Report report = reports[printer];
            if (report != null) {
                learned.reported(report, now);
            }
        } else {
            queue.add(print.job());
            queue.sort(Comparator.comparingInt(job -> places.getOrDefault(job.queued.id(), 0)));
        }
        double minutes = truth.clearingMinutes() * Math.exp(truth.clearingSpread() * clearings.nextGaussian());
        long begin = calendar.nextAttendedSecond(Math.max(now, people.poll()));
        long cleared = begin + Math.round(minutes * 60);
        people.add(cleared);
        lastPrinted[printer] = now;
        add(cleared, Kind.CLEARED, printer);
    }

    private void cleared(int printer, long now) {
        free.add(printer);
        learned.cleared(START.plusSeconds(lastPrinted[printer]), START.plusSeconds(now));
    }

    private void place(long now) {
        if (free.isEmpty() || queue.isEmpty()) {
            return;
        }
        PlacementPlanner planner = new PlacementPlanner(
                SchedulingFixtures.RULES, free.stream().map(this::candidate).toList());
        for (Job job : List.copyOf(queue)) {
            planner.place(new PlacementPlanner.WaitingJob(job.queued.id(), 0, job.queued.requirement()))
                    .ifPresent(placement -> {
                        queue.remove(job);
                        start(
                                job,
                                Integer.parseInt(
                                        placement.printer().printer().id().substring(1)),
                                now);
                    });
        }
    }

    private void start(Job job, int printer, long now) {
        free.remove(printer);
        double whole = job.queued.seconds() * Math.exp(MEAN_FACTOR + biases[printer] + SPREAD * prints.nextGaussian());
        boolean succeeds = prints.nextDouble() >= truth.failures();
        double share = prints.nextDouble();
        double actual = Math.max(1, succeeds ? whole : whole * share);
        long end = now + truth.heatingSeconds() + Math.round(actual);
        running[printer] =
                new Running(job, now, end, actual, succeeds, Math.exp(REPORT_SPREAD * reportErrors.nextGaussian()));
        add(now + (end - now) / 2, Kind.HALF, printer);
        add(end, Kind.END, printer);
    }

    private Candidate candidate(int printer) {
        return SchedulingFixtures.printer(
                "p" + printer, lastPrinted[printer], SchedulingFixtures.filament(0, null, null, TYPES.get(printer)));
    }

    private FarmState state(long now, List<Job> waiting) {
        return new FarmState(
                START.plusSeconds(now),
                ZoneOffset.UTC,
                SchedulingFixtures.RULES,
                IntStream.range(0, PRINTERS)
                        .mapToObj(printer -> new FarmState.PlannedPrinter(
                                candidate(printer), current(running[printer], now), free.contains(printer)))
                        .toList(),
                withCurrentJobs(waiting),
                Map.of(),
                learned.work(START.plusSeconds(now)),
                learned.deviations());
    }

    /** Returns the waiting and the printing jobs, in the order of the queue. */
    private List<FarmState.QueuedJob> withCurrentJobs(List<Job> waiting) {
        return Stream.concat(
                        waiting.stream(),
                        Arrays.stream(running).filter(Objects::nonNull).map(Running::job))
                .sorted(Comparator.comparingInt(job -> places.getOrDefault(job.queued.id(), 0)))
                .map(job -> job.queued)
                .toList();
    }

    private FarmState.@Nullable CurrentJob current(@Nullable Running print, long now) {
        if (print == null) {
            return null;
        }
        double estimated = print.job().queued.seconds();
        long wall = now - print.begun();
        double printed = Math.max(0, wall - truth.heatingSeconds());
        Double reported = switch (truth.remainder()) {
            case CLOSE -> Double.valueOf((print.end() - now) * print.reportFactor());
            case PROGRESS -> Double.valueOf(estimated * (1 - printed / print.actualSeconds()) * print.reportFactor());
            case COUNTDOWN -> Double.valueOf(Math.max(0, estimated - printed));
            case NOTHING -> null;
        };
        boolean isKnown = reported != null && !RemainingTimeEstimator.isCountdown(estimated, printed, reported);
        return new FarmState.CurrentJob(print.job().queued.id(), estimated, printed, isKnown ? reported : null, null);
    }
}
