package farm.gantry.edge.provider.prusalink;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.edge.Eventually;
import farm.gantry.edge.PrintFile;
import farm.gantry.edge.PrinterFixture;
import farm.gantry.edge.SimulatorLog;
import farm.gantry.edge.http.PrinterRequest;
import farm.gantry.edge.printer.connection.PrinterConnection;
import farm.gantry.edge.printer.connection.PrinterConnection.RecordedEnding;
import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.connection.PrinterStatus.Ending;
import farm.gantry.edge.provider.RecordingListener;
import farm.gantry.edge.time.Uptime;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.simulator.printer.SimulationSpeed;
import farm.gantry.simulator.prusalink.PrusaLinkSimulator.Generation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Prints that end while PrusaLink is unreachable for longer than it shows an end. */
class UnseenEndTest {
    private static final String FILE = "gantry-1-1.gcode";
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration MOMENT = Duration.ofSeconds(12);

    private final AtomicReference<Duration> later = new AtomicReference<>(Duration.ZERO);

    @TempDir
    Path folder;

    @Test
    void printIsCompletedIfItsEndWasDueWhileThePrinterWasUnreachable() throws Exception {
        assertThat(recalled(Generation.RASPBERRY, HOUR, "finished"))
                .get()
                .satisfies(end -> assertThat(end.ending()).isEqualTo(Ending.COMPLETED))
                .satisfies(end -> assertThat(end.reason()).contains("its end was not observed"));
    }

    @Test
    void printIsNotCompletedWhenItEndedBeforeItWasDue() throws Exception {
        assertThat(recalled(Generation.RASPBERRY, MOMENT, "finished")).isEmpty();
    }

    @Test
    void printIsNotCompletedWhenTheServerWasRestartedMeanwhile() throws Exception {
        assertThat(recalled(Generation.RASPBERRY, HOUR, "reboot")).isEmpty();
    }

    @Test
    void printIsNotCompletedWhenTheFirmwareWasRestarted() throws Exception {
        assertThat(recalled(Generation.FIRMWARE, HOUR, "reboot")).isEmpty();
    }

    @Test
    void printIsNotCompletedWhenTheAgentHadCancelledIt() throws Exception {
        assertThat(recalled(Generation.RASPBERRY, HOUR, "")).isEmpty();
    }

    /**
     * Returns the recalled end of a print after an outage with this event; without an event, the agent cancels it
     * first.
     */
    private Optional<RecordedEnding> recalled(Generation generation, Duration outage, String event) throws Exception {
        PrusaLinkProvider provider = new PrusaLinkProvider(
                null, PrinterRequest.QUERY_TIMEOUT, () -> Uptime.withSleep().plus(later.get()));
        RecordingListener recording = new RecordingListener();
        try (PrinterFixture fixture = PrinterFixture.vendorP(new SimulationSpeed(30, 2_000.0), generation);
                PrinterConnection connection = provider.connect(fixture.printer(), PrinterFixture.HOST, recording)) {
            recording.await(Status.idle);
            SimulatorLog printer = fixture.log();
            connection.upload(
                    Files.write(folder.resolve(FILE), PrintFile.lasting().content()), "", FILE);
            connection.start(FILE, null, _ -> {});
            printer.fail("warmed-up");
            Eventually.until(
                    "it reports its remaining time", () -> recording.shows(UnseenEndTest::reportsRemainingTime));
            if (event.isEmpty()) {
                connection.cancel();
            }
            printer.fail("offline");
            Eventually.until("it is lost", () -> recording.losses() > 0);
            if (!event.isEmpty()) {
                printer.fail(event);
            }
            printer.fail("end-forgotten");
            later.set(outage);
            printer.recover();
            Eventually.until("it is at rest", () -> recording.shows(reading -> reading.status() == Status.idle));
            return connection.findRecordedEnding(FILE);
        }
    }

    private static boolean reportsRemainingTime(PrinterStatus reading) {
        PrinterStatus.File file = reading.file();
        return reading.status() == Status.printing && file != null && file.remainingSeconds() != null;
    }
}
