package farm.gantry.api.part;

import farm.gantry.material.Assignment;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Pattern;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a part's body says beside the part: the index of a filament to its choices, the first one first. */
@Serdeable
record AssignedMaterials(
        @Nullable Map<@Pattern(regexp = "0|[1-9][0-9]{0,2}") String, List<@Valid Assignment>> assignedMaterials) {}
