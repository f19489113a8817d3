package farm.gantry.api.builds;

import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.Size;
import java.util.List;

/** The builds to put away. */
@Serdeable
record ArchiveRequest(@Size(min = 1, max = 1000) List<String> ids) {}
