package farm.gantry.edge.command;

import farm.gantry.edge.http.PrinterHttp;
import farm.gantry.edge.log.LoggedWarning;
import farm.gantry.printer.PrinterState;
import farm.gantry.printer.PrinterState.Fault;
import farm.gantry.printer.PrinterState.Progress;
import farm.gantry.printer.PrinterState.Temperature;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Renders the status page as one HTML document that reloads itself. */
record StatusHtml(StatusReport report) {
    private static final String STYLE = style();
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("d MMM HH:mm:ss", Locale.ROOT).withZone(ZoneId.systemDefault());

    String toHtml() {
        return """
                <!doctype html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width">
                <meta http-equiv="refresh" content="5">
                <title>Gantry agent</title>
                <style>%s</style>
                </head>
                <body>
                <header><h1>Gantry agent</h1>%s<span class="soft">agent %s, version %s</span></header>
                %s<p class="soft">%s</p>
                <main class="printers">%s</main>
                %s
                </body>
                </html>
                """.formatted(
                        STYLE,
                        link(),
                        escaped(report.agentId()),
                        escaped(report.version()),
                        report.versionMismatch() == null ? "" : reasonHtml(report.versionMismatch()),
                        counts(report.counts()),
                        report.printers().stream().map(StatusHtml::printer).collect(Collectors.joining("\n")),
                        warnings());
    }

    private String link() {
        String api = escaped(report.api()) + " since " + time(report.since());
        return report.connected()
                ? "<span class=\"mark good\">connected</span><span>" + api + "</span>"
                : "<span class=\"mark bad\">not connected</span><span>" + api + "</span><span class=\"why\">"
                        + escaped(report.reason()) + "</span>";
    }

    private String counts(StatusReport.AgentTotals counts) {
        StatusReport.PrintCounts prints = counts.prints();
        return "%d printers. Since the start: %d prints completed, %d failed, %d cancelled, %d refused. %s"
                .formatted(
                        report.printers().size(),
                        prints.completed(),
                        prints.failed(),
                        prints.cancelled(),
                        prints.refused(),
                        counts.eventsWaiting() == 0
                                ? "The API knows everything."
                                : counts.eventsWaiting() == 1
                                        ? "1 event waiting for the API."
                                        : counts.eventsWaiting() + " events waiting for the API.");
    }

    private static String printer(StatusReport.ServedPrinter printer) {
        return """
                <article id="%s">
                <header><h2>%s</h2>%s</header>
                <p class="soft">%s, %s</p>
                %s%s</article>""".formatted(
                        escaped(printer.deviceId()),
                        escaped(printer.name()),
                        status(printer.state()),
                        printer.provider().wireName(),
                        escaped(printer.deviceId()),
                        printer.state() == null ? "" : state(printer.state()),
                        printer.hasCamera() && printer.isOnline() ? snapshotHtml(printer.deviceId()) : "");
    }

    private static String snapshotHtml(String deviceId) {
        String path = PrinterHttp.encodePathSegment(deviceId);
        return "<img loading=\"lazy\" alt=\"no snapshot available\" src=\"/printers/" + path + "/snapshot\">";
    }

    private static String status(@Nullable PrinterState state) {
        if (state == null) {
            return "";
        }
        String colour = switch (state.status()) {
            case idle, finished -> "good";
            case preparing, printing, paused -> "busy";
            case failed, error, offline -> "bad";
            case cancelled, unknown -> "";
        };
        return "<span class=\"mark " + colour + "\">" + state.status() + "</span>";
    }

    private static String state(PrinterState state) {
        String faults = state.errors().stream()
                .map(Fault::message)
                .map(StatusHtml::reasonHtml)
                .collect(Collectors.joining());
        return (state.job() == null ? "" : progressHtml(state.job()))
                + temperatures(state.temperatures())
                + (state.connectionReason() == null ? "" : reasonHtml(state.connectionReason()))
                + faults;
    }

    private static String progressHtml(Progress job) {
        String layers = job.currentLayer() == null || job.totalLayers() == null
                ? ""
                : ", layer " + job.currentLayer() + " of " + job.totalLayers();
        String left = job.remainingSeconds() == null ? "" : ", " + formatDuration(job.remainingSeconds()) + " left";
        return """
                <p class="file">%s</p>
                <progress max="100" value="%.1f"></progress>
                <p>%.0f %%%s%s</p>
                """.formatted(
                escaped(Objects.requireNonNullElse(job.fileName(), "")), job.percent(), job.percent(), layers, left);
    }

    private static String formatDuration(long seconds) {
        Duration time = Duration.ofSeconds(seconds);
        return time.toHours() > 0
                ? time.toHours() + " h " + time.toMinutesPart() + " min"
                : time.toMinutes() > 0 ? time.toMinutes() + " min" : seconds + " s";
    }

    private static String temperatures(Map<String, Temperature> temperatures) {
        if (temperatures.isEmpty()) {
            return "";
        }
        return temperatures.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(heater -> "<div><dt>%s</dt><dd>%.0f / %.0f °C</dd></div>"
                        .formatted(
                                escaped(heater.getKey()),
                                heater.getValue().actual(),
                                heater.getValue().target()))
                .collect(Collectors.joining("", "<dl>", "</dl>"));
    }

    private static String reasonHtml(String text) {
        return "<p class=\"why\">" + escaped(text) + "</p>";
    }

    private String warnings() {
        if (report.warnings().isEmpty()) {
            return "";
        }
        return report.warnings().stream()
                .map(StatusHtml::row)
                .collect(Collectors.joining("", "<h2>Last warnings</h2><table>", "</table>"));
    }

    private static String row(LoggedWarning warning) {
        return "<tr><td>%s</td><td%s>%s</td></tr>"
                .formatted(time(warning.at()), warning.isError() ? " class=\"why\"" : "", escaped(warning.text()));
    }

    private static String time(Instant at) {
        return TIME.format(at);
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    private static String style() {
        try (InputStream css = Objects.requireNonNull(StatusHtml.class.getResourceAsStream("status.css"))) {
            return new String(css.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
