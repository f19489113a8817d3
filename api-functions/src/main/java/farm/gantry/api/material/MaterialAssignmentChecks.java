package farm.gantry.api.material;

import farm.gantry.api.error.Faults;
import farm.gantry.material.Assignment;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Choices of material, by the index of the filament they are for. */
public final class MaterialAssignmentChecks {
    private MaterialAssignmentChecks() {}

    /** Each says one thing to print with. */
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
            faults.add(at, "invalid", at + " must say one of materialId, variantId, materialType and groupId");
        }
    }
}
