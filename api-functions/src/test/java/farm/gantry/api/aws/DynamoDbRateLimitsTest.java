package farm.gantry.api.aws;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.Id;
import farm.gantry.api.fixture.Eventually;
import farm.gantry.api.http.ratelimit.RateLimit;
import farm.gantry.api.http.ratelimit.RateLimitContract;
import farm.gantry.api.http.ratelimit.RateLimits;
import farm.gantry.ingest.function.emulator.SdkSettings;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Tests rate limits that are counted in a table of DynamoDB Local. */
@Tag("install")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class DynamoDbRateLimitsTest implements RateLimitContract {
    private DynamoTables tables;
    private String prefix;

    @BeforeAll
    void start() throws Exception {
        tables = new DynamoTables();
        prefix = tables.newTables();
    }

    @AfterAll
    void stop() throws Exception {
        tables.stop();
    }

    @Override
    public RateLimits limits(InstantSource clock) {
        return limits(tables.client(), prefix, clock);
    }

    private static RateLimits limits(DynamoDbClient client, String prefix, InstantSource clock) {
        return new DynamoDbRateLimits(client, DynamoTables.settings(prefix), clock);
    }

    private Map<String, AttributeValue> item(String caller) {
        return tables.rateLimit(prefix, caller);
    }

    @Test
    void processesShareOneCount() {
        Time time = new Time();
        String caller = Id.next();
        limits(time).create(60, 3).take(caller);
        assertThat(limits(time).create(60, 3).take(caller).remaining()).isEqualTo(1);
        assertThat(limits(time).create(30, 1).take(caller).remaining())
                .as("by a lowered limit")
                .isZero();
    }

    @Test
    void rejectedRequestWritesNothing() {
        Time time = new Time();
        RateLimit limit = limits(time).create(60, 1);
        String caller = Id.next();
        limit.take(caller);
        Map<String, AttributeValue> before = item(caller);
        time.pass(Duration.ofMillis(10));
        assertThat(limit.take(caller).allowed()).isFalse();
        assertThat(item(caller)).isNotEmpty().isEqualTo(before);
    }

    @Test
    void bucketExpiresWhenItIsFullAgain() {
        Time time = new Time();
        String caller = Id.next();
        limits(time).create(60, 10).take(caller);
        limits(time).create(60, 10).take(caller);
        assertThat(item(caller).get(DynamoDbRateLimits.EXPIRES_AT))
                .isEqualTo(AttributeValue.fromN(Long.toString(time.instant().getEpochSecond() + 3)));
    }

    @Test
    void processCountsLocallyWithoutATable() {
        Time time = new Time();
        String later = "gantry-" + Id.next() + "-";
        String caller = Id.next();
        RateLimit limit = limits(tables.client(), later, time).create(6, 2);
        assertThat(IntStream.range(0, 3).mapToObj(_ -> limit.take(caller)))
                .extracting(RateLimit.Decision::allowed)
                .containsExactly(true, true, false);
        DynamoTables.addRateLimits(tables.client(), later);
        assertThat(limit.take(caller).allowed())
                .as("it is not asked again at once")
                .isFalse();
        time.pass(TableFallback.RETRY_DELAY);
        limit.take(caller);
        assertThat(limits(tables.client(), later, time)
                        .create(6, 2)
                        .take(caller)
                        .remaining())
                .as("as another process reads it")
                .isZero();
    }

    @Test
    void onlyOneRequestWaitsWhenDynamoDbDoesNotAnswer() throws Exception {
        AtomicInteger connections = new AtomicInteger();
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> accept(silent, connections));
            DynamoDbClient client = client(silent.getLocalPort());
            Time time = new Time();
            RateLimit limit = limits(client, prefix, time).create(60, 5);
            String caller = Id.next();
            assertThat(IntStream.range(0, 6).mapToObj(_ -> limit.take(caller)))
                    .extracting(RateLimit.Decision::allowed)
                    .containsExactly(true, true, true, true, true, false);
            awaitCount(connections, 1);
            time.pass(TableFallback.RETRY_DELAY);
            limit.take(caller);
            limit.take(caller);
            awaitCount(connections, 2);
            client.close();
        }
    }

    /** Waits for the number of accepted connections, which may rise only after the client has timed out. */
    private static void awaitCount(AtomicInteger connections, int count) {
        Eventually.until("a request was sent", () -> connections.get() >= count);
        assertThat(connections).hasValue(count);
    }

    private static DynamoDbClient client(int port) {
        try (SdkSettings _ = new SdkSettings("aws.endpointUrlDynamoDb", port)) {
            return new AwsClientFactory(DynamoTables.settings("")).tables();
        }
    }

    private static void accept(ServerSocket server, AtomicInteger connections) {
        try {
            while (true) {
                Socket held = server.accept();
                connections.incrementAndGet();
                Thread.ofVirtual().start(() -> read(held));
            }
        } catch (IOException closed) {
            return;
        }
    }

    private static void read(Socket held) {
        try (held) {
            held.getInputStream().transferTo(OutputStream.nullOutputStream());
        } catch (IOException closed) {
            return;
        }
    }
}
