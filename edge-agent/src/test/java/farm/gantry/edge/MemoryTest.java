package farm.gantry.edge;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.Id;
import farm.gantry.printer.Printer;
import farm.gantry.simulator.printer.SimulationSpeed;
import farm.gantry.wire.LinkRequest.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Checks the memory use of the packaged agent, which runs on small machines. */
@Tag("full")
@Tag("long")
@EnabledOnOs(OS.LINUX)
class MemoryTest {
    private static final SimulationSpeed SLOW = new SimulationSpeed(0.25, 600.0);
    private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+(\\d+) kB");
    private static final int LARGE = 60 << 20;
    private static final int MAX_GROWTH_MEGABYTES = 60;

    @TempDir
    Path data;

    @Test
    void agentReleasesMemoryAfterLargeUploads() throws Exception {
        try (FakeApi api = new FakeApi();
                PrinterFixture sdcp = PrinterFixture.of(Printer.Provider.sdcp, SLOW, "k1");
                PrinterFixture bambu = PrinterFixture.of(Printer.Provider.vendorA, SLOW, "k2")) {
            api.serve(sdcp.printer(), bambu.printer());
            try (ChildAgent agent = ChildAgent.startPackaged(api, data)) {
                List<String> devices = List.of("k1", "k2");
                devices.forEach(
                        device -> Eventually.until("it is idle", () -> "idle".equals(api.status(device)), api::events));
                long before = resident(agent);
                PrintFile large = large();
                for (String device : devices) {
                    String jobId = Id.next();
                    api.command(device, api.print(jobId, 1, large));
                    Eventually.until("it prints", () -> api.kinds(jobId).contains(Kind.jobStarted), api::events);
                }
                Eventually.until(
                        "the memory is given back",
                        () -> resident(agent) < before + MAX_GROWTH_MEGABYTES,
                        () -> before + " MB before, " + resident(agent) + " MB after");
                assertThat(agent.process().isAlive()).isTrue();
            }
        }
    }

    /** Returns the resident memory of the agent in megabytes. */
    private static long resident(ChildAgent agent) {
        try {
            Matcher matcher = RESIDENT.matcher(
                    Files.readString(Path.of("/proc/" + agent.process().pid() + "/status")));
            assertThat(matcher.find()).isTrue();
            return Long.parseLong(matcher.group(1)) >> 10;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static PrintFile large() {
        Random random = new Random(1);
        StringBuilder text = new StringBuilder(PrintFile.lasting().text());
        while (text.length() < LARGE) {
            text.append("G1 X")
                    .append(random.nextInt())
                    .append(" Y")
                    .append(random.nextInt())
                    .append('\n');
        }
        return new PrintFile("large.gcode", text.toString());
    }
}
