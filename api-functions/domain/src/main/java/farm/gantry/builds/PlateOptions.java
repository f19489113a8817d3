package farm.gantry.builds;

import farm.gantry.sku.LinkedPart;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Options of the plates of a part, by plate id: copies, labels, and objects to skip. */
public record PlateOptions(
        Map<String, Integer> quantities, Map<String, String> labels, Map<String, List<String>> skipObjects) {

    /** The most copies of one plate in one copy of its part. */
    public static final int MAX_COUNT = 500;

    public static final PlateOptions NONE = new PlateOptions(Map.of(), Map.of(), Map.of());

    public static PlateOptions of(LinkedPart.@Nullable Extensions extensions) {
        LinkedPart.ThreeMf options = extensions == null ? null : extensions.threeMf();
        return options == null
                ? NONE
                : new PlateOptions(
                        options.plateQuantities(),
                        Objects.requireNonNullElse(options.plateLabels(), Map.of()),
                        Objects.requireNonNullElse(options.skipObjects(), Map.of()));
    }

    /** The objects that are left out of the plate, null if none. */
    @Nullable
    List<String> skippedObjects(String plate) {
        List<String> skipped = skipObjects.getOrDefault(plate, List.of());
        return skipped.isEmpty() ? null : skipped;
    }

    /** A copy with these quantities, unless null. */
    public PlateOptions withQuantities(@Nullable Map<String, Integer> others) {
        return others == null ? this : new PlateOptions(others, labels, skipObjects);
    }

    /**
     * A copy with the quantities of a bound input: a number multiplies the copies of each plate, an object is plate id to
     * copies.
     */
    PlateOptions withBoundInput(Object input, List<String> plates, String path, FaultSink faults) {
        Map<String, Integer> bound = new LinkedHashMap<>();
        if (input instanceof Map<?, ?> byPlate) {
            byPlate.forEach((plate, copies) -> {
                String at = path + "." + plate;
                if (isCount(copies)) {
                    bound.put(String.valueOf(plate), ((Number) copies).intValue());
                } else {
                    faults.add(at, "type", at + " must be a whole number from 0 to " + MAX_COUNT);
                }
            });
        } else if (plates.isEmpty()) {
            faults.add(path, "invalid", path + ": the part has no plates");
        } else if (isCount(input)) {
            int times = ((Number) input).intValue();
            for (String plate : plates) {
                long copies = (long) times * (quantities.isEmpty() ? 1 : quantities.getOrDefault(plate, 0));
                if (copies > MAX_COUNT) {
                    faults.add(path, "range", path + " asks for more than " + MAX_COUNT + " of plate " + plate);
                }
                bound.put(plate, (int) Math.min(copies, MAX_COUNT));
            }
        } else {
            faults.add(
                    path,
                    "type",
                    path + " must be a whole number from 0 to " + MAX_COUNT + ", or such a number for each plate");
        }
        return withQuantities(bound);
    }

    private static boolean isCount(@Nullable Object value) {
        return value instanceof Number number
                && number.doubleValue() == Math.rint(number.doubleValue())
                && number.doubleValue() >= 0
                && number.doubleValue() <= MAX_COUNT;
    }
}
