package farm.gantry.printer;

import farm.gantry.json.Tree;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The maximum temperatures in °C that G-code may set on a printer: {@code maxTemperature} of the nozzles and beds in its {@code
 * printerCapabilityPatch}, else {@link #USUAL}, which no printer without such a declaration exceeds.
 */
public record TemperatureLimits(double nozzle, double bed) {
    public static final TemperatureLimits USUAL = new TemperatureLimits(350, 150);

    public static TemperatureLimits of(Printer printer) {
        Map<String, Object> patch = printer.printerCapabilityPatch();
        return patch == null
                ? USUAL
                : new TemperatureLimits(max(patch, "nozzles", USUAL.nozzle), max(patch, "beds", USUAL.bed));
    }

    private static double max(Map<String, Object> patch, String components, double otherwise) {
        return Tree.list(patch, components).stream()
                .map(component -> Tree.number(component, "maxTemperature"))
                .flatMap(Stream::ofNullable)
                .mapToDouble(Double::doubleValue)
                .max()
                .orElse(otherwise);
    }

    /** Returns whether the printer can reach the temperatures; null means that the G-code sets none. */
    public boolean allow(@Nullable Double nozzleTemperature, @Nullable Double bedTemperature) {
        return (nozzleTemperature == null || nozzleTemperature <= nozzle)
                && (bedTemperature == null || bedTemperature <= bed);
    }
}
