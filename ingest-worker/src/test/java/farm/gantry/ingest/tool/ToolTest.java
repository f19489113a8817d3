package farm.gantry.ingest.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import farm.gantry.ingest.reading.BadFileException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ToolTest {
    private static final ToolLimits SMALL = new ToolLimits(Duration.ofMinutes(1), 1L << 30, 1 << 16);

    @TempDir
    Path folder;

    private void run(String script) throws IOException {
        run(script, SMALL);
    }

    private void run(String script, ToolLimits limits) throws IOException {
        new Tool("The shell", List.of("sh", "-c"), limits).run(folder, List.of(script));
    }

    @Test
    void toolRunsInItsFolder() throws IOException {
        Files.writeString(folder.resolve("in"), "hello");
        run("cat in > out");
        assertThat(folder.resolve("out")).hasContent("hello");
    }

    @Test
    void toolRunsWithAFileSystemMountedInItsFolder() throws IOException, InterruptedException {
        String mounted = Files.createDirectory(folder.resolve("mounted")).toString();
        assumeTrue(runs("mount", "-t", "tmpfs", "gantry-test", mounted), "this user may not mount a file system");
        try {
            run("echo hello > out");
            assertThat(folder.resolve("out")).hasContent("hello");
        } finally {
            assertThat(runs("umount", mounted)).isTrue();
        }
    }

    private static boolean runs(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command).start().waitFor() == 0;
    }

    @Test
    void toolOutputIsHiddenFromCallers() {
        assertThatExceptionOfType(BadFileException.class)
                .isThrownBy(() -> run("echo \"WARNING: Ignoring unknown variable 'the_pepper'\" >&2; exit 3"))
                .withMessage("The shell could not read the file. The log of the worker holds its messages");
        assertThatExceptionOfType(BadFileException.class)
                .isThrownBy(() -> run("yes the_pepper", ToolLimits.DEFAULTS))
                .withMessage("The shell could not read the file: it wrote more than 1 MB of messages");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ERROR: Parser error: syntax error in file in.scad, line 2|the syntax is wrong in line 2
            ERROR: Parser error: syntax error in file /mnt/lid.scad, line 7|the syntax is wrong in line 7 of lid.scad
            ERROR: Recursion detected calling module 'm' in file in.scad, line 1|a module or function calls itself without end in line 1
            WARNING: Bad range parameter in for statement: too many elements (9) in file in.scad, line 3|a loop has too many elements in line 3
            terminate called after throwing an instance of 'std::bad_alloc'|it needs more memory than it may use
            No layers were detected. You might want to repair|the part has no layers: it is flat, or thinner than one layer
            """)
    void knownCauseOfAFailureIsExplained(String output, String cause) {
        String later = "Geometries in cache: 1\nCurrent top level object is empty.";
        assertThatExceptionOfType(BadFileException.class)
                .isThrownBy(() -> run("cat <<'E'\n" + output + "\n" + later + "\nE\nexit 1"))
                .withMessage("The shell could not read the file: " + cause);
    }

    @Test
    void crashOfAToolIsReported() {
        assertThatExceptionOfType(BadFileException.class)
                .isThrownBy(() -> run("sh -c 'kill -SEGV $$'; exit $?")) // the first process of a namespace ignores it
                .withMessage("The shell could not read the file: it crashed");
    }

    @Test
    void linkInPlaceOfTheLogFileIsNotFollowed(@TempDir Path elsewhere) throws IOException {
        Path secret = Files.writeString(elsewhere.resolve("secret"), "the pepper");
        String link = "rm -f tool.log; ln -s " + secret + " tool.log; ";
        assertThatExceptionOfType(BadFileException.class)
                .isThrownBy(() -> run(link + "exit 1"))
                .withMessageNotContaining("pepper");
        run("true");
        assertThat(secret).hasContent("the pepper");
    }

    @Test
    void partTooLargeForThePrintVolumeIsReported() {
        assertThatExceptionOfType(BadFileException.class)
                .isThrownBy(() -> run("echo 'All objects are outside of the print volume.'; exit 1"))
                .withMessageStartingWith("The part does not fit the print volume");
    }

    @Test
    void missingToolIsReportedAsNotInstalled() {
        assertThatExceptionOfType(BadFileException.class)
                .isThrownBy(() -> new Tool("CADzilla", List.of("cadzilla-of-nowhere"), SMALL).run(folder, List.of()))
                .withMessage("CADzilla is not installed where parts are read");
    }

    /** A busy machine may not start the tool in time; then the timeout is doubled. */
    @Test
    void toolThatTimesOutIsKilledWithItsChildren() {
        for (int seconds = 2; !Files.exists(folder.resolve("started")); seconds *= 2) {
            var limits = new ToolLimits(Duration.ofSeconds(seconds), SMALL.memoryBytes(), SMALL.fileBytes());
            assertThatExceptionOfType(BadFileException.class)
                    .isThrownBy(() -> run("sleep 47.11 & echo > started; sleep 47.11", limits))
                    .withMessageContaining(
                            "did not finish within " + limits.time().toSeconds() + " seconds");
            assertThat(ProcessHandle.current().descendants()).isEmpty();
            assertThat(ProcessHandle.allProcesses()
                            .filter(ProcessHandle::isAlive)
                            .map(process -> process.info().commandLine().orElse("")))
                    .noneMatch(command -> command.contains("47.11"));
        }
    }

    @Test
    void toolCannotExceedItsFileSizeLimit() {
        assumeTrue(Sandbox.hidingFolders(List.of()).isComplete(), "the system does not let a user build walls here");
        assertThatExceptionOfType(BadFileException.class)
                .isThrownBy(() -> run("head -c 200000 /dev/zero > out || exit 1"));
        assertThat(folder.resolve("out")).hasSize(SMALL.fileBytes());
    }

    @Test
    void toolSeesOnlyItsOwnFilesAndNoNetwork() throws IOException {
        assumeTrue(Sandbox.hidingFolders(List.of()).isComplete(), "the system does not let a user build walls here");
        Path secret = Files.writeString(folder.resolveSibling("secret"), "of another store");
        try {
            run("cat /etc/passwd > passwords 2>/dev/null; ls /etc > settings; cat " + secret.toAbsolutePath()
                    + " > stolen 2>/dev/null; ls /root > home 2>/dev/null; wc -l < /proc/net/dev > net");
            assertThat(folder.resolve("stolen")).isEmptyFile();
            assertThat(folder.resolve("home")).isEmptyFile();
            assertThat(folder.resolve("passwords")).isEmptyFile();
            assertThat(Files.readAllLines(folder.resolve("settings")))
                    .isSubsetOf("alternatives", "fonts", "ld.so.cache");
            assertThat(Files.readString(folder.resolve("net")).strip()).isEqualTo("3");
        } finally {
            Files.delete(secret);
        }
    }

    @Test
    void operatorCommandOutsideTheSystemFoldersRuns() throws IOException {
        Path script = Files.writeString(folder.resolveSibling("script-" + folder.getFileName()), "cat in > out");
        try {
            Files.writeString(folder.resolve("in"), "hello");
            new Tool("The script", List.of("sh", script.toAbsolutePath().toString()), SMALL).run(folder, List.of());
            assertThat(folder.resolve("out")).hasContent("hello");
        } finally {
            Files.delete(script);
        }
    }

    @Test
    void unknownToolInTheSettingsIsRejected() {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> Tools.configured(Map.of("blender", "blender -b"), SMALL, Tools.CAD_TIME, false))
                .withMessageContaining("blender");
        assertThat(Tools.configured(Map.of("cadquery", "python3 run.py"), SMALL, Tools.CAD_TIME, false)
                        .cadquery())
                .extracting(tool -> tool == null ? List.of() : tool.command())
                .isEqualTo(List.of("python3", "run.py"));
    }
}
