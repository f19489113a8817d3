package farm.gantry.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import farm.gantry.part.Part;
import farm.gantry.part.PartParameter;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * API → worker, through the queue: slice this for a job. {@code sliceId} names the request in its answer; the same
 * inputs give the same G-code, so asking again costs nothing. {@code plateId} is null where the file has no plates. With {@code acceptsOneFilament}, a
 * plate of several filaments may be printed with one: somebody chose the same material for all of them.
 */
@Serdeable
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SliceRequest(
        String storeId,
        String sliceId,
        String partId,
        Part.Type type,
        List<String> fileUris,
        List<String> fileHashes,
        @Nullable Integer plateId,
        List<PartParameter> parameters,
        SliceSetup setup,
        boolean acceptsOneFilament) {}
