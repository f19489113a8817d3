package farm.gantry.ingest.slicer;

import java.util.Map;

/** Names of slicers for people. */
final class SlicerNames {
    private static final Map<String, String> NAMES = Map.of(
            "slicer1", "OrcaSlicer", "slicer2", "Bambu Studio", "slicer3", "PrusaSlicer", "slicer4", "SuperSlicer");

    private SlicerNames() {}

    /** The name of a slicer for people, by the interface's word for it. */
    static String name(String slicer) {
        return NAMES.getOrDefault(slicer, slicer);
    }
}
