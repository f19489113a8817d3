package farm.gantry.wire;

import farm.gantry.part.Part;
import farm.gantry.part.PartParameter;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;

/**
 * API → worker, through the queue: read this part's file. The run is {@code workflowKey}; {@code parameters} are the
 * part's own, whose values a model is rendered with.
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
        List<PartParameter> parameters) {

    /** A request that was queued by an older API names no parameters. */
    public IngestRequest {
        parameters = parameters == null ? List.of() : parameters;
    }
}
