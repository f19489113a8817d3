package farm.gantry.aws;

import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.AwsServices;
import farm.gantry.api.fixture.EventSource;
import farm.gantry.api.fixture.Host;
import farm.gantry.api.fixture.Lambda;
import farm.gantry.api.main.function.AdminFunction;
import farm.gantry.api.main.function.AgentLinkFunction;
import farm.gantry.api.main.function.CleanupFunction;
import farm.gantry.api.main.function.DeliveryFunction;
import farm.gantry.api.main.function.HttpApiFunction;
import farm.gantry.api.main.function.IotAuthorizerFunction;
import farm.gantry.api.main.function.IotLinkFunction;
import farm.gantry.api.main.function.ScheduleFunction;
import farm.gantry.api.main.function.SweepFunction;
import farm.gantry.api.main.function.WorkerResultFunction;
import farm.gantry.api.main.postgres.LocalPostgres;
import farm.gantry.edge.command.PairCommand;
import farm.gantry.edge.command.RunCommand;
import farm.gantry.local.FarmApiClient;
import farm.gantry.wire.BrokerAddress;
import io.micronaut.context.ApplicationContext;
import io.micronaut.function.aws.LambdaApplicationContextBuilder;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The farm as it runs on AWS, over emulators of its services in this process: each function has its own beans, as in
 * its own process, and is called with the events that Lambda sends. Nothing else serves the API or does its work.
 */
final class FarmOnAws {
    private final Path folder;
    private final LocalPostgres postgres;
    private final AwsServices services;
    private final Gateway gateway = new Gateway("Lambda api");
    private final Gateway link = new Gateway("Lambda link");
    private final Map<String, Object> settings = new HashMap<>();
    private final List<ApplicationContext> contexts = new ArrayList<>();
    private final List<Thread> pollers = new ArrayList<>();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final FarmApiClient client;
    private final Deaths deaths = new Deaths();
    private final Host linkFunction;
    private final SweepFunction sweep;

    private volatile boolean isOver;

