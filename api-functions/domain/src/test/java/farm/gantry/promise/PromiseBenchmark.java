package farm.gantry.promise;

import farm.gantry.schedule.Candidate;
import farm.gantry.schedule.Requirement;
import farm.gantry.schedule.SchedulingFixtures;
import farm.gantry.store.WorkingHours;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Measures the processor time of promises for 10,000 jobs and 1,000 printers. Run it in {@code api-functions/domain}
 * after {@code mvn -Pquick test-compile}: {@code java -cp target/quick/classes:target/quick/test-classes:$(mvn -q
 * dependency:build-classpath -Dmdep.outputFile=/dev/stdout) farm.gantry.promise.PromiseBenchmark 10000 1000}.
 */
final class PromiseBenchmark {
    private PromiseBenchmark() {}

    public static void main(String[] arguments) {
        int jobs = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 10_000;
        int count = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 1_000;
        Random random = new Random(7);
        List<String> types = List.of("PLA", "PETG", "ABS", "TPU");
        List<Requirement> kinds = new ArrayList<>(List.of(SchedulingFixtures.anything()));
        types.forEach(type -> kinds.add(SchedulingFixtures.of(List.of(SchedulingFixtures.type(type)))));
        List<FarmState.PlannedPrinter> printers = IntStream.range(0, count)
                .mapToObj(i -> {
                    Candidate candidate = SchedulingFixtures.printer(
                            "p" + i,
                            i,
                            SchedulingFixtures.filament(0, null, null, types.get(random.nextInt(types.size()))));
                    FarmState.CurrentJob current =
                            new FarmState.CurrentJob("current" + i, 0, 0, (double) random.nextInt(10_000), null);
                    return new FarmState.PlannedPrinter(candidate, current, false);
                })
                .toList();
        List<FarmState.QueuedJob> queue = IntStream.range(0, jobs)
                .mapToObj(i -> new FarmState.QueuedJob(
                        "job" + i,
                        kinds.get(random.nextInt(kinds.size())),
                        600 + random.nextInt(20_000),
                        null,
                        100,
                        1,
                        true))
                .toList();
        FarmState state = new FarmState(
                Instant.now(),
                ZoneOffset.UTC,
                SchedulingFixtures.RULES,
                printers,
                queue,
                Map.of(),
                WorkPattern.fromSettings(WorkingHours.ALWAYS),
                new EstimateErrors(Map.of(), 0.03));
        ThreadMXBean time = ManagementFactory.getThreadMXBean();
        for (int round = 0; round < 8; round++) {
            long begun = time.getCurrentThreadCpuTime();
            int promises = new PromisePlanner(state).promises().size();
            long planned = time.getCurrentThreadCpuTime();
            System.out.printf("%d promises in %.0f ms%n", promises, (planned - begun) / 1e6);
        }
    }
}
