package farm.gantry.builds;

import farm.gantry.material.Assignment;
import java.util.List;
import java.util.Map;

/** The value of a SKU option property for the chosen options. */
public sealed interface PropertyValue {

    record Text(String text) implements PropertyValue {}

    /** The allowed materials of a filament, in order of preference. */
    record Material(List<Assignment> choices) implements PropertyValue {}

    /** The number of copies by plate id. */
    record PlateQuantities(Map<String, Integer> quantities) implements PropertyValue {}
}
