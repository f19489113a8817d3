package farm.gantry.edge.link;

import farm.gantry.json.Json;
import farm.gantry.json.MergePatch;
import farm.gantry.json.Tree;
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
final class StateReports {
    private final ConcurrentMap<String, Latest> latest = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, Told> told = new ConcurrentHashMap<>();

    /** A state, and how soon the API should hear of it after what it was told. */
    private record Latest(PrinterState state, ReportUrgency urgency) {}

    /** {@code at} is the uptime of the agent then. */
    record Told(PrinterState state, Map<String, Object> tree, Duration at) {}

    /** A report on its way, and what the API will have been told once it has arrived. */
    record Due(Report report, Told told) {}

    /**
     * How long after the last report of a printer the API hears of what is not urgent: of a layer, of temperatures and
     * percent, of the seconds of a print.
     */
    record Pace(Duration layer, Duration soon, Duration someTime) {
        /** To an API that holds its answers, where an exchange costs nothing. */
        static final Pace PROMPT = new Pace(Duration.ZERO, Duration.ofSeconds(2), Duration.ofSeconds(10));
        /** Between the exchanges of an agent that asks now and then. */
        static final Pace URGENT = new Pace(Duration.ofDays(1), Duration.ofDays(1), Duration.ofDays(1));
        /** In such an exchange, which takes along what there is. */
        static final Pace ALL = new Pace(Duration.ZERO, Duration.ZERO, Duration.ZERO);
    }

    /** Whether the API should hear of it at once. */
    boolean put(String deviceId, PrinterState state) {
        return latest.compute(deviceId, (_, _) -> latest(deviceId, state))
                        .urgency()
                        .compareTo(ReportUrgency.LAYER)
                >= 0;
    }

    private Latest latest(String deviceId, PrinterState state) {
        Told before = told.get(deviceId);
        return new Latest(state, before == null ? ReportUrgency.NOW : ReportUrgency.of(before.state(), state));
    }

    void keepOnly(Set<String> deviceIds) {
        latest.keySet().retainAll(deviceIds);
        told.keySet().retainAll(deviceIds);
    }

    /** A new session has been told nothing. */
    void forget() {
        told.clear();
    }

    List<Due> due(Duration now, Pace pace) {
        return latest.entrySet().stream()
                .flatMap(entry -> due(entry.getKey(), entry.getValue(), now, pace).stream())
                .toList();
    }

    private Optional<Due> due(String deviceId, Latest news, Duration now, Pace pace) {
        PrinterState state = news.state();
        Told before = told.get(deviceId);
        if (before == null) {
            Map<String, Object> whole = tree(state);
            return Optional.of(new Due(new Report(deviceId, state.at(), whole), new Told(state, whole, now)));
        }
        boolean isDue = switch (news.urgency()) {
            case NONE -> false;
            case SOME_TIME -> now.compareTo(before.at().plus(pace.someTime())) >= 0;
            case SOON -> now.compareTo(before.at().plus(pace.soon())) >= 0;
            case LAYER -> now.compareTo(before.at().plus(pace.layer())) >= 0;
            case NOW -> true;
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
        for (Due due : dues) {
            String deviceId = due.report().deviceId();
            told.put(deviceId, due.told());
            latest.computeIfPresent(deviceId, (_, news) -> latest(deviceId, news.state()));
        }
    }

    private static Map<String, Object> tree(PrinterState state) {
        try {
            return Json.tree(Json.write(state));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
