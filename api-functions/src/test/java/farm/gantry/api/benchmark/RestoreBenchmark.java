package farm.gantry.api.benchmark;

import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Call;
import farm.gantry.api.fixture.RuntimeInterface;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.main.function.HttpApiFunction;
import farm.gantry.api.main.function.UnrehearsedFunction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Measures the time of the API's function from the restore of its snapshot to its first responses, with Lambda's own
 * runtime client, by turns with and without the rehearsal before the snapshot. The process continues itself instead of
 * a copy, so the time that Lambda takes to load the memory is not included. In {@code api-functions}: {@code java -cp
 * 'target/test-classes:target/classes:<what the tests need>' farm.gantry.api.benchmark.RestoreBenchmark [restores]}.
 */
final class RestoreBenchmark {
    private static final List<String> JVM =
            List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:+UseCompactObjectHeaders");
    /** A list, a record that is created, and an unknown one. */
    private static final int REQUESTS = 3;

    private RestoreBenchmark() {}

    public static void main(String[] arguments) throws Exception {
        int restores = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 5;
        String key = SharedApi.newStore().key();
        List<long[]> without = new ArrayList<>();
        List<long[]> with = new ArrayList<>();
        for (int i = 0; i < restores; i++) {
            without.add(restore(UnrehearsedFunction.class, key));
            with.add(restore(HttpApiFunction.class, key));
        }
        for (int request = 0; request < REQUESTS; request++) {
            long before = median(without, request);
            long after = median(with, request);
            System.out.printf(
                    Locale.ROOT,
                    "response %d after the restore: %.0f ms without the rehearsal, %.0f ms with it, ratio %.2f (medians of %d)%n",
                    request + 1,
                    before / 1e6,
                    after / 1e6,
                    (double) after / before,
                    restores);
        }
        System.exit(0);
    }

    /** Returns the nanoseconds of each response; the first are counted from the restore. */
    private static long[] restore(Class<?> function, String key) throws Exception {
        long[] taken = new long[REQUESTS];
        try (RuntimeInterface runtime = RuntimeInterface.withSnapshot(function, Map.of(), JVM)) {
            long begun = System.nanoTime();
            runtime.restore();
            for (int i = 0; i < REQUESTS; i++) {
                send(runtime, i, key);
                long ended = System.nanoTime();
                taken[i] = ended - begun;
                begun = ended;
            }
        }
        return taken;
    }

    private static void send(RuntimeInterface runtime, int request, String key) throws Exception {
        List<Map.Entry<String, String>> headers =
                List.of(Map.entry("authorization", "ApiKey " + key), Map.entry("content-type", "application/json"));
        byte[] body = "{\"name\":\"a\",\"type\":\"generic\",\"gcode\":\"G28\"}".getBytes(StandardCharsets.UTF_8);
        Answer answer = runtime.send(
                switch (request) {
                    case 0 -> new Call("GET", "/v1/printers?limit=50", headers, new byte[0]);
                    case 1 -> new Call("POST", "/v1/macros", headers, body);
                    default -> new Call("GET", "/v1/macros", headers, new byte[0]);
                });
        if (answer.status() / 100 != 2) {
            throw new IllegalStateException(answer.status() + " " + answer.text());
        }
    }

    private static long median(List<long[]> runs, int request) {
        return runs.stream().mapToLong(run -> run[request]).sorted().toArray()[runs.size() / 2];
    }
}
