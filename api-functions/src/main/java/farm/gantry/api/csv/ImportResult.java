package farm.gantry.api.csv;

import io.micronaut.serde.annotation.Serdeable;
import java.util.List;

/** What an import created, or with {@code dryRun} would create; {@code ids} are in the order of the file. */
@Serdeable
public record ImportResult(boolean dryRun, int count, List<String> ids) {}
