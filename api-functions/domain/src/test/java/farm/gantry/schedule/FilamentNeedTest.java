package farm.gantry.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.part.SlicingEstimate;
import farm.gantry.part.SlicingEstimate.Material;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FilamentNeedTest {
    private static FilamentNeed of(@Nullable Double... grams) {
        List<Material> materials = new ArrayList<>();
        for (Double one : grams) {
            materials.add(new Material(materials.size(), "PLA", one, 1, null));
        }
        return FilamentNeed.of(
                new SlicingEstimate(600, null, "2026-01-01T00:00:00Z", "x", materials, null, null, null, null, null),
                null,
                null);
    }

    @Test
    void filamentOfUnknownWeightCountsAsUsed() {
        FilamentNeed need = of(5.0, null);
        assertThat(need.uses(0)).isTrue();
        assertThat(need.uses(1)).isTrue();
        assertThat(need.total()).isNull();
        assertThat(of(5.0, 0.0).uses(1)).isFalse();
    }
}
