package farm.gantry.part;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import farm.gantry.KnownFieldsOnly;
import io.micronaut.serde.annotation.Serdeable;
import org.jspecify.annotations.Nullable;

/**
 * What a printer must be to take a job. {@code =X} or a bare {@code X} is equality, {@code &=A|B} all of, {@code |=A|B}
 * any of. An unknown tag is refused, because ignoring it would let jobs print on more printers than intended.
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

    /** These, but for those that the others name. */
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
