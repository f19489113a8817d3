package farm.gantry.ingest.tool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ToolsTest {
    private static Optional<String> missing(boolean trustsModels, boolean hidesFiles) {
        return Tools.configured(
                        Map.of(),
                        ToolLimits.DEFAULTS,
                        Tools.CAD_TIME,
                        trustsModels,
                        hidesFiles ? new Sandbox(Isolation.BUBBLEWRAP, List.of()) : Sandbox.none())
                .sandboxWarning();
    }

    @Test
    void missingSandboxNamesTheTrustModelsSetting() {
        assertThat(missing(false, false).orElseThrow())
                .contains("bubblewrap", "namespaces", "OpenSCAD, CadQuery, build123d", "are refused")
                .contains(
                        "gantry.worker.allow-unsandboxed-models=true",
                        "GANTRY_WORKER_ALLOW_UNSANDBOXED_MODELS",
                        "models read any file");
    }

    @Test
    void trustedModelsWithoutASandboxRaiseAWarning() {
        assertThat(missing(true, false).orElseThrow())
                .contains("gantry.worker.allow-unsandboxed-models=true runs models")
                .doesNotContain("refused");
    }

    @Test
    void completeSandboxRaisesNoWarning() {
        assertThat(missing(false, true)).isEmpty();
        assertThat(missing(true, true)).isEmpty();
    }
}
