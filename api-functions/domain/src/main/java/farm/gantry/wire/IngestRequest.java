package farm.gantry.wire;

import farm.gantry.part.Part;
import farm.gantry.part.PartParameter;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * API → worker, through the queue: read this part's file. The run is {@code workflowKey}; {@code parameters} are the
 * part's own, whose values a model is rendered with, and {@code setup} is what it is sliced with for its estimate. {@code
 * acceptIncomplete} takes a G-code that ends early. {@code otherSetups} are those of other printers that would take the part; the
 * estimate says in which range they lie.
 */
@Serdeable
public record IngestRequest(
        String storeId,
        String partId,
        String workflowKey,
        int attempt,
        Part.Type type,
        List<String> fileUris,
        List<String> fileHashes,
        List<PartParameter> parameters,
        @Nullable SliceSetup setup,
        boolean acceptIncomplete,
        List<SliceSetup> otherSetups) {

    /** A request that was queued by an older API names no parameters and no setups. */
    public IngestRequest {
        parameters = parameters == null ? List.of() : parameters;
        otherSetups = otherSetups == null ? List.of() : otherSetups;
    }
}
