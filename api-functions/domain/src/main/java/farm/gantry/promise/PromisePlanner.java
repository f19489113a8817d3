package farm.gantry.promise;

import farm.gantry.printer.Printer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Estimates when each job will be finished: it simulates the farm many times with random durations and failures, and once without
 * randomness to find the reasons for waiting. The random values of a job are derived from its id, so that an unchanged farm gets unchanged
 * estimates.
 */
public final class PromisePlanner {
    /** The minimum and maximum number of runs; the number depends on the size of the farm. */
    private static final int MIN_RUNS = 16;

    private static final int MAX_RUNS = 64;
    private static final int JOBS_OF_ALL_RUNS = 160_000;
    private static final double EVEN_ODDS = 0.5;
    private static final double NINE_OF_TEN = 0.9;

    private final SimulatedFarm model;
    private final SimulationRun usual;
    private final List<SimulationRun> runs = new ArrayList<>();

    /** Job id to its index in the queue, or to -1 - printer for the current job of a printer. */
    private final Map<String, Integer> places = new LinkedHashMap<>();

    private final WaitReasonWriter words;

    public PromisePlanner(FarmState state) {
        this.model = new SimulatedFarm(state);
        int count = Math.clamp(JOBS_OF_ALL_RUNS / (state.queue().size() + 1), MIN_RUNS, MAX_RUNS);
        this.usual = new SimulationRun(model, RandomOutcomes.NONE).run();
        for (int run = 0; run < count; run++) {
            runs.add(new SimulationRun(model, new SeededOutcomes(run)).run());
        }
        this.words = new WaitReasonWriter(model, usual, runs);
        for (int printer = 0; printer < model.printerCount(); printer++) {
            FarmState.CurrentJob current = model.printer(printer).current();
            if (current != null && current.jobId() != null) {
                places.put(current.jobId(), -1 - printer);
            }
        }
        for (int job = 0; job < model.jobCount(); job++) {
            places.putIfAbsent(model.job(job).id(), job);
        }
    }

    /** Returns the promises of the jobs, in their order. */
    public Map<String, Promise> promises() {
        Map<String, Promise> promises = LinkedHashMap.newLinkedHashMap(places.size());
        places.forEach((id, place) -> promises.put(id, promise(sortedEnds(place))));
        return promises;
    }

    /**
     * Returns the estimate for the last piece of these jobs, including replacements of failed pieces; {@link Promise#NONE} if one of the
     * jobs cannot be printed at present.
     */
    public Promise promiseAll(Collection<String> jobIds) {
        if (!places.keySet().containsAll(jobIds)) {
            return Promise.NONE;
        }
        return promise(runs.stream()
                .mapToLong(run -> lastEnd(run, jobIds))
                .filter(end -> end != SimulatedFarm.NONE)
                .sorted()
                .toArray());
    }

    /** Returns the estimate for those of the jobs that can be printed, as {@link #promiseAll} does: a lower bound for all of them. */
    public Promise promisePrintable(Collection<String> jobIds) {
        return promiseAll(jobIds.stream()
                .filter(id -> {
                    Integer place = places.get(id);
                    return place != null && runs.stream().anyMatch(run -> pieceEnd(run, place) != SimulatedFarm.NONE);
                })
                .toList());
    }

    /** Returns the estimate for the last job of the queue that can be printed. */
    public Promise promiseQueueEnd() {
        return promise(runs.stream()
                .mapToLong(run -> places.values().stream()
                        .mapToLong(place -> pieceEnd(run, place))
                        .max()
                        .orElse(SimulatedFarm.NONE))
                .filter(end -> end != SimulatedFarm.NONE)
                .sorted()
                .toArray());
    }

    private Promise promise(long[] ends) {
        return ends.length == 0
                ? Promise.NONE
                : new Promise(instantAt(quantile(ends, EVEN_ODDS)), instantAt(quantile(ends, NINE_OF_TEN)));
    }

    private long lastEnd(SimulationRun run, Collection<String> jobIds) {
        long last = 0;
        for (String id : jobIds) {
            long end = pieceEnd(run, places.getOrDefault(id, 0));
            if (end == SimulatedFarm.NONE) {
                return SimulatedFarm.NONE;
            }
            last = Math.max(last, end);
        }
        return last;
    }

