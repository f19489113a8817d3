package farm.gantry.api.main.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the rotation of the log of a long-running process. */
public final class ChildProcessTest {
    @TempDir
    Path folder;

    /** A program that writes a line, and another one when a file exists. */
    public static final class Writer {
        private Writer() {}

        public static void main(String[] arguments) {
            System.out.println("first line");
            while (!Files.exists(Path.of(arguments[0]))) {
                LockSupport.parkNanos(1_000_000);
            }
            System.out.println("second line");
        }
    }

    @Test
    void largeLogIsRotatedWhileTheChildRuns() throws IOException, InterruptedException {
        Path more = folder.resolve("more");
        try (ChildProcess child = ChildProcess.start(
                "child", folder, ChildProcess.SMALL_JVM_OPTIONS, Writer.class.getName(), List.of(more.toString()))) {
            child.awaitLine("first");
            assertThat(child.newLines("first")).containsExactly("line");
            child.rotateLog(1000);
            assertThat(child.log()).as("still small").content().contains("first line");
            child.rotateLog(5);
            assertThat(child.log()).isEmptyFile();
            Path before = folder.resolve("child.previous.log");
            assertThat(before).content().contains("first line");
            assertThat(Files.getPosixFilePermissions(before))
                    .isEqualTo(Files.getPosixFilePermissions(child.log()))
                    .hasSize(2);
            Files.createFile(more);
            child.handle().onExit().join();
            assertThat(child.log()).hasContent("second line");
            assertThat(child.newLines("second")).containsExactly("line");
        }
    }
}
