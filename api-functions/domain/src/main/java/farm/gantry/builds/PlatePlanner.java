package farm.gantry.builds;

import farm.gantry.part.Part;
import farm.gantry.part.PartMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Plans the plates of a part. */
final class PlatePlanner {
    /** The plate that a file of G-code is, where it names none. */
    private static final String FILE_OF_GCODE = "1";

    private PlatePlanner() {}

    /**
     * Plans the plates that {@code plates} names, or each plate once when it names none. An empty plate of a project may be
     * named with zero copies.
     */
    static List<PlatePlan> plan(Part part, PlateOptions plates, String path, FaultSink faults) {
        List<PartMetadata.Plate> all = printablePlates(part);
        List<String> ids = plateIds(part);
        Map<String, Integer> quantities = plates.quantities();
        quantities.forEach((plate, copies) -> {
            String at = path + "." + plate;
            if (!ids.contains(plate) && !(copies == 0 && ids(knownPlates(part)).contains(plate))) {
                faults.add(at, "not_found", at + ": the part has no plate " + plate + " to print");
            } else if (copies < 0 || copies > PlateOptions.MAX_COUNT) {
                faults.add(at, "range", at + " must be 0 to " + PlateOptions.MAX_COUNT);
            }
        });
        if (all.isEmpty() && part.type() == Part.Type.THREE_MF && !knownPlates(part).isEmpty()) {
            faults.add(path, "invalid", path + ": no plate of the part holds anything to print");
            return List.of();
        }
        if (all.isEmpty()) {
            return List.of(planWholePart(part, plates, copies(quantities, FILE_OF_GCODE)));
        }
        List<PlatePlan> planned = new ArrayList<>();
        for (PartMetadata.Plate plate : all) {
            planned.add(planPlate(part, plate, plates, copies(quantities, String.valueOf(plate.id()))));
        }
        return planned;
    }

    private static int copies(Map<String, Integer> quantities, String plate) {
        return quantities.isEmpty() ? 1 : quantities.getOrDefault(plate, 0);
    }

    /** The ids of the plates that can be printed; a model gets its plate when it is sliced. */
    static List<String> plateIds(Part part) {
        List<String> ids = ids(printablePlates(part));
        return ids.isEmpty() && isReady(part) ? List.of(FILE_OF_GCODE) : ids;
    }

    private static List<String> ids(List<PartMetadata.Plate> plates) {
        return plates.stream().map(plate -> String.valueOf(plate.id())).toList();
    }

    /** Returns whether the part's files are printed as they are. */
    static boolean isReady(Part part) {
        return switch (part.type()) {
            case gcode, gcode3mf -> true;
            case scad, cadquery, build123d, stl, step, THREE_MF -> false;
        };
    }

    private static List<PartMetadata.Plate> knownPlates(Part part) {
        return part.metadata() == null || part.metadata().plates() == null
                ? List.of()
                : part.metadata().plates();
    }

    /** Plates as they can be printed: of a sliced archive those with G-code, of a project those that are not empty. */
    private static List<PartMetadata.Plate> printablePlates(Part part) {
        List<PartMetadata.Plate> plates = knownPlates(part);
        return switch (part.type()) {
            case gcode3mf ->
                plates.stream()
                        .filter(plate ->
                                plate.gcodeFile() != null && !plate.gcodeFile().isEmpty())
                        .toList();
            case THREE_MF ->
                plates.stream().filter(plate -> !plate.hasNothingToPrint()).toList();
            case gcode, scad, cadquery, build123d, stl, step -> List.of();
        };
    }

    private static PlatePlan planWholePart(Part part, PlateOptions options, int copies) {
        return new PlatePlan(
                null,
                null,
                options.labels().get(FILE_OF_GCODE),
                null,
                part.thumbnailUri(),
                isReady(part) ? part.fileUris().getFirst() : null,
                options.skippedObjects(FILE_OF_GCODE),
                PlatePlan.Estimate.of(part.slicingEstimate()),
                copies);
    }

    private static PlatePlan planPlate(Part part, PartMetadata.Plate plate, PlateOptions options, int copies) {
        String id = String.valueOf(plate.id());
        String own =
                part.gcodePlateUris() == null ? null : part.gcodePlateUris().get(id);
        String picture =
                plate.thumbnailRenderedUri() != null ? plate.thumbnailRenderedUri() : plate.thumbnailUploadedUri();
        return new PlatePlan(
                plate.id(),
                plate.name(),
                options.labels().get(id),
                isReady(part) ? plate.gcodeFile() : null,
                picture == null ? part.thumbnailUri() : picture,
                !isReady(part) ? null : own == null ? part.fileUris().getFirst() : own,
                options.skippedObjects(id),
                PlatePlan.Estimate.ofPlate(part.slicingEstimate(), plate.id()),
                copies);
    }
}