    /** Returns whether the job is assigned to a printer. */
    public boolean isAtPrinter(String jobId) {
        return places.getOrDefault(jobId, 0) < 0;
    }

    /** Returns the printer that a waiting job likely gets: that of the run without randomness; empty if it gets none. */
    public Optional<Printer> likelyPrinter(String jobId) {
        int place = places.getOrDefault(jobId, -1);
        return place < 0 || usual.printerOf[place] == SimulatedFarm.NONE
                ? Optional.empty()
                : Optional.of(model.printer(usual.printerOf[place]).candidate().printer());
    }

    /** Returns the reasons why a job waits, in order. */
    public List<WaitReason> waitReasons(String jobId) {
        Integer place = places.get(jobId);
        return place == null
                ? List.of()
                : place < 0 ? List.of(words.currentJobReason(-1 - place)) : words.queuedJobReasons(place);
    }

    private static long end(SimulationRun run, int place) {
        return place < 0 ? run.currentJobEnd(-1 - place) : run.ends[place];
    }

    private static long pieceEnd(SimulationRun run, int place) {
        return place < 0 ? run.currentPieceEnd(-1 - place) : run.pieceEnds[place];
    }

    /** Returns the sorted ends of the job in the runs in which it ends. */
    private long[] sortedEnds(int place) {
        long[] ends = new long[runs.size()];
        int count = 0;
        for (SimulationRun run : runs) {
            long end = end(run, place);
            if (end != SimulatedFarm.NONE) {
                ends[count++] = end;
            }
        }
        long[] known = Arrays.copyOf(ends, count);
        Arrays.sort(known);
        return known;
    }

    /**
     * Returns the predictive quantile of n sorted runs: a further run falls into each of the n + 1 gaps between them with equal
     * probability.
     */
    private static long quantile(long[] sorted, double probability) {
        double place = probability * (sorted.length + 1) - 1;
        int below = Math.clamp((int) Math.floor(place), 0, sorted.length - 1);
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + Math.round((sorted[above] - sorted[below]) * Math.clamp(place - below, 0, 1));
    }

    private @Nullable Instant instantAt(long second) {
        return model.state().now().plusSeconds(second);
    }

    /** The random outcomes of one run, seeded with its number and the ids of jobs and printers. */
    private final class SeededOutcomes implements RandomOutcomes {
        private static final long PRINTERS = 0x5ca1ab1eL;
        private static final long FAILURES = 0x0ff1ceL;
        private static final long CLEARINGS = 0xbed0000L;
        private static final long MEANS = 0x5eedL;

        private final long run;
        private final double meanErrors;
        private final double[] printerErrors;

        SeededOutcomes(long run) {
            this.run = run;
            this.meanErrors = random("", MEANS).nextGaussian();
            this.printerErrors = IntStream.range(0, model.printerCount())
                    .mapToDouble(printer -> random(
                                    model.printer(printer).candidate().printer().id(), MEANS)
                            .nextGaussian())
                    .toArray();
        }

        private SplittableRandom random(String id, long salt) {
            return new SplittableRandom(id.hashCode() * 0x9e3779b97f4a7c15L ^ (run + 1) * 0xbf58476d1ce4e5b9L ^ salt);
        }

        @Override
        public double printDeviations(int index) {
            return index < 0
                    ? random(model.printer(-1 - index).candidate().printer().id(), PRINTERS)
                            .nextGaussian()
                    : random(model.job(index).id(), 0).nextGaussian();
        }

        @Override
        public double failureShare(int job, int failures) {
            SplittableRandom random = random(model.job(job).id(), FAILURES + failures);
            return random.nextDouble() < model.state().deviations().failureRate() ? random.nextDouble() : 2;
        }

        @Override
        public double clearingDeviations(int printer, int count) {
            return random(model.printer(printer).candidate().printer().id(), CLEARINGS + count)
                    .nextGaussian();
        }

        @Override
        public double farmMeanDeviations() {
            return meanErrors;
        }

        @Override
        public double printerMeanDeviations(int printer) {
            return printerErrors[printer];
        }
    }
}
