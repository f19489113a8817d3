package farm.gantry.api.benchmark;

import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Call;
import farm.gantry.api.fixture.Host;
import farm.gantry.api.fixture.RuntimeInterface;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.main.function.HttpApiFunction;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Measures the time of the API's function from the start of its JVM to its first response, and of later responses, with
 * Lambda's own runtime client, by turns with and without Java's AOT cache. After {@code mvn -pl infra/aws -am package},
 * with the ZIP of the functions unpacked, {@code api.args} and {@code api.aot} made as in the container's Dockerfile
 * (with its {@code JAVA_TOOL_OPTIONS}), in {@code api-functions}: {@code java -cp
 * 'target/test-classes:target/classes:<what the tests need>' farm.gantry.api.benchmark.ColdStartBenchmark api.args
 * api.aot [starts]}.
 */
final class ColdStartBenchmark {
    private static final List<String> JVM =
            List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:+UseCompactObjectHeaders");
    private static final Map<String, String> UNLIMITED = Map.of("GANTRY_RATE_LIMIT_PER_MINUTE", "0");
    private static final int WARM = 500;

    private ColdStartBenchmark() {}

    public static void main(String[] arguments) throws Exception {
        Path cache = Path.of(arguments[1]);
        int starts = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 10;
        String key = SharedApi.newStore().key();
        List<String> plain = new ArrayList<>(JVM);
        plain.add("@" + arguments[0]);
        List<String> cached = new ArrayList<>(plain);
        cached.add("-XX:AOTCache=" + cache);
        List<Start> without = new ArrayList<>();
        List<Start> with = new ArrayList<>();
        for (int i = 0; i < starts; i++) {
            without.add(start(plain, key));
            with.add(start(cached, key));
        }
        System.out.printf("%d starts to the first answer, cache %d MB%n", starts, Files.size(cache) >> 20);
        print("without the cache", without);
        print("with it", with);
        warm(cached, key);
        System.exit(0);
    }

    /**
     * Nanoseconds until the response to an authenticated request that reads the database, and the process's CPU time.
     */
    private record Start(long taken, long worked) {}

    private static Start start(List<String> options, String key) throws Exception {
        long begun = System.nanoTime();
        try (RuntimeInterface runtime = new RuntimeInterface(HttpApiFunction.class, UNLIMITED, options)) {
            answered(runtime, key);
            return new Start(System.nanoTime() - begun, runtime.worked().toNanos());
        }
    }

    private static void print(String shape, List<Start> starts) {
        long[] taken = starts.stream().mapToLong(Start::taken).toArray();
        long[] worked = starts.stream().mapToLong(Start::worked).toArray();
        System.out.printf(
                Locale.ROOT,
                "%s: %.2f s in the median, %.2f s at best; CPU %.2f and %.2f s%n",
                shape,
                seconds(median(taken)),
                seconds(Arrays.stream(taken).min().orElseThrow()),
                seconds(median(worked)),
                seconds(Arrays.stream(worked).min().orElseThrow()));
    }

    private static void warm(List<String> options, String key) throws Exception {
        try (RuntimeInterface runtime = new RuntimeInterface(HttpApiFunction.class, UNLIMITED, options)) {
            long[] taken = new long[WARM];
            for (int i = 0; i < 2 * WARM; i++) {
                long begun = System.nanoTime();
                answered(runtime, key);
                taken[i % WARM] = System.nanoTime() - begun;
            }
            System.out.printf(Locale.ROOT, "warm: %.1f ms (median of %d)%n", seconds(median(taken)) * 1000, WARM);
        }
    }

    private static void answered(Host host, String key) throws Exception {
        Answer answer = host.send(
                new Call("GET", "/v1/macros", List.of(Map.entry("authorization", "ApiKey " + key)), new byte[0]));
        if (answer.status() != 200) {
            throw new IllegalStateException(answer.status() + " " + answer.text());
        }
    }

    private static long median(long[] of) {
        return Arrays.stream(of).sorted().toArray()[of.length / 2];
    }

    private static double seconds(long nanos) {
        return nanos / 1e9;
    }
}
