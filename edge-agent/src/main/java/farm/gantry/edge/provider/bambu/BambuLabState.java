package farm.gantry.edge.provider.bambu;

import farm.gantry.edge.session.PushConnection;
import farm.gantry.edge.time.Uptime;
import farm.gantry.json.Tree;
import farm.gantry.printer.PrinterState;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The merged reports of a printer. {@code fileName} is the file of the current or last print, and {@code reportedAt}
 * the time of the last report. {@code nextNamedAt} is when the printer began to report the name of the next print while
 * still in the state after the last one; that name applies once the state changes. Times are by {@link
 * Uptime#withSleep}.
 */
record BambuLabState(
        Map<String, Object> print,
        String fileName,
        Duration reportedAt,
        @Nullable Duration nextNamedAt) {
    private static final Set<String> AT_REST = Set.of("IDLE", "FINISH", "FAILED");

    static BambuLabState empty() {
        return new BambuLabState(Map.of(), "", Duration.ZERO, null);
    }

    BambuLabState merge(Map<String, Object> report) {
        return merge(report, Uptime.withSleep());
    }

    /** Merges a report. A change replaces whole fields, except in the material units. */
    BambuLabState merge(Map<String, Object> report, Duration now) {
        Map<String, Object> merged = new HashMap<>(print);
        merged.putAll(report);
        if (report.get("ams") instanceof Map<?, ?>) {
            merged.put(
                    "ams", AmsUnits.merge(Tree.object(print, "ams"), Tree.object(report, "ams"), isFullReport(report)));
        }
        String state = Tree.text(merged, "gcode_state");
        boolean same = Objects.equals(state, Tree.text(print, "gcode_state"));
        boolean waits = same && state != null && AT_REST.contains(state);
        String about = waits ? fileName : reportedName(merged);
        String task = Tree.text(merged, "subtask_name");
        boolean isNextNamed =
                waits && task != null && !task.isBlank() && !farmFileName(task).equals(about);
        Duration since = nextNamedAt == null ? now : nextNamedAt;
        return new BambuLabState(merged, about, now, isNextNamed ? since : null);
    }

    /**
     * Returns the state for a new connection, before its first full report. It keeps the name of the file whose end is
     * shown, unless another print may have run meanwhile.
     */
    BambuLabState afterReconnect(Duration now) {
        return AT_REST.contains(state()) && now.minus(reportedAt).compareTo(PrinterState.MIN_PRINT) <= 0
                ? new BambuLabState(Map.of("gcode_state", state()), fileName, reportedAt, nextNamedAt)
                : empty();
    }

    /**
     * Returns whether the printer is reading the next print: it names that file and still shows the state after the
     * last print. False after a time limit, because a printer does not report that it could not read a file.
     */
    boolean isReadingNext(Duration now) {
        return nextNamedAt != null && now.minus(nextNamedAt).compareTo(PushConnection.MAX_FILE_READING_TIME) < 0;
    }

    static boolean isFullReport(Map<String, Object> report) {
        return report.get("gcode_state") != null && Tree.number(report, "msg", 0) == 0;
    }

    String state() {
        return Objects.requireNonNullElse(Tree.text(print, "gcode_state"), "");
    }

    private static String reportedName(Map<String, Object> print) {
        String task = Tree.text(print, "subtask_name");
        return farmFileName(task == null || task.isBlank() ? Tree.text(print, "gcode_file") : task);
    }

    /**
     * Converts a reported file name to the name under which the farm uploaded the file. Other names are those of files
     * on the card, without their folder.
     */
    private static String farmFileName(@Nullable String reported) {
        if (reported == null) {
            return "";
        }
        String name = reported.substring(reported.lastIndexOf('/') + 1);
        return name.startsWith("gantry-") ? name.replaceFirst("(\\.gcode)?(\\.3mf)?$", "") + ".gcode" : name;
    }
}
