package farm.gantry.ingest.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import farm.gantry.part.Part;
import farm.gantry.part.Processing.StageStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Checks that every invalid file of the corpus is rejected by a stage with an error message. */
@EnabledIfSystemProperty(
        named = "corpus",
        matches = ".+",
        disabledReason = "the corpus of real part files is not given (-Dcorpus=…)")
class HostileTest {
    private static final Path CORPUS = Path.of(System.getProperty("corpus", ""));

    /** The faults of these files do not prevent printing them. */
    private static final Set<String> PRINTABLE = Set.of(
            "gcode_thumb_unterminated.gcode",
            "slice_info_garbage.gcode.3mf",
            "scad_cpu_bomb.scad",
            "MultiProperty_Out_incorrect.3mf");

    @TempDir
    Path folder;

    @TestFactory
    Stream<DynamicTest> everyHostileFileIsRejected() throws IOException {
        return Stream.of("hostile", "malformed", "mustfail", "lib3mf_negative")
                .flatMap(name -> files(CORPUS.resolve("files").resolve(name)))
                .filter(file -> !PRINTABLE.contains(file.getFileName().toString()))
                .map(file -> DynamicTest.dynamicTest(
                        file.getFileName().toString(),
                        () -> assertTimeoutPreemptively(Duration.ofMinutes(5), () -> {
                            IngestedPart ingest = IngestedPart.of(folder, file, type(file));
                            assertThat(ingest.last().stage().status()).isEqualTo(StageStatus.failed);
                            assertThat(ingest.last().stage().error())
                                    .isNotBlank()
                                    .doesNotContain("of an unknown kind");
                        })));
    }

    private static Part.Type type(Path file) {
        String name = file.getFileName().toString();
        if (name.endsWith(".stl")) {
            return Part.Type.stl;
        }
        return name.endsWith("gcode") ? Part.Type.gcode : Part.Type.THREE_MF;
    }

    private static Stream<Path> files(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> sorted = files.sorted().toList();
            return sorted.stream();
        } catch (IOException missing) {
            throw new IllegalStateException(missing);
        }
    }
}
