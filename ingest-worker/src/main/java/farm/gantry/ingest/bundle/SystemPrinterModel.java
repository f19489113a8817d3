package farm.gantry.ingest.bundle;

import java.util.List;

/** A make of printer that slicers know. Its number depends on its names alone. */
public record SystemPrinterModel(long id, String slicer, String vendorName, String modelName, List<String> nozzleDiameters) {

    static SystemPrinterModel of(String slicer, String vendor, String name, List<String> nozzles) {
        return new SystemPrinterModel(number(vendor, name), slicer, vendor, name, nozzles);
    }

    /** The id of a model, by its names alone. */
    public static long number(String vendorName, String modelName) {
        return StableId.of(vendorName, modelName);
    }
}
