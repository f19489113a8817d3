package farm.gantry.edge.provider.elegoo;

import farm.gantry.json.MergePatch;
import farm.gantry.json.Tree;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The merged reports of a printer, the number of the last change, and the id of the latest print in its history. */
record ElegooState(
        Map<String, Object> status,
        Map<String, Object> canvas,
        @Nullable Integer change,
        @Nullable String newestPrint) {
    static final int EMERGENCY = 14;

    static ElegooState empty() {
        return new ElegooState(Map.of(), Map.of(), null, null);
    }

    ElegooState withFullStatus(Map<String, Object> reported) {
        return new ElegooState(
                reported,
                reported.containsKey("canvas_info") ? Tree.object(reported, "canvas_info") : canvas,
                null,
                newestPrint);
    }

    ElegooState withSlots(Map<String, Object> reported) {
        return new ElegooState(status, reported, change, newestPrint);
    }

    ElegooState withNewestPrint(@Nullable String newest) {
        return new ElegooState(status, canvas, change, newest);
    }

    /**
     * Returns whether the number does not follow that of the last change, because changes were missed or this one is
     * old. After a restart, the printer counts from 0.
     */
    boolean isGap(int number) {
        return change != null && number != 0 && number != change + 1;
    }

    ElegooState withChange(int number, Map<String, Object> reported) {
        if (isGap(number) && change != null && number <= change) {
            return this;
        }
        Map<String, Object> merged = Tree.object(MergePatch.apply(status, reported));
        return new ElegooState(
                merged,
                Tree.object(MergePatch.apply(canvas, Tree.object(reported, "canvas_info"))),
                number,
                newestPrint);
    }

    int machineCode() {
        return Objects.requireNonNullElse(Tree.integer(status, "machine_status", "status"), 0);
    }

    int stageCode() {
        return Objects.requireNonNullElse(Tree.integer(status, "machine_status", "sub_status"), 0);
    }

    Map<String, Object> print() {
        return Tree.object(status, "print_status");
    }

    /** Returns whether the printer has a camera; true if it does not report this. */
    boolean hasCamera() {
        return !Boolean.FALSE.equals(Tree.object(status, "external_device").get("camera"));
    }

    String fileName() {
        String path = Objects.requireNonNullElse(Tree.text(print(), "filename"), "");
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
