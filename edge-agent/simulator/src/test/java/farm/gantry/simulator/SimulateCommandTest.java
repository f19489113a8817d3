package farm.gantry.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.json.Json;
import farm.gantry.simulator.printer.SimulationSpeed;
import farm.gantry.simulator.sdcp.SdcpSimulator;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;

/** Runs the simulators' command line in the process of the test. */
class SimulateCommandTest {
    @ParameterizedTest
    @EnumSource
    void commandPrintsRunningPrintersAsTextAndJson(SimulateCommand.SimulatedProvider make) throws Exception {
        List<String> text = lines("--make", make.name());
        List<String> json = lines("--make", make.name(), "--json");
        for (int i = 0; i < 2; i++) {
            Map<String, Object> printer = Json.tree(json.get(i));
            String[] words = text.get(i).split(" ", -1);
            assertThat(printer.get("make")).isEqualTo(make.name());
            assertThat(String.valueOf(printer.get("address"))).matches("[a-z]+://127\\.0\\.0\\.1:\\d+");
            assertThat(printer.get("id")).isEqualTo(words.length == 1 ? null : words[1]);
        }
    }

    @Test
    void unavailablePortIsReported() {
        try (SdcpSimulator first = new SdcpSimulator(0, new SimulationSpeed(1, null), "first")) {
            StringWriter output = new StringWriter();
            CommandLine line = SimulateCommand.commandLine().setErr(new PrintWriter(output, true));
            assertThat(line.execute("--make", "sdcp", "--port", String.valueOf(first.port())))
                    .isEqualTo(CommandLine.ExitCode.SOFTWARE);
            assertThat(output.toString()).startsWith("Port " + first.port() + " cannot be used");
        }
    }

    /** Returns the lines that the command prints for two printers, and stops it. */
    private static List<String> lines(String... options) throws IOException, InterruptedException {
        try (PipedReader output = new PipedReader();
                BufferedReader lines = new BufferedReader(output)) {
            CommandLine line = SimulateCommand.commandLine()
                    .setOut(new PrintWriter(new PipedWriter(output), true))
                    .setErr(new PrintWriter(Writer.nullWriter())); // It reports the interruption.
            List<String> arguments = new ArrayList<>(List.of("--count", "2", "--port", "0"));
            arguments.addAll(List.of(options));
            Thread running = Thread.ofVirtual().start(() -> line.execute(arguments.toArray(String[]::new)));
            List<String> two = List.of(lines.readLine(), lines.readLine());
            running.interrupt();
            running.join();
            return two;
        }
    }
}
