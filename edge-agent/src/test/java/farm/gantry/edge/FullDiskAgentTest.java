package farm.gantry.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import farm.gantry.printer.Printer;
import farm.gantry.simulator.printer.SimulationSpeed;
import farm.gantry.wire.Command;
import farm.gantry.wire.LinkRequest.Ack;
import farm.gantry.wire.LinkRequest.Kind;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs an agent on a full disk of its own, then frees space. Skipped if the user may not mount a tmpfs. */
@Tag("full")
class FullDiskAgentTest {
    /** The size of the disk, including the space that the agent reserves for its journal. */
    private static final String SIZE = "size=80m";

    private static final int MEGABYTE = 1 << 20;
    /** This many commands exceed the free space in the last page of a file on a full disk. */
    private static final int COMMANDS = 60;

    private static final String JOB = "j1";

    @TempDir
    Path disk;

    @BeforeEach
    void mount() throws Exception {
        assumeThat(run("mount", "-t", "tmpfs", "-o", SIZE, "gantry-test", disk.toString()))
                .as("this user may mount a tmpfs")
                .isTrue();
    }

    @AfterEach
    void unmount() throws Exception {
        run("umount", disk.toString());
    }

    private static boolean run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command).start().waitFor() == 0;
    }

    static Stream<Arguments> stops() {
        return Stream.of(
                Arguments.of(new Command.Cancel(JOB, 1), "cancelled", Kind.jobCancelled),
                Arguments.of(new Command.Pause(JOB, 1), "paused", Kind.jobPaused),
                Arguments.of(new Command.Send("emergency-stop", Map.of()), "shutdown", Kind.jobFailed));
    }

    @ParameterizedTest
    @MethodSource("stops")
    void stopOnAFullDiskIsCarriedOutAndReportedAfterACrash(Command.Action stop, String state, Kind expected)
            throws Exception {
        Path data = Files.createDirectory(disk.resolve("data"));
        try (FakeApi api = new FakeApi();
                PrinterFixture printer = PrinterFixture.of(Printer.Provider.firmwareK, new SimulationSpeed(60, null))) {
            SimulatorLog log = printer.log();
            api.serve(printer.printer());
            String command;
            try (ChildAgent _ = ChildAgent.start(api, data, "")) {
                Eventually.until("the printer is idle", () -> "idle".equals(api.status(PrinterFixture.DEVICE)));
                api.command(PrinterFixture.DEVICE, api.print(JOB, 1, PrintFile.lasting()));
                Eventually.until("it prints", () -> "printing".equals(api.status(PrinterFixture.DEVICE)));
                fill();
                for (int i = 0; i < COMMANDS; i++) {
                    api.command(PrinterFixture.DEVICE, new Command.Send("unheard-of", Map.of()));
                }
                command = api.command(PrinterFixture.DEVICE, stop);
                Eventually.until("it is stopped", () -> log.state().equals(state), log::state);
                assertThat(api.acks()).extracting(Ack::commandId).doesNotContain(command);
            }
            Files.delete(disk.resolve("rest"));
            try (ChildAgent _ = ChildAgent.start(api, data, "")) {
                Eventually.until("its end is reported", () -> api.kinds(JOB).contains(expected), api::events);
                Eventually.until(
                        "the stop is acknowledged",
                        () -> api.acks().stream()
                                .anyMatch(ack -> ack.commandId().equals(command)),
                        api::acks);
            }
            assertThat(log.state()).isEqualTo(state);
            assertThat(log.starts()).hasSize(1);
        }
    }

    private void fill() throws IOException {
        try (OutputStream rest = Files.newOutputStream(disk.resolve("rest"))) {
            while (true) {
                rest.write(new byte[MEGABYTE]); // The last write fails when the disk is full.
            }
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("No space left");
        }
    }
}
