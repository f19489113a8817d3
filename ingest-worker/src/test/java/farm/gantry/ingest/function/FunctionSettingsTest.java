package farm.gantry.ingest.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FunctionSettingsTest {
    private static final Map<String, String> MINIMUMS = Map.of(
            "AWS_REGION", "eu-central-1",
            "GANTRY_FILES_BUCKET", "farm-files",
            "GANTRY_QUEUES_STAGE_REPORTS", "https://sqs.example/1/stage-reports.fifo",
            "GANTRY_QUEUES_SLICE_ANSWERS", "https://sqs.example/1/slice-answers");

    private static FunctionSettings settings(String... more) {
        Map<String, String> environment = new HashMap<>(MINIMUMS);
        for (int index = 0; index < more.length; index += 2) {
            environment.put(more[index], more[index + 1]);
        }
        return FunctionSettings.read(environment);
    }

    @Test
    void allMissingSettingsAreNamedInOneMessage() {
        assertThatThrownBy(
                        () -> FunctionSettings.read(Map.of("AWS_REGION", "eu-central-1", "GANTRY_FILES_BUCKET", " ")))
                .hasMessage("the worker cannot start: GANTRY_FILES_BUCKET is not set; "
                        + "GANTRY_QUEUES_STAGE_REPORTS is not set; GANTRY_QUEUES_SLICE_ANSWERS is not set");
    }

    @Test
    void stageReportsNeedAFifoQueue() {
        assertThatThrownBy(() -> settings("GANTRY_QUEUES_STAGE_REPORTS", "https://sqs.example/1/reports"))
                .hasMessageEndingWith("GANTRY_QUEUES_STAGE_REPORTS is not the address of a FIFO queue: "
                        + "https://sqs.example/1/reports");
    }

    @Test
    void misspeltSettingIsRejected() {
        assertThatThrownBy(() -> settings("GANTRY_FILE_BUCKET", "x", "GANTRY_WORKER_TOOLS_", "y", "OTHERS", "z"))
                .hasMessage("the worker cannot start: GANTRY_FILE_BUCKET is not a setting of the worker; "
                        + "GANTRY_WORKER_TOOLS_ is not a setting of the worker");
        assertThatThrownBy(() -> settings("GANTRY_WORKER_TOOLS_HAMMER", "x"))
                .hasMessageEndingWith("GANTRY_WORKER_TOOLS_HAMMER is not a setting of the worker");
        assertThatThrownBy(() -> settings("GANTRY_SLICERS_BUNDLES_SLICER9", "x"))
                .hasMessageEndingWith("GANTRY_SLICERS_BUNDLES_SLICER9 is not a setting of the worker");
    }

    @Test
    void limitThatIsNoPositiveIntegerIsRejected() {
        for (String number : new String[] {"0", "-1", "2 GB", "1e9", "9999999999999999999"}) {
            assertThatThrownBy(() -> settings("GANTRY_WORKER_FILE_BYTES", number))
                    .hasMessageEndingWith("GANTRY_WORKER_FILE_BYTES is not a whole number above 0: " + number);
        }
    }

    @Test
    void requiredSettingsAloneYieldDefaults() {
        FunctionSettings settings = settings();
        assertThat(settings.bucket()).isEqualTo("farm-files");
        assertThat(settings.toolchain().tools().prusaSlicer().command()).containsExactly("prusa-slicer");
        assertThat(settings.toolchain().tools().orcaSlicer()).isNull();
        assertThat(settings.toolchain().limits().fileBytes()).isEqualTo(2L << 30);
        assertThat(settings.folder()).hasFileName("gantry");
    }

    @Test
    void toolsAndLimitsAreReadFromEnvironmentVariables() {
        FunctionSettings settings = settings(
                "GANTRY_WORKER_FOLDER", "/mnt/work",
                "GANTRY_WORKER_FILE_BYTES", "1000",
                "GANTRY_WORKER_TOOL_SECONDS", "60",
                "GANTRY_WORKER_TOOL_MEMORY_BYTES", "2000",
                "GANTRY_WORKER_TOOLS_PRUSA_SLICER", "/opt/prusa --loglevel 1");
        assertThat(settings.folder()).isEqualTo(Path.of("/mnt/work"));
        assertThat(settings.toolchain().limits().fileBytes()).isEqualTo(1000);
        var slicer = settings.toolchain().tools().prusaSlicer();
        assertThat(slicer.command()).containsExactly("/opt/prusa", "--loglevel", "1");
        assertThat(slicer.limits().time()).isEqualTo(Duration.ofMinutes(1));
        assertThat(slicer.limits().memoryBytes()).isEqualTo(2000);
    }
}
