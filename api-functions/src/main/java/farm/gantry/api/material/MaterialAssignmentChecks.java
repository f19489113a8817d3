package farm.gantry.api.material;

import farm.gantry.api.error.Faults;
import farm.gantry.material.Assignment;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Validates choices of material by filament index. */
public final class MaterialAssignmentChecks {
    private MaterialAssignmentChecks() {}

    /** Checks that each choice names exactly one kind of filament. */
    public static void check(Faults faults, String path, @Nullable Map<String, List<Assignment>> choices) {
        if (choices != null) {
            choices.forEach((index, ofIndex) -> {
                for (int i = 0; i < ofIndex.size(); i++) {
                    check(faults, path + "." + index + "[" + i + "]", ofIndex.get(i));
                }
            });
        }
    }

    static void check(Faults faults, String at, Assignment choice) {
        if (!choice.hasExactlyOneChoice()) {
            faults.add(at, "invalid", at + " must have one of materialId, variantId, materialType and groupId");
        }
    }
}
