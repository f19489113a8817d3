package farm.gantry.api.monitoring;

import farm.gantry.api.connection.ConnectionLimiter;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Replica;
import farm.gantry.api.monitoring.UnfinishedWorkRows.UnfinishedWork;
import farm.gantry.api.queue.QueueNames;
import farm.gantry.api.schedule.Scheduler;
import farm.gantry.version.ProductVersion;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** Metrics of the installation for Prometheus. No label names a store, a record or a person. */
@Singleton
@Requires(beans = PrometheusMeterRegistry.class)
public final class FarmMetrics {
    private final PrometheusMeterRegistry registry;
    private final UnfinishedWorkRows counts;
    private final List<CountGauges> gauges;

    /** The queues of the worker, whose numbers are shown even if they are empty: workers are scaled by them. */
    private static final List<String> WORKER_QUEUES = List.of(
            QueueNames.INGEST,
            QueueNames.INGEST_MODEL,
            QueueNames.INGEST_HEAVY,
            QueueNames.SLICE,
            QueueNames.STAGE_REPORTS,
            QueueNames.SLICE_ANSWERS);

    /** The gauges of one kind of count; {@code names} are those that are 0 if they are not counted. */
    private record CountGauges(String kind, String label, List<String> names, MultiGauge count, MultiGauge oldest) {
        void update(List<UnfinishedWork> counts) {
            count.register(toRows(counts, UnfinishedWork::count), true);
            oldest.register(toRows(counts, UnfinishedWork::oldestSeconds), true);
        }

        /** Returns no rows if nothing could be counted. */
        private List<Row<?>> toRows(List<UnfinishedWork> counts, ToDoubleFunction<UnfinishedWork> value) {
            SortedMap<String, Double> values = new TreeMap<>();
            if (!counts.isEmpty()) {
                names.forEach(name -> values.put(name, 0.0));
            }
            counts.stream()
                    .filter(count -> count.kind().equals(kind))
                    .forEach(count -> values.put(count.name(), value.applyAsDouble(count)));
            return values.entrySet().stream()
                    .<Row<?>>map(entry -> Row.of(Tags.of(label, entry.getKey()), entry.getValue()))
                    .toList();
        }
    }

    FarmMetrics(
            PrometheusMeterRegistry registry,
            UnfinishedWorkRows counts,
            ConnectionLimiter connections,
            Scheduler scheduler,
            Replica replica) {
        FunctionCounter.builder("gantry.scheduling.rounds", scheduler, Scheduler::rounds)
                .description("Scheduling rounds of this process.")
                .register(registry);
        FunctionCounter.builder("gantry.replica.reads", replica, Replica::reads)
                .description("Lists and reports that the read replica answered.")
                .register(registry);
        FunctionCounter.builder("gantry.replica.fallbacks", replica, Replica::fallbacks)
                .description("Lists and reports that the primary answered because the read replica failed or lagged.")
                .register(registry);
        Gauge.builder("gantry.http.connections", connections, ConnectionLimiter::count)
                .description("Open client connections.")
                .register(registry);
        Gauge.builder("gantry.info", () -> 1)
                .description("The version of this process.")
                .tag("version", ProductVersion.CURRENT.text())
                .register(registry);
        this.registry = registry;
        this.counts = counts;
        this.gauges = List.of(
                gauges("outbox", "queue", WORKER_QUEUES, "Messages not yet sent to their queue."),
                gauges("queue", "queue", WORKER_QUEUES, "Messages that are queued or being processed."),
                gauges("delivery", "state", List.of(), "Webhook deliveries that are not yet delivered."),
                gauges("job", "state", List.of(), "Print jobs that have not ended."),
                gauges("agent", "state", List.of(), "Paired agents."));
    }

    private CountGauges gauges(String kind, String label, List<String> names, String description) {
        return new CountGauges(
                kind,
                label,
                names,
                MultiGauge.builder("gantry." + kind + ".count")
                        .description(description)
                        .register(registry),
                MultiGauge.builder("gantry." + kind + ".oldest.seconds")
                        .description("Age of the oldest of gantry_" + kind + "_count.")
                        .register(registry));
    }

    /** Adds the age of the last backup in seconds, infinite if there is none. A server without backups lacks it. */
    public void addBackupAge(Supplier<Number> seconds) {
        Gauge.builder("gantry.backup.age.seconds", seconds)
                .description("Time since the last backup in the folder of backups began.")
                .register(registry);
    }

    /**
     * Returns the metrics in the text format of Prometheus. While the database is unreachable, those from the database
     * are left out.
     */
    public String prometheusText() {
        List<UnfinishedWork> read;
        try {
            read = counts.count();
        } catch (RuntimeException e) {
            if (!Database.isDatabaseFailure(e)) {
                throw e;
            }
            read = List.of();
        }
        for (CountGauges gauge : gauges) {
            gauge.update(read);
        }
        return registry.scrape();
    }
}
