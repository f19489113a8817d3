package farm.gantry.aws;

import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import com.amazonaws.services.lambda.runtime.serialization.PojoSerializer;
import com.amazonaws.services.lambda.runtime.serialization.events.LambdaEventSerializers;
import farm.gantry.api.EventSource;
import farm.gantry.api.Lambda;
import farm.gantry.api.apikey.ApiKeys;
import farm.gantry.api.aws.KeyService;
import farm.gantry.api.aws.Tables;
import farm.gantry.api.main.DeliveryFunction;
import farm.gantry.api.main.HttpApiFunction;
import farm.gantry.api.main.LinkFunction;
import farm.gantry.api.main.LocalPostgres;
import farm.gantry.api.main.ReportFunction;
import farm.gantry.api.main.ScheduleFunction;
import farm.gantry.api.main.SweepFunction;
import farm.gantry.api.store.StoreRows;
import farm.gantry.edge.command.PairAgent;
import farm.gantry.edge.command.RunAgent;
import farm.gantry.ingest.function.FunctionSettings;
import farm.gantry.ingest.function.IngestFunction;
import farm.gantry.ingest.function.emulator.Buckets;
import farm.gantry.ingest.function.emulator.Queues;
import farm.gantry.ingest.function.emulator.SdkSettings;
import farm.gantry.local.Api;
import io.micronaut.context.ApplicationContext;
import io.micronaut.function.aws.LambdaApplicationContextBuilder;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/**
 * The farm as it runs on AWS, over emulators of its services inside this process: each function has beans of its own, as in a
 * process of its own, and is called with the events that Lambda would give it. Nothing else serves the API or does its work.
 */
final class FarmOnAws {
    private static final PojoSerializer<SQSEvent> EVENTS =
            LambdaEventSerializers.serializerFor(SQSEvent.class, FarmOnAws.class.getClassLoader());
    private static final PojoSerializer<SQSBatchResponse> ANSWERS =
            LambdaEventSerializers.serializerFor(SQSBatchResponse.class, FarmOnAws.class.getClassLoader());

    private final Path folder;
    private final LocalPostgres postgres;
    private final Buckets buckets;
    private final Queues queues = new Queues();
    private final Tables tables = new Tables();
    private final KeyService keys = new KeyService();
    private final Gateway gateway = new Gateway("Lambda api");
    private final Gateway link = new Gateway("Lambda link");
    private final Map<String, Object> settings = new HashMap<>();
    private final List<ApplicationContext> contexts = new ArrayList<>();
    private final List<Thread> pollers = new ArrayList<>();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final String bucket;
    private final Api client;
    /** Those that are killed after their next work, before anybody hears of it. */
    private final Set<String> dying = ConcurrentHashMap.newKeySet();

    private volatile boolean isOver;

    /** The end of a function's process. */
    private static final class KilledException extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    /** {@code others} are settings of the functions. */
    FarmOnAws(Path folder, Map<String, Object> others) throws Exception {
        this.folder = folder;
        this.postgres = LocalPostgres.start(folder.resolve("postgres"), Map.of("fsync", "off"));
        postgres.prepare("gantry");
        this.buckets = new Buckets(Files.createDirectories(folder.resolve("buckets")));
        this.bucket = buckets.newBucket();
        String prefix = newQueues();
        settings.putAll(Map.of(
                "gantry.aws.region",
                SdkSettings.REGION,
                "gantry.aws.bucket",
                bucket,
                "gantry.aws.queue-prefix",
                prefix,
                "gantry.aws.key",
                "alias/farm",
                "gantry.aws.table-prefix",
                tables.newRateLimits(),
                "gantry.files.folder",
                localFiles().toString(),
                "gantry.public-url",
                gateway.url(),
                "gantry.pepper",
                "pepper",
                "datasources.default.url",
                postgres.url("gantry"),
                "datasources.default.password",
                postgres.password()));
        settings.put("gantry.link.address", link.url());
        settings.putAll(others);
        ApplicationContext api = context();
        this.client = new Api(
                gateway.url(),
                api.getBean(StoreRows.class)
                        .create("A farm", api.getBean(ApiKeys.class)::createOwner)
                        .key());
        gateway.serve(new Lambda(new HttpApiFunction(api)), dying::remove);
        link.serve(new Lambda(new LinkFunction(context())), dying::remove);
        poll(prefix, WorkQueues.SCHEDULE, new ScheduleFunction(context()));
        poll(prefix, WorkQueues.WEBHOOKS, new DeliveryFunction(context()));
        ReportFunction reports = new ReportFunction(context());
        poll(prefix, WorkQueues.STAGE_REPORTS, reports);
        poll(prefix, WorkQueues.SLICE_ANSWERS, reports);
        RequestHandler<SQSEvent, SQSBatchResponse> ingest = ingest(prefix);
        WorkQueues.WORKER.keySet().forEach(queue -> poll(prefix, queue, ingest));
        pollers.forEach(Thread::start);
    }

