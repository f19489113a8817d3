package farm.gantry.ingest.bundle;

import java.util.List;

/**
 * A make of printer that slicers know; {@code key} is the word by which machine profiles name it. Its number depends on
 * its names alone.
 */
public record SystemModel(
        long id, String slicer, String vendorName, String key, String modelName, List<String> nozzleDiameters) {

    static SystemModel of(String slicer, String vendor, String key, String name, List<String> nozzles) {
        return new SystemModel(number(vendor, name), slicer, vendor, key, name, nozzles);
    }

    /** The id of a model, by its names alone. */
    public static long number(String vendorName, String modelName) {
        return StableId.of(vendorName, modelName);
    }
}
