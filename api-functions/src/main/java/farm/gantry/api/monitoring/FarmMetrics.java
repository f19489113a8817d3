package farm.gantry.api.monitoring;

import farm.gantry.api.connection.ConnectionLimiter;
import farm.gantry.api.database.Database;
import farm.gantry.api.monitoring.UnfinishedWorkRows.UnfinishedWork;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The install's numbers for Prometheus: no label names a store, a record or a person. */
@Singleton
@Requires(beans = PrometheusMeterRegistry.class)
public final class FarmMetrics {
    private final PrometheusMeterRegistry registry;
    private final UnfinishedWorkRows counts;
    private final List<CountGauges> gauges;

    /** The gauges of one kind of count. */
    private record CountGauges(String kind, String label, MultiGauge count, MultiGauge oldest) {
        void update(List<UnfinishedWork> counts) {
            count.register(toRows(counts, UnfinishedWork::count), true);
            oldest.register(toRows(counts, UnfinishedWork::oldestSeconds), true);
        }

        private List<Row<?>> toRows(List<UnfinishedWork> counts, ToDoubleFunction<UnfinishedWork> value) {
            return counts.stream()
                    .filter(each -> each.kind().equals(kind))
                    .<Row<?>>map(each -> Row.of(Tags.of(label, each.name()), value.applyAsDouble(each)))
                    .toList();
        }
    }

    FarmMetrics(PrometheusMeterRegistry registry, UnfinishedWorkRows counts, ConnectionLimiter connections) {
        Gauge.builder("gantry.http.connections", connections, ConnectionLimiter::count)
                .description("Open connections of clients.")
                .register(registry);
        this.registry = registry;
        this.counts = counts;
        this.gauges = List.of(
                gauges("outbox", "queue", "Messages not yet handed to their queue."),
                gauges("queue", "queue", "Messages that wait in a queue or are worked on."),
                gauges("delivery", "state", "Webhook deliveries that are not made yet."),
                gauges("job", "state", "Print jobs that have not ended."),
                gauges("agent", "state", "Paired agents."));
    }

    private CountGauges gauges(String kind, String label, String description) {
        return new CountGauges(
                kind,
                label,
                MultiGauge.builder("gantry." + kind + ".count")
                        .description(description)
                        .register(registry),
                MultiGauge.builder("gantry." + kind + ".oldest.seconds")
                        .description("Age of the oldest of gantry_" + kind + "_count.")
                        .register(registry));
    }

    /** In Prometheus' text format. While the database is out of reach, the numbers that it holds are left out. */
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
