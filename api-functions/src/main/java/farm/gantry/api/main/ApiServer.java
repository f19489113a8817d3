package farm.gantry.api.main;

import farm.gantry.api.audit.AuditRetention;
import farm.gantry.api.connection.ConnectionLimiter;
import farm.gantry.api.file.FileCleanup;
import farm.gantry.api.file.LocalFiles;
import farm.gantry.api.homeassistant.HomeAssistant;
import farm.gantry.api.integration.InboundDeliveries;
import farm.gantry.api.job.JobRetention;
import farm.gantry.api.link.AgentWatchdog;
import farm.gantry.api.link.MqttLink;
import farm.gantry.api.part.PartIngest;
import farm.gantry.api.printer.command.AgentSignals;
import farm.gantry.api.promise.PromiseUpdater;
import farm.gantry.api.queue.IngestLane;
import farm.gantry.api.queue.OutboxRelay;
import farm.gantry.api.queue.QueueConsumer;
import farm.gantry.api.queue.QueueMessageRows;
import farm.gantry.api.queue.QueuedResultSender;
import farm.gantry.api.queue.Signal;
import farm.gantry.api.queue.SliceResultHandler;
import farm.gantry.api.queue.WorkLease;
import farm.gantry.api.queue.WorkLoop;
import farm.gantry.api.schedule.Scheduler;
import farm.gantry.api.stream.EventStreamRoutes;
import farm.gantry.api.stream.MqttEventPublisher;
import farm.gantry.api.trace.TraceExporter;
import farm.gantry.api.webhook.ChannelDeliveries;
import farm.gantry.api.webhook.WebhookDeliveries;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.env.PropertySource;
import io.micronaut.context.env.SystemPropertiesPropertySource;
import io.micronaut.runtime.server.EmbeddedServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The API and its background work on an existing database and file storage, which other processes may share. By default
 * it also runs the worker, which reads plain G-code in this process and models in a separate one.
 */
