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
 * The printer's reports so far, the last one at {@code reportedAt}. {@code fileName} is the print that they are about.
 * The name of the next print, reported since {@code nextNamedAt} while the state is still that after the last print,
 * applies once the state changes. Times are {@link Uptime#withSleep}.
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

    /** Merges a report: changes contain whole fields, except for the material units. */
    BambuLabState merge(Map<String, Object> report, Duration now) {
        Map<String, Object> merged = new HashMap<>(print);
        merged.putAll(report);
        if (report.get("ams") instanceof Map<?, ?>) {
            merged.put("ams", AmsUnits.merge(Tree.object(print, "ams"), Tree.object(report, "ams"), isFullReport(report)));
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
     * Returns the state for a new connection, before the first full report: it keeps whose end is shown, unless a print
     * may have come and gone.
     */
    BambuLabState afterReconnect(Duration now) {
        return AT_REST.contains(state()) && now.minus(reportedAt).compareTo(PrinterState.MIN_PRINT) <= 0
                ? new BambuLabState(Map.of("gcode_state", state()), fileName, reportedAt, nextNamedAt)
                : empty();
    }

    /**
     * Returns whether the printer was ordered to print another file and still shows the state after the last one. A
     * print that has not begun for so long could not be read, which the printer does not report.
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

    /** Returns the farm's name for the file; a print started at the screen has the name of the file on the card. */
    private static String farmFileName(@Nullable String reported) {
        if (reported == null) {
            return "";
        }
        String name = reported.substring(reported.lastIndexOf('/') + 1);
        return name.startsWith("gantry-") ? name.replaceFirst("(\\.gcode)?(\\.3mf)?$", "") + ".gcode" : name;
    }
}
