package farm.gantry.api.csv;

import io.micronaut.serde.annotation.Serdeable;
import java.util.List;

/** The records that an import created, or in a dry run would have created; {@code ids} are in the order of the file. */
@Serdeable
public record ImportResult(boolean dryRun, int count, List<String> ids) {}