final class ApiServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ApiServer.class);
    private static final Duration CLEANUP_INTERVAL = Duration.ofHours(1);
    private static final Duration STAGED_UPLOAD_RETENTION = Duration.ofHours(24);

    static final String SHUTDOWN_DELAY = "gantry.shutdown-delay";

    private final ServerMonitoring monitoring;
    private final ApplicationContext context;
    private final EmbeddedServer server;
    private final QueueConsumer consumer;
    private final List<ModelWorker> models = new ArrayList<>();
    private final List<WorkLoop> loops = new ArrayList<>();

    private ApiServer(
            ServerMonitoring monitoring, ApplicationContext context, EmbeddedServer server, QueueConsumer consumer) {
        this.monitoring = monitoring;
        this.context = context;
        this.server = server;
        this.consumer = consumer;
    }

    /**
     * Returns a context that has loaded its bean definitions but is not started. This needs no database and is a sixth
     * of the start time.
     */
    static ApplicationContext newContext() {
        return ApplicationContext.builder()
                .deduceEnvironment(false)
                .banner(false)
                .build();
    }

    /**
     * Starts the server. {@code folder} belongs to this process alone. The port is opened before {@code prepare} runs,
     * so that a start that fails because the port is in use leaves an empty installation empty.
     */
    static ApiServer start(
            ApplicationContext context,
            Path folder,
            Map<String, Object> properties,
            ServerMonitoring monitoring,
            InstallListener listener,
            Consumer<ApplicationContext> prepare)
            throws IOException {
        context.getEnvironment()
                .addPropertySource(PropertySource.of(
                        PropertySource.CONTEXT, properties, SystemPropertiesPropertySource.POSITION + 100));
        context.start();
        try {
            InstallSecretsCheck.checkDatabase(context);
            EmbeddedServer server = context.getBean(EmbeddedServer.class);
            listen(server, properties);
            prepare.accept(context);
            QueueConsumer consumer = WorkerSettings.createConsumer(context, folder.resolve("work"));
            ApiServer service = new ApiServer(monitoring, context, server, consumer);
            service.startBackgroundWork(folder, properties, listener);
            monitoring.onStarted(context);
            LOG.info("the API listens at {}", server.getURL());
            return service;
        } catch (IOException | RuntimeException e) {
            context.close();
            throw e;
        }
    }

    private static void listen(EmbeddedServer server, Map<String, Object> properties) throws IOException {
        try {
            server.start();
        } catch (RuntimeException e) {
            String host = String.valueOf(properties.getOrDefault("micronaut.server.host", "0.0.0.0"));
            int port = Integer.parseInt(String.valueOf(properties.getOrDefault("micronaut.server.port", "8080")));
            Optional<IOException> explained =
                    ListenFailure.explain(e, InetSocketAddress.createUnresolved(host, Math.max(0, port)));
            if (explained.isPresent()) {
                throw explained.get();
            }
            throw e;
        }
    }

    /** Starts the background work. */
    private void startBackgroundWork(Path folder, Map<String, Object> properties, InstallListener listener) {
        WorkLease lease = context.getBean(WorkLease.class);
        loops.addAll(lease.start());
        OutboxRelay relay = context.getBean(OutboxRelay.class);
        loops.add(relay.start());
        PartIngest ingest = context.getBean(PartIngest.class);
        SliceResultHandler slices = context.getBean(SliceResultHandler.class);
        WorkerSettings worker = context.getBean(WorkerSettings.class);
        loops.addAll(context.getBean(QueuedResultSender.class)
                .start(consumer, relay.queuedSignal(), WorkerSettings.POLL_INTERVAL, lease, ingest, slices));
        if (worker.inProcess()) {
            worker.createTools(WorkerSettings.hiddenFolders(context, folder))
                    .sandboxWarning()
                    .ifPresent(listener::onNotice);
            loops.addAll(WorkerSettings.createWorker(context, folder, folder.resolve("work"), ingest, slices)
                    .start(
                            consumer,
                            EnumSet.of(IngestLane.PLAIN),
                            WorkerSettings.READERS_PER_LANE,
                            relay.queuedSignal()));
            models.add(new ModelWorker(
                    folder, properties, worker, context.getBean(QueueMessageRows.class), relay.queuedSignal()));
        }
        loops.add(context.getBean(Scheduler.class).start());
        loops.add(context.getBean(PromiseUpdater.class).start());
        loops.addAll(context.getBean(AgentSignals.class).start());
        loops.add(context.getBean(AgentWatchdog.class).start());
        context.findBean(MqttLink.class).ifPresent(MqttLink::start);
        loops.addAll(context.getBean(WebhookDeliveries.class).start());
        loops.add(context.getBean(ChannelDeliveries.class).start());
        loops.add(context.getBean(EventStreamRoutes.class).start());
        loops.add(context.getBean(AuditRetention.class).start());
        context.getBean(JobRetention.class).start().ifPresent(loops::add);
        loops.add(context.getBean(InboundDeliveries.class).start());
        context.getBean(TraceExporter.class).start().ifPresent(loops::add);
        context.findBean(MqttEventPublisher.class).ifPresent(events -> loops.add(events.start()));
        context.findBean(HomeAssistant.class).ifPresent(devices -> loops.addAll(devices.start()));
        context.findBean(LocalFiles.class) // the lifecycle rule of a bucket deletes staged uploads
                .ifPresent(files -> loops.add(WorkLoop.start(
                        "staged-uploads",
                        new Signal(),
                        CLEANUP_INTERVAL,
                        lease,
                        () -> files.deleteStagedBefore(Instant.now().minus(STAGED_UPLOAD_RETENTION)))));
        loops.add(WorkLoop.start(
                "file-sweep", new Signal(), CLEANUP_INTERVAL, lease, context.getBean(FileCleanup.class)::cleanUpAll));
    }

    String url() {
        return server.getURL().toString();
    }

    ApplicationContext context() {
        return context;
    }

    /** Reports that the server is not ready, stops accepting requests and waits, for a limited time, for running ones. */
    @Override
    public void close() {
        monitoring.onStopping();
        drain();
        WorkLoop.closeAll(loops);
        models.forEach(ModelWorker::close);
        consumer.close();
        context.close();
    }

    private void drain() {
        Duration time = context.getRequiredProperty("gantry.shutdown-timeout", Duration.class);
        ConnectionLimiter connections = context.getBean(ConnectionLimiter.class);
        try {
            connections.refuseConnections(context.getRequiredProperty(SHUTDOWN_DELAY, Duration.class), time);
            context.getBean(EventStreamRoutes.class).end();
            context.getBean(AgentSignals.class).endAll();
            if (!connections.drain(time)) {
                LOG.warn("shutdown: aborting requests that did not end within {}", time);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
