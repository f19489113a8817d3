package farm.gantry.builds;

import farm.gantry.material.Assignment;
import java.util.List;
import java.util.Map;

/** The value of a SKU's property that results from the chosen options. */
public sealed interface PropertyValue {

    record Text(String text) implements PropertyValue {}

    /** The materials that a filament may be, the first choice first. */
    record Material(List<Assignment> choices) implements PropertyValue {}

    /** Plate id → copies. */
    record PlateQuantities(Map<String, Integer> quantities) implements PropertyValue {}
}
