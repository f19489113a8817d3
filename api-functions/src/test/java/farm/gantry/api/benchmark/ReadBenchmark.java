package farm.gantry.api.benchmark;

import farm.gantry.api.apikey.ApiKeys;
import farm.gantry.api.fixture.RawClient;
import farm.gantry.api.fixture.SlowConnections;
import farm.gantry.api.main.StandaloneServer;
import farm.gantry.api.store.StoreRows;
import java.net.URI;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Measures reads of one record at a steady rate by many keys, with authentication, rate limits and connection limits.
 * The latency counts from the scheduled time of a request, so that a pause counts for all waiting ones. A second run
 * adds slow connections from another address. After {@code mvn -pl api-functions -am package}, in {@code
 * api-functions}: {@code java <flags of serve> -cp 'target/test-classes:target/classes:target/lib/*'
 * farm.gantry.api.benchmark.ReadBenchmark [requests a second] [seconds] [slow connections]}
 */
final class ReadBenchmark {
    private static final int KEYS = 50;
    /** The length of the id with which a key begins. */
    private static final int ID_LENGTH = 24;

    private ReadBenchmark() {}

    /** A connection with one key, and the request that it sends. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Reader(URI api, byte[] request, int perSecond) {
        /** Returns the duration of each request in nanoseconds. */
        long[] run(int seconds, long start) throws Exception {
            long[] taken = new long[perSecond * seconds];
            try (RawClient client = new RawClient(api)) {
                for (int i = 0; i < taken.length; i++) {
                    long due = start + i * 1_000_000_000L / perSecond;
                    long early = due - System.nanoTime();
                    if (early > 0) {
                        Thread.sleep(early / 1_000_000, (int) (early % 1_000_000));
                    }
                    client.exchange(request);
                    taken[i] = System.nanoTime() - due;
                }
            }
            return taken;
        }
    }

    public static void main(String[] arguments) throws Exception {
        int rate = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 2000;
        int seconds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 30;
        int slow = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 0;
        Map<String, Object> settings = Map.of(
                "micronaut.server.port",
                -1,
                "gantry.rate-limit.per-minute",
                60_000,
                "gantry.rate-limit.burst",
                10_000,
                "gantry.connections.max-per-address",
                2000);
        try (StandaloneServer machine = StandaloneServer.start(Files.createTempDirectory("reads"), settings);
                ExecutorService threads = Executors.newFixedThreadPool(KEYS)) {
            List<Reader> readers = new ArrayList<>();
            for (int i = 0; i < KEYS; i++) {
                ApiKeys.CreatedKey owner = machine.context()
                        .getBean(StoreRows.class)
                        .create("A farm", machine.context().getBean(ApiKeys.class)::createOwner);
                readers.add(new Reader(
                        URI.create(machine.url()),
                        RawClient.request(
                                "GET", "/v1/api-keys/" + owner.key().substring(0, ID_LENGTH), owner.key(), ""),
                        rate / KEYS));
            }
            run(readers, threads, 15);
            print(rate, run(readers, threads, seconds));
            if (slow > 0) {
                try (SlowConnections connections = new SlowConnections(URI.create(machine.url()), slow)) {
                    System.out.println("beside " + slow + " slow connections:");
                    print(rate, run(readers, threads, seconds));
                    System.out.println(connections.begun() + " were begun; 20 s after their last byte "
                            + connections.openAfter(20) + " are open");
                }
            }
        }
        System.exit(0);
    }

    private static void print(int rate, long[] all) {
        Arrays.sort(all);
        System.out.printf(
                "%d requests by %d keys at %d/s: p50 %.1f ms, p99 %.1f ms, p99.9 %.1f ms, most %.1f ms%n",
                all.length, KEYS, rate, at(all, 0.5), at(all, 0.99), at(all, 0.999), at(all, 1));
    }

    private static long[] run(List<Reader> readers, ExecutorService threads, int seconds) throws Exception {
        long start = System.nanoTime() + 100_000_000;
        List<Future<long[]>> runs = new ArrayList<>();
        for (Reader reader : readers) {
            runs.add(threads.submit(() -> reader.run(seconds, start)));
        }
        List<long[]> taken = new ArrayList<>();
        for (Future<long[]> run : runs) {
            taken.add(run.get());
        }
        return taken.stream().flatMapToLong(Arrays::stream).toArray();
    }

    private static double at(long[] sorted, double share) {
        return sorted[(int) Math.min(sorted.length - 1, sorted.length * share)] / 1e6;
    }
}
