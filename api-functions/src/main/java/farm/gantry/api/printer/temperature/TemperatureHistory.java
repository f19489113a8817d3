package farm.gantry.api.printer.temperature;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The temperatures of a printer: the times of the samples, and for each heater a value at each of these times. */
@Serdeable
@JsonInclude(JsonInclude.Include.ALWAYS)
record TemperatureHistory(Instant from, Instant to, List<Instant> times, List<Heater> heaters) {

    /** The temperatures of a heater, in °C; null where a sample has none of this heater. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record Heater(String name, List<@Nullable Double> actual, List<@Nullable Double> target) {}
}
