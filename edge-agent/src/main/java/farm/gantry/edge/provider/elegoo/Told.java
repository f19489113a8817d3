package farm.gantry.edge.provider.elegoo;

import farm.gantry.json.MergePatch;
import farm.gantry.json.Tree;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a printer has told of itself so far, the number of the last change that it told, and that of the latest print in
 * its history.
 */
record Told(
        Map<String, Object> status,
        Map<String, Object> canvas,
        @Nullable Integer change,
        @Nullable String newestPrint) {
    static final int EMERGENCY = 14;

    static Told nothing() {
        return new Told(Map.of(), Map.of(), null, null);
    }

    Told whole(Map<String, Object> told) {
        return new Told(
                told, told.containsKey("canvas_info") ? Tree.object(told, "canvas_info") : canvas, null, newestPrint);
    }

    Told slots(Map<String, Object> told) {
        return new Told(status, told, change, newestPrint);
    }

    Told counted(@Nullable String newest) {
        return new Told(status, canvas, change, newest);
    }

    /** Whether changes before this one were missed, or it is an old one; a restarted count begins with 0. */
    boolean isGap(int number) {
        return change != null && number != 0 && number != change + 1;
    }

    Told changed(int number, Map<String, Object> told) {
        if (isGap(number) && change != null && number <= change) {
            return this;
        }
        Map<String, Object> merged = Tree.object(MergePatch.apply(status, told));
        return new Told(
                merged, Tree.object(MergePatch.apply(canvas, Tree.object(told, "canvas_info"))), number, newestPrint);
    }

    int machine() {
        return Objects.requireNonNullElse(Tree.integer(status, "machine_status", "status"), 0);
    }

    int stage() {
        return Objects.requireNonNullElse(Tree.integer(status, "machine_status", "sub_status"), 0);
    }

    Map<String, Object> print() {
        return Tree.object(status, "print_status");
    }

    /** A printer that does not say so may have one. */
    boolean hasCamera() {
        return !Boolean.FALSE.equals(Tree.object(status, "external_device").get("camera"));
    }

    String fileName() {
        String path = Objects.requireNonNullElse(Tree.text(print(), "filename"), "");
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
