package farm.gantry.api.part;

import farm.gantry.material.Assignment;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Pattern;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The additional field of a part's body: the allowed materials by filament index, in order of preference. */
@Serdeable
record MaterialAssignments(
        @Nullable
        Map<
                        @Pattern(
                                regexp = "0|[1-9][0-9]{0,2}",
                                message = "must be the index of a filament, counted from 0")
                        String,
                        List<@Valid Assignment>>
                assignedMaterials) {}
