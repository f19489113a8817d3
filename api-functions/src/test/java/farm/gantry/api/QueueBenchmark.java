package farm.gantry.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import com.amazonaws.services.lambda.runtime.serialization.PojoSerializer;
import com.amazonaws.services.lambda.runtime.serialization.events.LambdaEventSerializers;
import farm.gantry.Id;
import farm.gantry.Sha256;
import farm.gantry.file.FileUri;
import farm.gantry.ingest.function.AwsClients;
import farm.gantry.ingest.function.BucketFiles;
import farm.gantry.ingest.function.FunctionSettings;
import farm.gantry.ingest.function.IngestFunction;
import farm.gantry.ingest.function.emulator.SdkSettings;
import farm.gantry.part.Part;
import farm.gantry.wire.IngestRequest;
import io.micronaut.serde.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * How long a request to the worker waits, from before it is sent to ElasticMQ until the function's handler begins with it, while so
 * many come in a second and each is worked on: a small G-code from S3Proxy is read, and reported on. Five pollers hand over one
 * message at a time, as Lambda does in the stack. {@code mvn -o -q -Pquick -pl api-functions -am test
 * -Dsurefire.failIfNoSpecifiedTests=false -Dtest=QueueBenchmark [-Dqueue.messages=500] [-Dqueue.rate=10]}
 */
final class QueueBenchmark {
    private static final int MESSAGES = Integer.getInteger("queue.messages", 500);
    /** A second. */
    private static final int RATE = Integer.getInteger("queue.rate", 10);

    private static final int WARM_UP = 50;
    private static final int POLLERS = 5;
    private static final PojoSerializer<SQSEvent> EVENTS =
            LambdaEventSerializers.serializerFor(SQSEvent.class, QueueBenchmark.class.getClassLoader());
    private static final PojoSerializer<SQSBatchResponse> ANSWERS =
            LambdaEventSerializers.serializerFor(SQSBatchResponse.class, QueueBenchmark.class.getClassLoader());

    private final Map<String, Long> waited = new ConcurrentHashMap<>();
    private final Map<String, Long> sent = new ConcurrentHashMap<>();
    private final Map<String, Long> worked = new ConcurrentHashMap<>();
    private final CountDownLatch done = new CountDownLatch(WARM_UP + MESSAGES);

    @Test
    void howLongRequestsWait(@TempDir Path folder) throws Exception {
        AwsServices services = new AwsServices(folder.resolve("buckets"));
        String queue = services.queuePrefix() + farm.gantry.api.queue.Queues.INGEST;
        RequestHandler<SQSEvent, SQSBatchResponse> function = function(services, folder);
        List<Thread> pollers = new ArrayList<>();
        try (SqsClient sender = AwsClients.queues(SdkSettings.REGION)) {
            IngestRequest part = part(services, folder);
            for (int i = 0; i < POLLERS; i++) {
                EventSource source = new EventSource(services.queues(), queue, function);
                pollers.add(Thread.ofPlatform().start(() -> poll(source)));
            }
            long begun = System.nanoTime();
            for (int i = 0; i < WARM_UP + MESSAGES; i++) {
                LockSupport.parkNanos(begun + i * TimeUnit.SECONDS.toNanos(1) / RATE - System.nanoTime());
                send(sender, queue, part, i >= WARM_UP);
            }
            assertThat(done.await(5, TimeUnit.MINUTES)).as("all were worked on").isTrue();
            for (Thread poller : pollers) {
                poller.join();
            }
        } finally {
            services.stop();
        }
        System.out.printf(
                Locale.ROOT,
                "%d requests, %d a second, to %d pollers: from sending to the handler %s; in the handler %s%n",
                MESSAGES,
                RATE,
                POLLERS,
                percentiles(waited),
                percentiles(worked));
    }

    private void poll(EventSource source) {
        while (done.getCount() > 0) {
            source.handOver(1);
        }
    }

    private RequestHandler<SQSEvent, SQSBatchResponse> function(AwsServices services, Path folder) {
        IngestFunction function = new IngestFunction(FunctionSettings.of(Map.of(
                "AWS_REGION",
                SdkSettings.REGION,
                "GANTRY_FILES_BUCKET",
                services.bucket(),
                "GANTRY_QUEUES_STAGE_REPORTS",
                services.queuePrefix() + farm.gantry.api.queue.Queues.STAGE_REPORTS + ".fifo",
                "GANTRY_QUEUES_SLICE_ANSWERS",
                services.queuePrefix() + farm.gantry.api.queue.Queues.SLICE_ANSWERS,
                "GANTRY_WORKER_FOLDER",
                folder.resolve("work").toString())));
        return (event, context) -> {
            long begun = System.nanoTime();
            String body = event.getRecords().getFirst().getBody();
            ByteArrayOutputStream json = new ByteArrayOutputStream();
            EVENTS.toJson(event, json);
            ByteArrayOutputStream answer = new ByteArrayOutputStream();
            try {
                function.handleRequest(new ByteArrayInputStream(json.toByteArray()), answer, context);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            Long since = sent.get(body);
            if (since != null) {
                waited.putIfAbsent(body, begun - since);
                worked.putIfAbsent(body, System.nanoTime() - begun);
            }
            done.countDown();
            return ANSWERS.fromJson(new ByteArrayInputStream(answer.toByteArray()));
        };
    }

    private static IngestRequest part(AwsServices services, Path folder) throws IOException {
        String gcode = """
                ; generated by PrusaSlicer 2.8.1 on 2026-03-04 at 10:20:30 UTC
                M104 S200
                G28
                G1 X1 Y1 E1
                ; filament used [g] = 3.00
                ; estimated printing time (normal mode) = 1h 2m 3s
                """;
        String store = Id.next();
        String id = Id.next();
        FileUri uri = FileUri.file(store, id, "ring.gcode");
        Path file = Files.writeString(folder.resolve("ring.gcode"), gcode);
        new BucketFiles(AwsClients.storage(SdkSettings.REGION), services.bucket()).put(uri, file);
        return new IngestRequest(
                store,
                id,
                id,
                1,
                Part.Type.gcode,
                List.of(uri.toString()),
                List.of(Sha256.of(gcode)),
                List.of(),
                null,
                false);
    }

    private void send(SqsClient sender, String queue, IngestRequest part, boolean isCounted) throws IOException {
        IngestRequest another = new IngestRequest(
                part.storeId(),
                part.partId(),
                Id.next(),
                part.attempt(),
                part.type(),
                part.fileUris(),
                part.fileHashes(),
                part.parameters(),
                part.setup(),
                part.acceptIncomplete());
        String body = ObjectMapper.getDefault().writeValueAsString(another);
        if (isCounted) {
            sent.put(body, System.nanoTime());
        }
        sender.sendMessage(message -> message.queueUrl(queue).messageBody(body));
    }

    private static String percentiles(Map<String, Long> nanos) {
        long[] sorted =
                nanos.values().stream().mapToLong(Long::longValue).sorted().toArray();
        return String.format(
                Locale.ROOT,
                "p50 %.0f ms, p99 %.0f ms, at most %.0f ms",
                at(sorted, 0.5) / 1e6,
                at(sorted, 0.99) / 1e6,
                sorted[sorted.length - 1] / 1e6);
    }

    private static long at(long[] sorted, double share) {
        return sorted[(int) Math.ceil(share * sorted.length) - 1];
    }
}
