package farm.gantry.ingest.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks which files tools see in sandboxes of bubblewrap and of namespaces. */
class SandboxTest {
    private static final ToolLimits LIMITS = new ToolLimits(Duration.ofMinutes(1), 1L << 30, 1 << 20);

    @TempDir
    Path folder;

    private String output(Isolation isolation, List<Path> hidden, List<String> command, String... arguments)
            throws IOException {
        assumeTrue(Sandbox.runs(isolation), isolation + " does not work on this machine");
        return new Tool("The shell", command, LIMITS, new Sandbox(isolation, hidden)).run(folder, List.of(arguments));
    }

    private String output(Isolation isolation, List<Path> hidden, String script) throws IOException {
        return output(isolation, hidden, List.of("sh", "-c"), script);
    }

    private static Path newFolder(String parent) throws IOException {
        Path above = Path.of(parent);
        assumeTrue(Files.isWritable(above), "this user may not write to " + parent);
        return Files.createTempDirectory(above, parent.equals("/") ? ".gantry-test-" : "gantry-test-");
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }

    private static Stream<Arguments> places() {
        return Stream.of(Isolation.BUBBLEWRAP, Isolation.NAMESPACES)
                .flatMap(isolation -> Stream.of(
                                "/",
                                "/opt",
                                "/usr",
                                "/usr/lib",
                                "/usr/local",
                                "/usr/local/lib",
                                "/srv",
                                "/home",
                                "/mnt",
                                "/dev/shm")
                        .map(place -> Arguments.of(isolation, place)));
    }

    @ParameterizedTest
    @MethodSource("places")
    void hiddenFolderIsInvisibleAtAnyPath(Isolation isolation, String place) throws IOException {
        Path data = newFolder(place);
        try {
            Files.writeString(data.resolve("pepper"), "secret");
            String script = "cat " + data + "/pepper /proc/1/root" + data + "/pepper 2>&1 || true; [ -x /usr/bin/env ]";
            assertThat(output(isolation, List.of(data), script))
                    .contains("No such file")
                    .doesNotContain("secret");
        } finally {
            delete(data);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"BUBBLEWRAP", "NAMESPACES"})
    void toolSeesOnlyItsFolderAndTheSystem(Isolation isolation) throws IOException {
        Path plain = Path.of("/gantry-test.json");
        assumeTrue(Files.isWritable(plain.getParent()), "this user may not write to /");
        Files.writeString(plain, "secret");
        try {
            assertThat(output(isolation, List.of(), "ls -A /; ls -A /dev/shm; ls -A /opt || true")
                            .lines())
                    .isSubsetOf(
                            "bin",
                            "dev",
                            "etc",
                            "lib",
                            "lib32",
                            "lib64",
                            "mnt",
                            "opt",
                            "proc",
                            "sbin",
                            "tmp",
                            "usr",
                            "ls: cannot access '/opt': No such file or directory");
        } finally {
            Files.delete(plain);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"BUBBLEWRAP", "NAMESPACES"})
    void toolCannotUncoverAHiddenFolder(Isolation isolation) throws IOException {
        Path data = newFolder("/usr/lib");
        try {
            Files.writeString(data.resolve("pepper"), "secret");
            assertThat(output(isolation, List.of(data), "umount " + data + "; cat " + data + "/pepper || true"))
                    .doesNotContain("secret");
            assertThat(output(isolation, List.of(), "touch /usr/bin/gantry-test || true"))
                    .contains("Read-only");
        } finally {
            delete(data);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"BUBBLEWRAP", "NAMESPACES"})
    void operatorScriptIsVisibleWithoutTheDataBesideIt(Isolation isolation) throws IOException {
        Path checkout = newFolder("/opt");
        Path data = Files.createDirectory(checkout.resolve("data"));
        try {
            Files.writeString(data.resolve("pepper"), "secret");
            Path script = Files.writeString(checkout.resolve("run.sh"), "echo ran; cat " + data + "/pepper || true");
            String output = output(isolation, List.of(data), List.of("sh"), script.toString());
            assertThat(output).contains("ran").doesNotContain("secret");
            assertThat(output(isolation, List.of(checkout), List.of("sh"), script.toString()))
                    .contains("ran")
                    .doesNotContain("secret");
        } finally {
            delete(data);
            delete(checkout);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"BUBBLEWRAP", "NAMESPACES"})
    void programInOptIsVisibleWithItsFiles(Isolation isolation) throws IOException {
        Path program = newFolder("/opt");
        Path bin = Files.createDirectory(program.resolve("bin"));
        try {
            Files.writeString(program.resolve("resources"), "its profiles");
            Path run = Files.writeString(bin.resolve("run"), "#!/bin/sh\ncat " + program + "/resources\n");
            assertThat(run.toFile().setExecutable(true)).isTrue();
            assertThat(output(isolation, List.of(), List.of(run.toString()))).isEqualTo("its profiles");
        } finally {
            delete(bin);
            delete(program);
        }
    }
}
