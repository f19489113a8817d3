package farm.gantry.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import farm.gantry.part.Part;
import farm.gantry.part.PartParameter;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * API → worker: slices a plate for a job. {@code sliceId} identifies the request in its result. Slicing is
 * deterministic and cached, so repeated requests are cheap. {@code plateId} is null if the file has no plates. With
 * {@code acceptsOneFilament}, a plate with several filaments may be printed with one, because the same material was
 * chosen for all.
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
