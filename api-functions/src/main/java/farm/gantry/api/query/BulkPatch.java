package farm.gantry.api.query;

import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import java.util.Map;

/** The body of a bulk patch: {@code update} is the merge patch that is applied to each record. */
@Serdeable
public record BulkPatch(List<String> ids, Map<String, Object> update) {}
