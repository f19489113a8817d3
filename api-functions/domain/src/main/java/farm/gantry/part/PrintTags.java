package farm.gantry.part;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import farm.gantry.annotation.KnownFieldsOnly;
import io.micronaut.serde.annotation.Serdeable;
import org.jspecify.annotations.Nullable;

/**
 * Conditions on the printer that may take a job. {@code =X} or {@code X} means equality, {@code &=A|B} all of, {@code |=A|B} any of.
 * Unknown tags are rejected, because ignoring one would allow more printers than intended.
 */
@Serdeable
@JsonInclude(JsonInclude.Include.NON_NULL)
@KnownFieldsOnly("tag")
public record PrintTags(
        @Nullable @JsonProperty("filament.type") String filamentType,
        @Nullable @JsonProperty("printer.id") String printerId,
        @Nullable @JsonProperty("printer.modelName") String modelName,
        @Nullable @JsonProperty("printer.nozzleDiameter") String nozzleDiameter,
        @Nullable @JsonProperty("printer.provider") String provider,
        @Nullable @JsonProperty("user.tags") String userTags) {

    /** Returns these tags, replaced by the non-null ones of the others. */
    public PrintTags overriddenBy(@Nullable PrintTags others) {
        return others == null
                ? this
                : new PrintTags(
                        firstNonNull(others.filamentType, filamentType),
                        firstNonNull(others.printerId, printerId),
                        firstNonNull(others.modelName, modelName),
                        firstNonNull(others.nozzleDiameter, nozzleDiameter),
                        firstNonNull(others.provider, provider),
                        firstNonNull(others.userTags, userTags));
    }

    private static @Nullable String firstNonNull(@Nullable String first, @Nullable String second) {
        return first == null ? second : first;
    }
}
