package farm.gantry.printer;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import farm.gantry.Permission;
import farm.gantry.SelfValidating;
import farm.gantry.annotation.Computed;
import farm.gantry.annotation.Default;
import farm.gantry.annotation.Example;
import farm.gantry.annotation.Resource;
import farm.gantry.annotation.SystemSet;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.PositiveOrZero;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A group of printers that must not all heat up at the same time. A start occupies one of the group's places until the release conditions
 * are met. {@code printerIds} is derived from the printers' records; changing it changes these.
 */
@Serdeable
@Resource(table = "printerThrottleGroup", view = Permission.PRINTER_VIEW, change = Permission.PRINTER_EDIT)
@Example("""
        {
          "name": "Fuse box B", "enabled": true, "maxConcurrentStarts": 2, "fallbackTimeoutSeconds": 900,
          "temperatureToleranceC": 2, "releaseConditions": {"bed": {"mode": "percent-of-target", "percent": 90}}
        }""")
public record PrinterThrottleGroup(
        @SystemSet String id,
        @SystemSet String storeId,
        @SystemSet Instant createdAt,
        @SystemSet Instant updatedAt,
        @NotBlank String name,
        boolean enabled,
        @Min(1) int maxConcurrentStarts,
        @PositiveOrZero int fallbackTimeoutSeconds,
        @PositiveOrZero double temperatureToleranceC,
        @Valid ReleaseConditions releaseConditions,
        @Computed @Default("[]") List<String> printerIds) {

    /** The conditions that release a start; all that are not null must be met. If all are null, only the timeout releases it. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    public record ReleaseConditions(
            @Nullable @Valid Heated bed,
            @Nullable @Valid Heated nozzle,
            @Nullable @Valid Elapsed duration) {}

    /** A temperature condition; each mode except the last needs its own value. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    public record Heated(
            Mode mode,
            @Nullable @Min(0) @Max(100) Double percent,
            @Nullable Double temperatureC) implements SelfValidating {
        @Override
        public List<Fault> faults() {
            return switch (mode) {
                case PERCENT_OF_TARGET -> neededBy("percent", percent);
                case FIXED_TEMP -> neededBy("temperatureC", temperatureC);
                case FIRST_LAYER_TEMP -> List.of();
            };
        }

        private static List<Fault> neededBy(String component, @Nullable Double value) {
            return value == null ? List.of(new Fault(component, "required", "is required in this mode")) : List.of();
        }
    }

    @Serdeable
    public enum Mode {
        @JsonProperty("percent-of-target")
        PERCENT_OF_TARGET,
        @JsonProperty("fixed-temp")
        FIXED_TEMP,
        @JsonProperty("first-layer-temp")
        FIRST_LAYER_TEMP
    }

    @Serdeable
    public record Elapsed(@PositiveOrZero int seconds) {}
}
