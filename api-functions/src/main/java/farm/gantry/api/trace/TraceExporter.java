package farm.gantry.api.trace;

import farm.gantry.api.database.Tx;
import farm.gantry.api.json.JsonCodec;
import farm.gantry.api.queue.Signal;
import farm.gantry.api.queue.WorkLoop;
import farm.gantry.job.PrintJob;
import farm.gantry.wire.LinkRequest;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.context.BeanProvider;
import io.micronaut.context.annotation.Value;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the trace of each started print to an OpenTelemetry collector by OTLP over HTTP, if {@code OTEL_EXPORTER_OTLP_ENDPOINT} is set.
 * Prints wait in memory. While the collector does not respond, the oldest are dropped and nothing else is affected.
 */
@Singleton
public final class TraceExporter {
    private static final Logger LOG = LoggerFactory.getLogger(TraceExporter.class);
    static final int MAX_WAITING = 1000;
    private static final int BATCH = 50;
    private static final Duration INTERVAL = Duration.ofSeconds(5);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int TOO_MANY_REQUESTS = 429;

    private final Deque<StartedPrint> waiting = new ArrayDeque<>();
    private final Signal added = new Signal();
    private final StatusRows rows;
    private final JsonCodec json;
    private final BeanProvider<MeterRegistry> registry;
    private final String endpoint;
    private final String headers;
    private final String service;
    private final AtomicReference<@Nullable Target> target = new AtomicReference<>();
    private final AtomicBoolean isFailing = new AtomicBoolean();

    /** The collector, and the metrics of the traces that it got and that were dropped. */
    private record Target(HttpClient http, HttpRequest.Builder request, Counter sent, Counter dropped) {}

    TraceExporter(
            StatusRows rows,
            JsonCodec json,
            BeanProvider<MeterRegistry> registry,
            @Value("${otel.exporter.otlp.endpoint:}") String endpoint,
            @Value("${otel.exporter.otlp.headers:}") String headers,
            @Value("${otel.service.name:gantry}") String service) {
        this.rows = rows;
        this.json = json;
        this.registry = registry;
        this.endpoint = endpoint.strip();
        this.headers = headers.strip();
        this.service = service;
    }

    /**
     * Starts to send traces; empty if no collector is configured.
     *
     * @throws IllegalArgumentException says which variable is wrong
     */
    public Optional<WorkLoop> start() {
        if (endpoint.isEmpty()) {
            return Optional.empty();
        }
        HttpRequest.Builder request =
                HttpRequest.newBuilder(url()).timeout(TIMEOUT).header("Content-Type", "application/json");
        addHeaders(request);
        target.set(new Target(
                HttpClient.newBuilder().connectTimeout(TIMEOUT).build(), request, counter("sent"), counter("dropped")));
        return Optional.of(WorkLoop.start("traces", added, INTERVAL, this::send));
    }

    private Counter counter(String result) {
        return Counter.builder("gantry.traces")
                .description("Traces of started prints.")
                .tag("result", result)
                .register(registry.get());
    }

    private URI url() {
        if (!endpoint.matches("https?://[^/\\s]+\\S*")) {
            throw new IllegalArgumentException("OTEL_EXPORTER_OTLP_ENDPOINT is '" + endpoint
                    + "': set it to the address of a collector for OTLP over HTTP, such as http://localhost:4318");
        }
        return URI.create(endpoint.replaceFirst("/+$", "") + "/v1/traces");
    }

    private void addHeaders(HttpRequest.Builder request) {
        if (headers.isEmpty()) {
            return;
        }
        try {
            for (String header : headers.split(",", -1)) {
                String[] parts = header.split("=", 2);
                request.header(parts[0].strip(), URLDecoder.decode(parts[1].strip(), StandardCharsets.UTF_8));
            }
        } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "OTEL_EXPORTER_OTLP_HEADERS is not a list such as api-key=secret,tenant=farm", e);
        }
    }

    /** Queues the trace of a print when the transaction that records its start is committed, if traces are sent. */
    public void onStarted(Tx tx, PrintJob job, LinkRequest.Event started) {
        if (target.get() != null) {
            StartedPrint print = StartedPrint.of(tx.store(), job, started);
            tx.afterCommit(() -> add(print));
        }
    }

    void add(StartedPrint print) {
        Target collector = target.get();
        synchronized (waiting) {
            if (waiting.size() >= MAX_WAITING && collector != null) {
                waiting.removeFirst();
                collector.dropped().increment();
            }
            waiting.addLast(print);
        }
        added.signal();
    }

    /** Sends what waits, oldest first, until the collector fails. */
    private void send() {
        Target collector = target.get();
        List<StartedPrint> batch = next();
        while (collector != null && !batch.isEmpty() && send(collector, batch)) {
            remove(batch);
            batch = next();
        }
    }

    private List<StartedPrint> next() {
        synchronized (waiting) {
            return waiting.stream().limit(BATCH).toList();
        }
    }

    private void remove(List<StartedPrint> batch) {
        synchronized (waiting) {
            waiting.removeAll(batch);
        }
    }

    /** Returns whether the batch is done: accepted, or rejected for good. */
    private boolean send(Target collector, List<StartedPrint> batch) {
        OtlpRequest spans = new OtlpRequest();
        batch.forEach(print -> spans.add(print, rows.find(print)));
        HttpRequest request = collector
                .request()
                .copy()
                .POST(HttpRequest.BodyPublishers.ofString(json.write(spans.body(service))))
                .build();
        try {
            int status = collector
                    .http()
                    .send(request, HttpResponse.BodyHandlers.discarding())
                    .statusCode();
            if (status / 100 == 2) {
                collector.sent().increment(batch.size());
                isFailing.set(false);
                return true;
            }
            if (status / 100 == 4 && status != TOO_MANY_REQUESTS) {
                LOG.warn("the collector rejected {} traces with status {}; they are dropped", batch.size(), status);
                collector.dropped().increment(batch.size());
                return true;
            }
            warnOnce("status " + status);
        } catch (IOException e) {
            warnOnce(e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return false;
    }

    private void warnOnce(String reason) {
        if (!isFailing.getAndSet(true)) {
            LOG.warn("cannot send traces to {}, retrying every {} s: {}", endpoint, INTERVAL.toSeconds(), reason);
        }
    }

    @PreDestroy
    void close() {
        Target collector = target.get();
        if (collector != null) {
            collector.http().shutdownNow();
        }
    }
}
