package farm.gantry.wire;

import farm.gantry.part.Part;
import farm.gantry.part.PartParameter;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * API → worker: reads a part's file. {@code workflowKey} identifies the run; {@code parameters} are the part's own,
 * with which a model is rendered, and {@code setup} are the slicing settings for its estimate. {@code acceptIncomplete}
 * accepts G-code that ends early. {@code otherSetups} are the settings of other suitable printers, for the range of the
 * estimate.
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

    /** A request queued by an older API has no parameters and no setups. */
    public IngestRequest {
        parameters = parameters == null ? List.of() : parameters;
        otherSetups = otherSetups == null ? List.of() : otherSetups;
    }
}