    /** {@code others} are settings of the functions. */
    FarmOnAws(Path folder, Map<String, Object> others) throws Exception {
        this.folder = folder;
        this.postgres = LocalPostgres.start(folder.resolve("postgres"), Map.of("fsync", "off"));
        postgres.prepareDatabase("gantry");
        this.services = new AwsServices(folder.resolve("buckets"));
        settings.putAll(services.settings());
        settings.putAll(Map.of(
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
        settings.put("gantry.agents.public-url", link.url());
        settings.put("datasources.default.driver-class-name", DyingDriver.class.getName());
        settings.putAll(others);
        ApplicationContext api = context();
        this.client = new FarmApiClient(gateway.url(), createFirstStore());
        gateway.serve(new Lambda(new HttpApiFunction(api)), deaths);
        linkFunction = new Lambda(new AgentLinkFunction(context()));
        link.serve(linkFunction, deaths);
        sweep = new SweepFunction(context());
        poll(WorkQueues.SCHEDULE, new ScheduleFunction(context()));
        poll(WorkQueues.WEBHOOKS, new DeliveryFunction(context()));
        WorkerResultFunction reports = new WorkerResultFunction(context());
        poll(WorkQueues.STAGE_REPORTS, reports);
        poll(WorkQueues.SLICE_ANSWERS, reports);
        RequestHandler<SQSEvent, SQSBatchResponse> ingest = services.worker(folder.resolve("work"));
        WorkQueues.WORKER.forEach(queue -> poll(queue, ingest));
        pollers.forEach(Thread::start);
    }

    private ApplicationContext context() {
        return context(Map.of());
    }

    private ApplicationContext context(Map<String, Object> more) {
        ApplicationContext context = newContext(more);
        contexts.add(context);
        return context;
    }

    private ApplicationContext newContext(Map<String, Object> more) {
        return new LambdaApplicationContextBuilder()
                .properties(settings)
                .properties(more)
                .banner(false)
                .build()
                .start();
    }

    /** Creates the first store as an operator does, and returns its owner's key. */
    private String createFirstStore() {
        Map<String, Object> response = runCommand("store", "create", "--name", "A farm");
        return String.valueOf(response.get("output"))
                .lines()
                .filter(line -> line.startsWith("key "))
                .map(line -> line.substring("key ".length()))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(response.toString()));
    }

    /** Runs an operator's command and returns the response of its function. */
    Map<String, Object> runCommand(String... command) {
        AdminFunction function = new AdminFunction(() -> newContext(Map.of()));
        return called(
                "Lambda admin",
                () -> function.handleRequest(Map.of("command", List.of(command)), new EventSource.Call()));
    }

    /** Runs what EventBridge runs every hour. */
    void cleanUp() {
        CleanupFunction function = new CleanupFunction(context());
        called("Lambda cleanup", () -> function.handleRequest(Map.of(), new EventSource.Call()));
    }

    /** Polls a queue as Lambda does. */
    private void poll(String queue, RequestHandler<SQSEvent, SQSBatchResponse> function) {
        String name = "Lambda " + (WorkQueues.WORKER.contains(queue) ? "ingest" : queue);
        EventSource source = new EventSource(services.queues(), services.queuePrefix() + queue, (event, context) -> {
            Requests.count(name);
            return called(name, () -> function.handleRequest(event, context));
        });
        pollers.add(Thread.ofVirtual().name("poller of " + queue).unstarted(() -> {
            while (!isOver) {
                try {
                    source.handOver();
                } catch (Deaths.DeadError killed) {
                    // its messages become visible again
                } catch (RuntimeException e) {
                    if (!isOver) {
                        failures.add(e);
                    }
                }
            }
        }));
    }

    private <T> T called(String function, Callable<T> call) {
        try {
            return deaths.in(function, call);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Runs every two seconds what EventBridge runs every minute; leases of deliveries expire by then, as they do within
     * a minute.
     */
    AutoCloseable sweeps() {
        AtomicBoolean isOver = new AtomicBoolean();
        Thread thread = Thread.ofVirtual().name("sweeps").start(() -> {
            while (!isOver.get()) {
                try {
                    sweep();
                    endLeases();
                    Thread.sleep(Duration.ofSeconds(2));
                } catch (Deaths.DeadError killed) {
                    // the next run follows
                } catch (InterruptedException | SQLException | RuntimeException e) {
                    failures.add(e);
                }
            }
        });
        return () -> {
            isOver.set(true);
            thread.join();
        };
    }

    /** Runs what EventBridge runs every minute, and returns its result. */
    String sweep() {
        return called("Lambda sweep", () -> sweep.handleRequest(Map.of(), new EventSource.Call()));
    }

    /** Repeats the last request of an agent. */
    Answer repeatLastPoll() {
        return called("Lambda link", () -> linkFunction.send(link.last()));
    }

    /** Changes database and marks as if nobody had used the farm for a while. */
    void endUse() throws SQLException {
        try (Connection owner = DriverManager.getConnection(ownerUrl())) {
            owner.createStatement().execute("update farm.\"apiKey\" set \"lastUsedAt\" = now() - interval '3 minutes'");
        }
        services.endUse();
    }

    private void endLeases() throws SQLException {
        try (Connection owner = DriverManager.getConnection(ownerUrl())) {
            owner.createStatement().execute("""
                    update farm."webhookDelivery" set "nextAttemptAt" = now()
                    where status = 'pending' and "nextAttemptAt" between now() and now() + interval '58 seconds'""");
        }
    }

    /** Returns the broker of a stage that has one. */
    IotCore iotCore() throws IOException {
        IotAuthorizerFunction authorizer = new IotAuthorizerFunction(context());
        return new IotCore(
                (event, context) -> called("Lambda iot-authorizer", () -> authorizer.handleRequest(event, context)),
                () -> {
                    IotLinkFunction itsLink = new IotLinkFunction(context(Map.of("gantry.aws.iot-core-enabled", true)));
                    return (event, context) -> called("Lambda iot-link", () -> itsLink.handleRequest(event, context));
                });
    }

    /**
     * Runs an agent that is paired with the farm until it is closed; {@code broker} is its MQTT broker, null without
     * one.
     */
    AutoCloseable agent(String name, @Nullable URI broker) throws Exception {
        String code =
                client.post("/v1/agents/pairing-codes", Map.of()).get("code").getStringValue();
        Path data = folder.resolve(name);
        BrokerAddress address = broker == null
                ? null
                : BrokerAddress.parse("broker", broker.getScheme(), broker.getHost(), broker.getPort());
        PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
        if (new PairCommand(gateway.url(), code, name, data, false).run(nowhere, nowhere) != 0) {
            throw new IllegalStateException("the agent was not paired");
        }
        Thread thread = Thread.ofVirtual().name(name).start(() -> {
            try {
                new RunCommand(data, 0, Duration.ofSeconds(5), 1 << 30, "ffmpeg", Set.of(), address)
                        .run(nowhere, nowhere);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        return () -> {
            thread.interrupt();
            thread.join();
        };
    }

    FarmApiClient client() {
        return client;
    }

    /** Returns the folder in which the API's local file storage would be. */
    Path localFiles() {
        return folder.resolve("local-files");
    }

    List<ApplicationContext> contexts() {
        return contexts;
    }

    /** Returns the JDBC URL of the role that owns the database. */
    String ownerUrl() {
        return postgres.ownerUrl("gantry");
    }

    Deaths deaths() {
        return deaths;
    }

    /** Returns the exceptions that functions threw. */
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
        services.stop();
        postgres.close();
    }
}