    /** What the URLs of new queues begin with; a message waits for its function, and not the other way round. */
    private String newQueues() {
        String url = queues.newQueue();
        Stream.concat(
                        Stream.of(WorkQueues.SCHEDULE, WorkQueues.WEBHOOKS, WorkQueues.SLICE_ANSWERS),
                        WorkQueues.WORKER.keySet().stream())
                .forEach(name -> newQueue(name, Map.of()));
        newQueue(WorkQueues.STAGE_REPORTS, Map.of(QueueAttributeName.FIFO_QUEUE, "true"));
        return url.substring(0, url.lastIndexOf('/') + 1);
    }

    private void newQueue(String name, Map<QueueAttributeName, String> more) {
        Map<QueueAttributeName, String> attributes = new HashMap<>(more);
        attributes.put(QueueAttributeName.RECEIVE_MESSAGE_WAIT_TIME_SECONDS, "1");
        attributes.put(QueueAttributeName.VISIBILITY_TIMEOUT, "3");
        queues.client().createQueue(queue -> queue.queueName(name).attributes(attributes));
    }

    private ApplicationContext context() {
        ApplicationContext context = new LambdaApplicationContextBuilder()
                .properties(settings)
                .banner(false)
                .build()
                .start();
        contexts.add(context);
        return context;
    }

    private RequestHandler<SQSEvent, SQSBatchResponse> ingest(String prefix) {
        IngestFunction function = new IngestFunction(FunctionSettings.of(Map.of(
                "AWS_REGION",
                SdkSettings.REGION,
                "GANTRY_FILES_BUCKET",
                bucket,
                "GANTRY_QUEUES_STAGE_REPORTS",
                prefix + WorkQueues.STAGE_REPORTS,
                "GANTRY_QUEUES_SLICE_ANSWERS",
                prefix + WorkQueues.SLICE_ANSWERS,
                "GANTRY_WORKER_FOLDER",
                folder.resolve("work").toString())));
        return (event, context) -> {
            ByteArrayOutputStream json = new ByteArrayOutputStream();
            EVENTS.toJson(event, json);
            ByteArrayOutputStream answer = new ByteArrayOutputStream();
            try {
                function.handleRequest(new ByteArrayInputStream(json.toByteArray()), answer, context);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return ANSWERS.fromJson(new ByteArrayInputStream(answer.toByteArray()));
        };
    }

    /** As Lambda's pollers do. */
    private void poll(String prefix, String queue, RequestHandler<SQSEvent, SQSBatchResponse> function) {
        String name = "Lambda " + (WorkQueues.WORKER.containsKey(queue) ? "ingest" : queue);
        EventSource source = new EventSource(queues, prefix + queue, (event, context) -> {
            Requests.count(name);
            SQSBatchResponse answer = function.handleRequest(event, context);
            if (dying.remove(name)) {
                throw new KilledException();
            }
            return answer;
        });
        pollers.add(Thread.ofVirtual().name("poller of " + queue).unstarted(() -> {
            while (!isOver) {
                try {
                    source.handOver();
                } catch (RuntimeException e) {
                    if (!isOver && !(e instanceof KilledException)) {
                        failures.add(e);
                    }
                }
            }
        }));
    }

    /** What EventBridge does each minute. */
    void sweep() {
        try (ApplicationContext context = context()) {
            new SweepFunction(context).handleRequest(Map.of(), new EventSource.Call());
            contexts.remove(context);
        }
    }

    /** An agent that is paired with the farm and runs until it is closed. */
    AutoCloseable agent() throws Exception {
        String code =
                client.post("/v1/agents/pairing-codes", Map.of()).get("code").getStringValue();
        Path data = folder.resolve("agent");
        PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
        if (new PairAgent(gateway.url(), code, "agent", data, false).run(nowhere, nowhere) != 0) {
            throw new IllegalStateException("the agent was not paired");
        }
        Thread thread = Thread.ofVirtual().name("agent").start(() -> {
            try {
                new RunAgent(data, 0, Duration.ofSeconds(2), 1 << 30, "ffmpeg", null).run(nowhere, nowhere);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        return () -> {
            thread.interrupt();
            thread.join();
        };
    }

    Api client() {
        return client;
    }

    /** Where the API's own way to files would keep them. */
    Path localFiles() {
        return folder.resolve("local-files");
    }

    List<ApplicationContext> contexts() {
        return contexts;
    }

    /** Where the role connects that owns the database. */
    String ownerUrl() {
        return postgres.ownerUrl("gantry");
    }

    /** Each of these functions does its next work, and is killed before that is known: {@code Lambda link} and the like. */
    void kill(Set<String> functions) {
        dying.addAll(functions);
    }

    /** Those that are still to be killed. */
    Set<String> dying() {
        return dying;
    }

    /** What functions threw at their pollers. */
    List<Throwable> failures() {
        return failures;
    }

    void stop() throws Exception {
        isOver = true;
        for (Thread poller : pollers) {
            poller.join();
        }
        gateway.close();
        link.close();
        contexts.forEach(ApplicationContext::close);
        keys.close();
        tables.stop();
        queues.stop();
        buckets.stop();
        postgres.close();
    }
}
