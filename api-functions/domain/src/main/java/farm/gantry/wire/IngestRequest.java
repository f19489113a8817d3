package farm.gantry.wire;

import farm.gantry.part.Part;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;

/** API → worker, through the queue: read this part's file. The run is {@code workflowKey}. */
@Serdeable
public record IngestRequest(
        String storeId,
        String partId,
        String workflowKey,
        int attempt,
        Part.Type type,
        List<String> fileUris,
        List<String> fileHashes) {}
