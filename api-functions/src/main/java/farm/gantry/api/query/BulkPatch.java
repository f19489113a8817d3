package farm.gantry.api.query;

import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import java.util.Map;

/** The body of one change to many records: {@code update} is what a patch of one would be. */
@Serdeable
public record BulkPatch(List<String> ids, Map<String, Object> update) {}
