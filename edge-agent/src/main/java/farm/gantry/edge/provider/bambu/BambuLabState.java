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
 * What a printer has told of itself so far, the last time at {@code toldAt}. {@code fileName} is the print it is about: the name
 * of the next one, told since {@code nextNamedAt} while the state is still that after the last one, has to wait for that state to
 * change. Times are {@link Uptime#withSleep}.
 */
record BambuLabState(
        Map<String, Object> print,
        String fileName,
        Duration toldAt,
        @Nullable Duration nextNamedAt) {
    private static final Set<String> AT_REST = Set.of("IDLE", "FINISH", "FAILED");

    static BambuLabState nothing() {
        return new BambuLabState(Map.of(), "", Duration.ZERO, null);
    }

    BambuLabState merge(Map<String, Object> report) {
        return merge(report, Uptime.withSleep());
    }

    /** Deltas name whole fields, the material units apart. */
    BambuLabState merge(Map<String, Object> report, Duration now) {
        Map<String, Object> merged = new HashMap<>(print);
        merged.putAll(report);
        if (report.get("ams") instanceof Map<?, ?>) {
            merged.put("ams", AmsUnits.merge(Tree.object(print, "ams"), Tree.object(report, "ams"), isWhole(report)));
        }
        String state = Tree.text(merged, "gcode_state");
        boolean same = Objects.equals(state, Tree.text(print, "gcode_state"));
        boolean waits = same && state != null && AT_REST.contains(state);
        String about = waits ? fileName : name(merged);
        String task = Tree.text(merged, "subtask_name");
        boolean isNextNamed =
                waits && task != null && !task.isBlank() && !bare(task).equals(about);
        Duration since = nextNamedAt == null ? now : nextNamedAt;
        return new BambuLabState(merged, about, now, isNextNamed ? since : null);
    }

    /** What is known on a new line, before everything is told again: whose end is shown, unless a print may have come and gone. */
    BambuLabState reconnected(Duration now) {
        return AT_REST.contains(state()) && now.minus(toldAt).compareTo(PrinterState.MIN_PRINT) <= 0
                ? new BambuLabState(Map.of("gcode_state", state()), fileName, toldAt, nextNamedAt)
                : nothing();
    }

    /**
     * Whether the printer was told to print another file, and shows the state after the last one still. One that has not begun for
     * so long has failed to read it, and tells no more of that.
     */
    boolean isReadingNext(Duration now) {
        return nextNamedAt != null && now.minus(nextNamedAt).compareTo(PushConnection.MAX_FILE_READING_TIME) < 0;
    }

    static boolean isWhole(Map<String, Object> report) {
        return report.get("gcode_state") != null && Tree.number(report, "msg", 0) == 0;
    }

    String state() {
        return Objects.requireNonNullElse(Tree.text(print, "gcode_state"), "");
    }

    private static String name(Map<String, Object> print) {
        String task = Tree.text(print, "subtask_name");
        return bare(task == null || task.isBlank() ? Tree.text(print, "gcode_file") : task);
    }

    /** A print begun at the screen is named after the file on the card, which we call after our own. */
    private static String bare(@Nullable String reported) {
        if (reported == null) {
            return "";
        }
        String name = reported.substring(reported.lastIndexOf('/') + 1);
        return name.startsWith("gantry-") ? name.replaceFirst("(\\.gcode)?(\\.3mf)?$", "") + ".gcode" : name;
    }
}
