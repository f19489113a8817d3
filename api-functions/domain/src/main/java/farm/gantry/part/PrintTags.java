package farm.gantry.part;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.micronaut.serde.annotation.Serdeable;
import org.jspecify.annotations.Nullable;

/**
 * What a printer must be to take a job. {@code =X} or a bare {@code X} is equality, {@code &=A|B} all of, {@code |=A|B}
 * any of.
 */
@Serdeable
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PrintTags(
        @Nullable @JsonProperty("filament.type") String filamentType,
        @Nullable @JsonProperty("printer.id") String printerId,
        @Nullable @JsonProperty("printer.modelName") String modelName,
        @Nullable @JsonProperty("printer.nozzleDiameter") String nozzleDiameter,
        @Nullable @JsonProperty("printer.provider") String provider,
        @Nullable @JsonProperty("user.tags") String userTags) {}
