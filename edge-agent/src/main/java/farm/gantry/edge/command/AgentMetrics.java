package farm.gantry.edge.command;

import farm.gantry.printer.PrinterState.Status;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The agent's metrics in Prometheus text format. */
record AgentMetrics(StatusReport report) {
    static final String TYPE = PrometheusTextFormatWriter.CONTENT_TYPE;

    String toPrometheusText() {
        try (ByteArrayOutputStream out = new ByteArrayOutputStream()) {
            PrometheusTextFormatWriter.create().write(out, snapshots());
            return out.toString(StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private MetricSnapshots snapshots() {
        StatusReport.AgentTotals counts = report.counts();
        Runtime jvm = Runtime.getRuntime();
        return MetricSnapshots.of(
                gauge(
                        "gantry_agent_info",
                        "The id of this agent.",
                        gaugePoint(1, Labels.of("version", report.version(), "agent", report.agentId()))),
                gauge(
                        "gantry_link_up",
                        "Whether the API answers.",
                        gaugePoint(report.connected() ? 1 : 0, Labels.EMPTY)),
                printersGauge(),
                gauge(
                        "gantry_events_waiting",
                        "Events that the API does not have yet.",
                        gaugePoint(counts.eventsWaiting(), Labels.EMPTY)),
                counter(
                        "gantry_printer_messages",
                        "Statuses received from printers.",
                        counterPoint(counts.messagesHeard(), Labels.EMPTY)),
                counter(
                        "gantry_link_sent_bytes",
                        "Bytes sent to the API.",
                        counterPoint(counts.bytesSent(), Labels.EMPTY)),
                printsCounter(counts.prints()),
                gauge(
                        "jvm_memory_used_bytes",
                        "Heap in use.",
                        gaugePoint(jvm.totalMemory() - jvm.freeMemory(), Labels.of("area", "heap"))),
                gauge(
                        "jvm_memory_max_bytes",
                        "Maximum heap size.",
                        gaugePoint(jvm.maxMemory(), Labels.of("area", "heap"))));
    }

    private GaugeSnapshot printersGauge() {
        GaugeSnapshot.Builder gauge =
                GaugeSnapshot.builder().name("gantry_printers").help("Printers by status.");
        for (Status status : Status.values()) {
            long so = report.printers().stream()
                    .filter(printer ->
                            printer.state() != null && printer.state().status() == status)
                    .count();
            gauge.dataPoint(gaugePoint(so, Labels.of("status", status.name())));
        }
        return gauge.build();
    }

    private static CounterSnapshot printsCounter(StatusReport.PrintCounts prints) {
        return counter(
                "gantry_prints",
                "Prints by result.",
                counterPoint(prints.completed(), Labels.of("end", "completed")),
                counterPoint(prints.failed(), Labels.of("end", "failed")),
                counterPoint(prints.cancelled(), Labels.of("end", "cancelled")),
                counterPoint(prints.refused(), Labels.of("end", "refused")));
    }

    private static GaugeSnapshot gauge(String name, String help, GaugeDataPointSnapshot point) {
        return GaugeSnapshot.builder().name(name).help(help).dataPoint(point).build();
    }

    private static GaugeDataPointSnapshot gaugePoint(long value, Labels labels) {
        return GaugeDataPointSnapshot.builder()
                .value((double) value)
                .labels(labels)
                .build();
    }

    private static CounterSnapshot counter(String name, String help, CounterDataPointSnapshot... points) {
        CounterSnapshot.Builder counter = CounterSnapshot.builder().name(name).help(help);
        for (CounterDataPointSnapshot point : points) {
            counter.dataPoint(point);
        }
        return counter.build();
    }

    private static CounterDataPointSnapshot counterPoint(long value, Labels labels) {
        return CounterDataPointSnapshot.builder()
                .value((double) value)
                .labels(labels)
                .build();
    }
}
