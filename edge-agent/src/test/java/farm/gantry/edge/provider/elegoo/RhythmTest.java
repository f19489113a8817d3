package farm.gantry.edge.provider.elegoo;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.edge.FakeApi;
import farm.gantry.edge.Patience;
import farm.gantry.edge.PrintFile;
import farm.gantry.edge.SimulatorLog;
import farm.gantry.edge.printer.Connection;
import farm.gantry.edge.printer.Provider;
import farm.gantry.edge.printer.Reading;
import farm.gantry.edge.provider.elegoo.Conversation.Rhythm;
import farm.gantry.edge.simulator.ElegooSimulator;
import farm.gantry.edge.simulator.Pace;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RhythmTest {
    private static final Duration SOON = Duration.ofMillis(200);
    private static final Duration LATER = Duration.ofMillis(900);
    private static final Duration NEVER = Duration.ofHours(1);
    private static final String FILE = "gantry-j1-1-cube.gcode";

    private final List<String> heard = new CopyOnWriteArrayList<>();
    private final ElegooSimulator simulator = new ElegooSimulator(0, new Pace(60, 6_000.0), "E1", "code", LATER);
    private final SimulatorLog log = new SimulatorLog(simulator.port());

    @AfterEach
    void close() {
        simulator.close();
    }

    @Test
    void aPrinterThatIsPingedKeepsTheLine() {
        try (Connection _ = connect(new Rhythm(SOON, SOON, NEVER))) {
            Patience.until("it is seen often", () -> heard.size() > 12, () -> heard);
            assertThat(heard).doesNotContain("the printer hung up").containsOnlyOnce("seen first");
        }
    }

    @Test
    void aPrinterThatIsNotPingedHangsUp() {
        try (Connection _ = connect(new Rhythm(NEVER, NEVER, NEVER))) {
            Patience.until("it is seen twice", () -> heard.lastIndexOf("seen first") > 0, () -> heard);
        }
    }

    @Test
    void aPrinterThatSaysNothingIsGivenUpUntilItSpeaks() {
        try (Connection _ = connect(new Rhythm(SOON, SOON, LATER))) {
            Patience.until("it is seen", () -> heard.contains("seen first"), () -> heard);
            log.fail("silent");
            Patience.until("it is given up", () -> heard.contains("the printer has nothing to say"), () -> heard);
            log.recover();
            Patience.until("it is seen", () -> heard.getLast().startsWith("seen"), () -> heard);
        }
    }

    @Test
    void aPauseAfterWhichNothingChangesIsFoundOutThoughItsTellingIsLost(@TempDir Path folder) throws Exception {
        Path file = Files.write(folder.resolve("cube.gcode"), PrintFile.cube().content());
        try (Connection connection = connect(new Rhythm(SOON, SOON, NEVER))) {
            Patience.until("it is seen", () -> heard.contains("seen first"), () -> heard);
            connection.upload(file, "", FILE);
            connection.start(FILE);
            log.fail("changes-lost");
            log.fail("filament-runout");
            Patience.until("it is found out", () -> heard.contains("seen paused"), () -> heard);
        }
    }

    private Connection connect(Rhythm rhythm) {
        return new Elegoo(rhythm).connect(FakeApi.elegoo("E1", simulator.port(), "code"), new Diary());
    }

    private final class Diary implements Provider.Listener {

        @Override
        public void saw(Reading reading, boolean afterGap) {
            heard.add(afterGap ? "seen first" : "seen " + reading.status());
        }

        @Override
        public void lost(String reason) {
            heard.add(reason);
        }
    }
}
