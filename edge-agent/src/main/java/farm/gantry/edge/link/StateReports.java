package farm.gantry.edge.link;

import farm.gantry.json.Json;
import farm.gantry.json.MergePatch;
import farm.gantry.json.Tree;
import farm.gantry.printer.PrinterState;
import farm.gantry.wire.LinkRequest.Report;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Compares the printers' latest states with those that the API received in this session, and creates reports of the
 * changes. Only the latest state of each printer is held in memory.
 */
final class StateReports {
    /**
     * The maximum number of non-urgent reports in one request to an API that supports long polls. It is limited because
     * an urgent change waits for the request before it.
     */
    static final int MAX_ROUTINE = 50;

    /**
     * The maximum number of reports in one request. A session begins with the whole state of each printer, and the API
     * limits the size of a body.
     */
    static final int MAX_REPORTS = 1000;

    private final ConcurrentMap<String, LatestState> latestStates = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, SentState> sent = new ConcurrentHashMap<>();

    /** A state and its urgency compared with the last one sent. */
    private record LatestState(PrinterState state, ReportUrgency urgency) {}

    /** A sent state; {@code at} is the agent's uptime when it was sent. */
    record SentState(PrinterState state, Duration at) {}

    /** A report to send, and the state that the API has once it arrives. */
    record PendingReport(Report report, SentState sent) {}

    /** A printer whose report may be due; {@code before} is null for the first of a session. */
    private record ReportCandidate(
            String deviceId, LatestState latest, @Nullable SentState before) {
        boolean isUrgent() {
            return before == null || latest.urgency() == ReportUrgency.NOW;
        }

        Duration sentAt() {
            return before == null ? Duration.ZERO : before.at();
        }
    }

    /**
     * The delays after a printer's last report until the API receives non-urgent changes: of the layer, of temperatures
     * and percent, of the seconds of a print.
     */
    record ReportDelays(Duration layer, Duration measurements, Duration elapsedTime) {
        /** For an API that supports long polls, where additional exchanges are cheap. */
        static final ReportDelays PROMPT =
                new ReportDelays(Duration.ZERO, Duration.ofSeconds(2), Duration.ofSeconds(10));
        /** Between the exchanges of an agent that polls at intervals. */
        static final ReportDelays URGENT = new ReportDelays(Duration.ofDays(1), Duration.ofDays(1), Duration.ofDays(1));
        /** For an exchange of an agent that polls at intervals, which sends everything pending. */
        static final ReportDelays ALL = new ReportDelays(Duration.ZERO, Duration.ZERO, Duration.ZERO);
    }

    /** Stores the latest state of a printer, and returns whether the API must receive it at once. */
    boolean put(String deviceId, PrinterState state) {
        return latestStates
                        .compute(deviceId, (_, _) -> compareWithSent(deviceId, state))
                        .urgency()
                        .compareTo(ReportUrgency.LAYER)
                >= 0;
    }

    private LatestState compareWithSent(String deviceId, PrinterState state) {
        SentState before = sent.get(deviceId);
        return new LatestState(
                state, before == null ? ReportUrgency.NOW : ReportUrgency.compare(before.state(), state));
    }

    void retainOnly(Set<String> deviceIds) {
        latestStates.keySet().retainAll(deviceIds);
        sent.keySet().retainAll(deviceIds);
    }

    /** Starts a new session, in which the API has received nothing. */
    void startSession() {
        sent.clear();
    }

    /**
     * Returns the urgent reports and, if the pace allows only some of the others, those that have waited longest; at most
     * {@link #MAX_REPORTS}.
     */
    List<PendingReport> pending(Duration now, ReportDelays pace) {
        Map<Boolean, List<ReportCandidate>> byUrgency = latestStates.entrySet().stream()
                .map(entry -> new ReportCandidate(entry.getKey(), entry.getValue(), sent.get(entry.getKey())))
                .filter(candidate -> isDue(candidate, now, pace))
                .collect(Collectors.partitioningBy(ReportCandidate::isUrgent));
        Stream<ReportCandidate> routine = byUrgency.getOrDefault(false, List.of()).stream()
                .sorted(Comparator.comparing(ReportCandidate::sentAt))
                .limit(pace.equals(ReportDelays.PROMPT) ? MAX_ROUTINE : Long.MAX_VALUE);
        return Stream.concat(byUrgency.getOrDefault(true, List.of()).stream(), routine)
                .limit(MAX_REPORTS)
                .map(candidate -> report(candidate, now))
                .toList();
    }

    private static boolean isDue(ReportCandidate candidate, Duration now, ReportDelays pace) {
        SentState before = candidate.before();
        return before == null
                || switch (candidate.latest().urgency()) {
                    case NONE -> false;
                    case ELAPSED_TIME -> now.compareTo(before.at().plus(pace.elapsedTime())) >= 0;
                    case MEASUREMENTS -> now.compareTo(before.at().plus(pace.measurements())) >= 0;
                    case LAYER -> now.compareTo(before.at().plus(pace.layer())) >= 0;
                    case NOW -> true;
                };
    }

    private static PendingReport report(ReportCandidate candidate, Duration now) {
        PrinterState state = candidate.latest().state();
        SentState before = candidate.before();
        Map<String, Object> whole = toTree(state);
        Map<String, Object> sent = before == null ? whole : patch(before.state(), whole);
        return new PendingReport(new Report(candidate.deviceId(), state.at(), sent), new SentState(state, now));
    }

    /** Converts the sent state once more, because thousands of trees would fill the memory. */
    @SuppressWarnings("NullAway") // A merge patch says "gone" by null, which Map<String, Object> cannot say.
    private static Map<String, Object> patch(PrinterState before, Map<String, Object> whole) {
        return Tree.object(MergePatch.between(toTree(before), whole));
    }

    void recordSent(List<PendingReport> pending) {
        for (PendingReport report : pending) {
            String deviceId = report.report().deviceId();
            sent.put(deviceId, report.sent());
            latestStates.computeIfPresent(deviceId, (_, next) -> compareWithSent(deviceId, next.state()));
        }
    }

    private static Map<String, Object> toTree(PrinterState state) {
        try {
            return Json.tree(Json.write(state));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
