package farm.gantry.edge;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Checks that large uploads do not block the single carrier thread of the packaged agent. */
class LargeFileTest {
    private static final int MAX_WAIT_MILLIS = 250;

    @Test
    @Timeout(600)
    void largeFileUploadDoesNotDelayOtherPrinters(@TempDir Path folder) throws Exception {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Djdk.virtualThreadScheduler.parallelism=1",
                        "-cp",
                        classPath,
                        LargeFileProgram.class.getName(),
                        folder.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            Map<String, Integer> waits = new HashMap<>();
            List<String> lines = process.inputReader().lines().toList();
            lines.stream()
                    .map(line -> line.split(" "))
                    .filter(words -> words.length == 2)
                    .forEach(words -> waits.put(words[0], Integer.valueOf(words[1])));
            assertThat(process.waitFor()).as("%s", lines).isZero();
            assertThat(waits).hasSize(1 + PrinterFixture.MAKES.size());
            assertThat(waits).allSatisfy((_, millis) -> assertThat(millis).isLessThan(MAX_WAIT_MILLIS));
        } finally {
            process.destroyForcibly();
        }
    }
}
