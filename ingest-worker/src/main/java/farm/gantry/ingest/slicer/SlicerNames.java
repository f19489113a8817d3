package farm.gantry.ingest.slicer;

import java.util.Map;

/** Product names of slicers. */
public final class SlicerNames {
    private static final Map<String, String> NAMES = Map.of(
            "slicer1", "OrcaSlicer", "slicer2", "Bambu Studio", "slicer3", "PrusaSlicer", "slicer4", "SuperSlicer");

    private SlicerNames() {}

    /** Returns the product name of a slicer by its wire name, such as {@code slicer3}; another text is returned unchanged. */
    public static String name(String wireName) {
        return NAMES.getOrDefault(wireName, wireName);
    }
}
