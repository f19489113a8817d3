package farm.gantry.ingest.bundle;

import java.util.List;

/** A printer model in a slicer's bundle. Its id is a hash of its names. */
public record SystemPrinterModel(
        long id, String slicer, String vendorName, String modelName, List<String> nozzleDiameters) {

    static SystemPrinterModel of(String slicer, String vendor, String name, List<String> nozzles) {
        return new SystemPrinterModel(modelId(vendor, name), slicer, vendor, name, nozzles);
    }

    /** Returns the id of a model, a hash of its names. */
    public static long modelId(String vendorName, String modelName) {
        return StableId.hash(vendorName, modelName);
    }
}
