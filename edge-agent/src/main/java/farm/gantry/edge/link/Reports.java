package farm.gantry.edge.link;

import farm.gantry.edge.json.Json;
import farm.gantry.edge.json.MergePatch;
import farm.gantry.edge.json.Tree;
import farm.gantry.printer.PrinterState;
import farm.gantry.wire.LinkRequest.Report;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The printers' latest states against what the API was told in this session. Kept in memory, one a printer: while the
 * API is away the newest wins, and nothing grows.
 */
final class Reports {
    private static final Duration SOME_TIME = Duration.ofSeconds(10);

    private final ConcurrentMap<String, PrinterState> latest = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, Told> told = new ConcurrentHashMap<>();

    /** {@code at} is the uptime of the agent then. */
    record Told(PrinterState state, Map<String, Object> tree, Duration at) {}

    /** A report on its way, and what the API will have been told once it has arrived. */
    record Due(Report report, Told told) {}

    /** Whether the API should hear of it at once. */
    boolean put(String deviceId, PrinterState state) {
        latest.put(deviceId, state);
        Told before = told.get(deviceId);
        return before == null || Urgency.of(before.state(), state) == Urgency.now;
    }

    void keepOnly(Set<String> deviceIds) {
        latest.keySet().retainAll(deviceIds);
        told.keySet().retainAll(deviceIds);
    }

    /** A new session has been told nothing. */
    void forget() {
        told.clear();
    }

    List<Due> due(Duration now, Duration soon) {
        return latest.entrySet().stream()
                .flatMap(entry -> due(entry.getKey(), entry.getValue(), now, soon).stream())
                .toList();
    }

    private Optional<Due> due(String deviceId, PrinterState state, Duration now, Duration soon) {
        Told before = told.get(deviceId);
        if (before == null) {
            Map<String, Object> whole = tree(state);
            return Optional.of(new Due(new Report(deviceId, state.at(), whole), new Told(state, whole, now)));
        }
        boolean isDue = switch (Urgency.of(before.state(), state)) {
            case none -> false;
            case someTime -> now.compareTo(before.at().plus(SOME_TIME)) >= 0;
            case soon -> now.compareTo(before.at().plus(soon)) >= 0;
            case now -> true;
        };
        return isDue ? Optional.of(delta(deviceId, before, state, now)) : Optional.empty();
    }

    @SuppressWarnings("NullAway") // A merge patch says "gone" by null, which Map<String, Object> cannot say.
    private static Due delta(String deviceId, Told before, PrinterState state, Duration now) {
        Map<String, Object> whole = tree(state);
        Map<String, Object> patch = Tree.object(MergePatch.between(before.tree(), whole));
        return new Due(new Report(deviceId, state.at(), patch), new Told(state, whole, now));
    }

    void arrived(List<Due> dues) {
        dues.forEach(due -> told.put(due.report().deviceId(), due.told()));
    }

    private static Map<String, Object> tree(PrinterState state) {
        try {
            return Json.tree(Json.write(state));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
