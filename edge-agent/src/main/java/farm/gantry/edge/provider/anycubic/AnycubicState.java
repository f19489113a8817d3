package farm.gantry.edge.provider.anycubic;

import farm.gantry.edge.printer.connection.PrintPhase;
import farm.gantry.job.PrintJob;
import farm.gantry.json.Tree;
import farm.gantry.printer.PrinterState.Status;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The merged reports of a printer: {@code info}, the last full report with later changes from reports of other types;
 * the slots of its filament boxes, of which each report contains some; and its error.
 */
record AnycubicState(
        Map<String, Object> info,
        Map<PrintJob.Slot, Map<String, Object>> slots,
        @Nullable PrinterError error) {

    /** The printer's error code and message. */
    record PrinterError(int code, String message) {
        private static final int OK = 200;

        /** Returns null without an error. */
        static @Nullable PrinterError parse(Map<String, Object> report) {
            Integer code = Tree.integer(report, "code");
            if (code == null || code == OK) {
                return null;
            }
            return new PrinterError(code, Objects.requireNonNullElse(Tree.text(report, "msg"), "no words"));
        }
    }

    static AnycubicState empty() {
        return new AnycubicState(Map.of(), Map.of(), null);
    }

    AnycubicState withFullReport(Map<String, Object> report) {
        return new AnycubicState(Tree.object(report, "data"), slots, PrinterError.parse(report));
    }

    AnycubicState withTemperatures(Map<String, Object> data) {
        return with("temp", merge(Tree.object(info, "temp"), data));
    }

    /** Returns the status for a job's state, null for an unknown one. {@code stoped} is the printer's own spelling. */
    static @Nullable PrintPhase phaseOfState(String state) {
        return switch (state) {
            case "preheating", "auto_leveling", "vibrating", "flow_calibrating" -> new PrintPhase(Status.preparing);
            case "printing", "resuming", "resumed", "updated", "stopping" -> new PrintPhase(Status.printing);
            case "pausing", "paused" -> new PrintPhase(Status.paused);
            case "finished" -> PrintPhase.COMPLETED;
            case "stoped", "stopped" -> PrintPhase.CANCELLED;
            case "failed" -> PrintPhase.FAILED;
            default -> null;
        };
    }

    /** Applies a report about a job. Reports about a failed command, or about one that prints nothing, are ignored. */
    AnycubicState withJobReport(Map<String, Object> report) {
        String state = Objects.requireNonNullElse(Tree.text(report, "state"), "");
        Map<String, Object> reported = new LinkedHashMap<>(Tree.object(report, "data"));
        boolean ofOrder = state.equals("failed") || phaseOfState(state) == null;
        if (ofOrder || (isIdle() && (state.equals("updated") || !reported.containsKey("filename")))) {
            return this;
        }
        reported.put("state", state);
        Map<String, Object> known = Tree.object(info, "project");
        boolean same =
                !reported.containsKey("filename") || Objects.equals(reported.get("filename"), known.get("filename"));
        return with("state", "busy").with("project", merge(same ? known : Map.of(), reported));
    }

    private AnycubicState with(String name, Object value) {
        return new AnycubicState(merge(info, Map.of(name, value)), slots, error);
    }

    /** Merges a report into the known values. A null in the report leaves the known value. */
    private static Map<String, Object> merge(Map<String, Object> known, Map<String, Object> reported) {
        Map<String, Object> merged = new LinkedHashMap<>(known);
        reported.forEach((name, value) -> {
            if (value != null) {
                merged.put(name, value);
            }
        });
        return merged;
    }

    AnycubicState withBoxes(Map<String, Object> data) {
        Map<PrintJob.Slot, Map<String, Object>> more = new TreeMap<>(slots);
        for (Object box : Tree.list(data, "multi_color_box")) {
            int number = (int) Tree.number(box, "id", 0);
            for (Object slot : Tree.list(box, "slots")) {
                PrintJob.Slot place = new PrintJob.Slot(number, (int) Tree.number(slot, "index", 0));
                more.merge(place, Tree.object(slot), AnycubicState::merge);
            }
        }
        return new AnycubicState(info, more, error);
    }

    /** Returns the running job, or on an idle printer the last one; empty if a busy printer does not report it. */
    Map<String, Object> job() {
        return Tree.object(info, isIdle() ? "last_project" : "project");
    }

    boolean isIdle() {
        return List.of("free", "idle").contains(Objects.requireNonNullElse(Tree.text(info, "state"), ""));
    }

    /** Returns the URL of the camera's video, which most printers report. */
    String videoUrl(AnycubicAddress address) {
        return Objects.requireNonNullElse(Tree.text(info, "urls", "rtspUrl"), address.videoUrl());
    }

    /** Returns the upload URL, null if it was not reported. */
    @Nullable
    String uploadUrl() {
        return Tree.text(info, "urls", "fileUploadurl");
    }
}
