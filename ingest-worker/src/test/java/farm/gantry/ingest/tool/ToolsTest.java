package farm.gantry.ingest.tool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ToolsTest {
    private static Optional<String> missing(boolean trustsModels, boolean hidesFiles) {
        return Tools.configured(Map.of(), Tool.Limits.DEFAULTS, Tools.CAD_TIME, trustsModels)
                .sandboxWarning(hidesFiles);
    }

    @Test
    void whereNoWallsStandTheSettingThatDoesWithoutIsNamed() {
        assertThat(missing(false, false).orElseThrow())
                .contains("bubblewrap", "namespaces", "OpenSCAD", "outside their own folder are refused")
                .contains("gantry.worker.trust-models=true", "GANTRY_WORKER_TRUST_MODELS", "lets models read any file");
    }

    @Test
    void modelsThatAreTrustedReadAnyFileAllTheSame() {
        assertThat(missing(true, false).orElseThrow())
                .contains("gantry.worker.trust-models=true lets models")
                .doesNotContain("refused");
    }

    @Test
    void whereWallsStandThereIsNothingToSay() {
        assertThat(missing(false, true)).isEmpty();
        assertThat(missing(true, true)).isEmpty();
    }
}
