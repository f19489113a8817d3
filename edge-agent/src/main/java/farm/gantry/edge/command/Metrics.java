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
record Metrics(StatusReport report) {
    static final String TYPE = PrometheusTextFormatWriter.CONTENT_TYPE;

    String text() {
        try (ByteArrayOutputStream out = new ByteArrayOutputStream()) {
            PrometheusTextFormatWriter.create().write(out, snapshots());
            return out.toString(StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private MetricSnapshots snapshots() {
        StatusReport.Counts counts = report.counts();
        Runtime jvm = Runtime.getRuntime();
        return MetricSnapshots.of(
                gauge(
                        "gantry_agent_info",
                        "The id of this agent.",
                        point(1, Labels.of("version", report.version(), "agent", report.agentId()))),
                gauge("gantry_link_up", "Whether the API answers.", point(report.connected() ? 1 : 0, Labels.EMPTY)),
                printers(),
                gauge(
                        "gantry_events_waiting",
                        "Events that the API does not have yet.",
                        point(counts.eventsWaiting(), Labels.EMPTY)),
                counter(
                        "gantry_printer_messages",
                        "Statuses received from printers.",
                        count(counts.messagesHeard(), Labels.EMPTY)),
                counter("gantry_link_sent_bytes", "Bytes sent to the API.", count(counts.bytesSent(), Labels.EMPTY)),
                prints(counts.prints()),
                gauge(
                        "jvm_memory_used_bytes",
                        "Heap in use.",
                        point(jvm.totalMemory() - jvm.freeMemory(), Labels.of("area", "heap"))),
                gauge("jvm_memory_max_bytes", "Maximum heap size.", point(jvm.maxMemory(), Labels.of("area", "heap"))));
    }

    private GaugeSnapshot printers() {
        GaugeSnapshot.Builder gauge =
                GaugeSnapshot.builder().name("gantry_printers").help("Printers by status.");
        for (Status status : Status.values()) {
            long so = report.printers().stream()
                    .filter(printer ->
                            printer.state() != null && printer.state().status() == status)
                    .count();
            gauge.dataPoint(point(so, Labels.of("status", status.name())));
        }
        return gauge.build();
    }

    private static CounterSnapshot prints(StatusReport.Prints prints) {
        return counter(
                "gantry_prints",
                "Prints by result.",
                count(prints.completed(), Labels.of("end", "completed")),
                count(prints.failed(), Labels.of("end", "failed")),
                count(prints.cancelled(), Labels.of("end", "cancelled")),
                count(prints.refused(), Labels.of("end", "refused")));
    }

    private static GaugeSnapshot gauge(String name, String help, GaugeDataPointSnapshot point) {
        return GaugeSnapshot.builder().name(name).help(help).dataPoint(point).build();
    }

    private static GaugeDataPointSnapshot point(long value, Labels labels) {
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

    private static CounterDataPointSnapshot count(long value, Labels labels) {
        return CounterDataPointSnapshot.builder()
                .value((double) value)
                .labels(labels)
                .build();
    }
}
