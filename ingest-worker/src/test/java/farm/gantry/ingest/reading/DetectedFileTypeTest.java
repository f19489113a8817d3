package farm.gantry.ingest.reading;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DetectedFileTypeTest {
    @TempDir
    Path folder;

    private DetectedFileType of(String text) throws IOException {
        return DetectedFileType.detect(Files.writeString(folder.resolve("file"), text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "G1X304.8Y11.2E.02\nG1X305Y11E.03\n",
                "N12G1X30Y-5*71\n",
                "G92.1\n",
                "M104S200\n",
                "T0\nG28\n",
                "  G1 X3 Y4\n"
            })
    void gcodeIsRecognizedWithAndWithoutSpaces(String text) throws IOException {
        assertThat(of(text)).isEqualTo(DetectedFileType.GCODE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"G1-ish notes\n", "M4x20 screws\n", "Gcode\n", "cube(3);\n", "T1000model\n"})
    void textIsNotRecognizedAsGcode(String text) throws IOException {
        assertThat(of(text)).isEqualTo(DetectedFileType.TEXT);
    }
}
