package farm.gantry.builds;

import farm.gantry.sku.LinkedPart;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What is asked of the plates of a part, each by the plate's id: copies, labels, and objects left out. */
public record PlateWishes(
        Map<String, Integer> quantities, Map<String, String> labels, Map<String, List<String>> skipObjects) {

    public static final PlateWishes NONE = new PlateWishes(Map.of(), Map.of(), Map.of());

    public static PlateWishes of(LinkedPart.@Nullable Extensions extensions) {
        LinkedPart.ThreeMf said = extensions == null ? null : extensions.threeMf();
        return said == null
                ? NONE
                : new PlateWishes(
                        said.plateQuantities(),
                        Objects.requireNonNullElse(said.plateLabels(), Map.of()),
                        Objects.requireNonNullElse(said.skipObjects(), Map.of()));
    }

    /** The same with these quantities, if there are any. */
    public PlateWishes with(@Nullable Map<String, Integer> others) {
        return others == null ? this : new PlateWishes(others, labels, skipObjects);
    }

    /**
     * The same with the quantities that a bound input asks for: a number is so many of each plate, of those that are
     * printed, an object is plate id to copies.
     */
    PlateWishes bound(Object input, List<String> plates, String path, Wrongs wrongs) {
        Map<String, Integer> bound = new LinkedHashMap<>();
        if (input instanceof Map<?, ?> byPlate) {
            byPlate.forEach((plate, copies) -> {
                String at = path + "." + plate;
                if (isCount(copies)) {
                    bound.put(String.valueOf(plate), ((Number) copies).intValue());
                } else {
                    wrongs.add(at, "type", at + " must be a whole number from 0 to " + Sheets.MOST);
                }
            });
        } else if (plates.isEmpty()) {
            wrongs.add(path, "invalid", path + ": the part has no plates");
        } else if (isCount(input)) {
            int times = ((Number) input).intValue();
            for (String plate : plates) {
                long copies = (long) times * (quantities.isEmpty() ? 1 : quantities.getOrDefault(plate, 0));
                if (copies > Sheets.MOST) {
                    wrongs.add(path, "range", path + " asks for more than " + Sheets.MOST + " of plate " + plate);
                }
                bound.put(plate, (int) Math.min(copies, Sheets.MOST));
            }
        } else {
            wrongs.add(
                    path,
                    "type",
                    path + " must be a whole number from 0 to " + Sheets.MOST + ", or such a number for each plate");
        }
        return with(bound);
    }

    private static boolean isCount(@Nullable Object value) {
        return value instanceof Number number
                && number.doubleValue() == Math.rint(number.doubleValue())
                && number.doubleValue() >= 0
                && number.doubleValue() <= Sheets.MOST;
    }
}
