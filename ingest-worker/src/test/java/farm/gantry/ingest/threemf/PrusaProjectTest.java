package farm.gantry.ingest.threemf;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.ingest.sample.ThreemfFiles;
import farm.gantry.ingest.threemf.archive.ThreemfArchive;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrusaProjectTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"config", "x:config", "x:model", "model"})
    void forbiddenSettingIsDroppedUnderAnyRootElement(String root) throws IOException {
        Path project = ThreemfFiles.core("")
                .with(
                        "Metadata/Slic3r_PE_model.config",
                        "<" + root + "><object id=\"1\"><metadata type=\"object\" key=\"post_process\" value=\"sh\"/>"
                                + "<x:metadata key=\"post_process\" value=\"sh\"/><metadata key=\"name\" value=\"Box\"/>"
                                + "</object></" + root + ">")
                .write(folder);
        Path copy = folder.resolve("copy.3mf");
        PrusaProject.copy(project, key -> !key.equals("post_process"), copy);
        try (ThreemfArchive archive = ThreemfArchive.open(copy)) {
            assertThat(new String(archive.read("Metadata/Slic3r_PE_model.config", 1 << 20), StandardCharsets.UTF_8))
                    .contains("Box")
                    .doesNotContain("post_process");
        }
    }
}
