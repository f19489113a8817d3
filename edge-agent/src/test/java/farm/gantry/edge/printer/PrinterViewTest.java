package farm.gantry.edge.printer;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.edge.PrintFile;
import farm.gantry.edge.journal.Job;
import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.state.JobState;
import farm.gantry.edge.printer.state.StartedState;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.wire.Command;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PrinterViewTest {
    private static final Command.Send HOME = new Command.Send("home-axis", Map.of());
    private static final PrinterStatus.File FILE =
            new PrinterStatus.File("cube.gcode", 10, null, null, null, null, null);
    private static final Job JOB = new Job("k1", Instant.MAX, PrintFile.wish(Map.of(), null), "gantry-j1-1-cube.gcode");

    private final PrinterView unreached = PrinterView.notYetReached(JobState.NoJob.UNSEEN);

    @Test
    void printIsAcceptedForAPrinterWithoutAStatusYet() {
        assertThat(unreached.printObjection()).isNull();
    }

    @Test
    void printForAnUnreachablePrinterIsRefused() {
        assertThat(unreached.withDisconnect("it is silent").printObjection())
                .isEqualTo("the printer is offline: it is silent");
    }

    @Test
    void objectionToAPrintDependsOnThePrinterStatus() {
        assertThat(unreached.withStatus(reading(Status.idle)).printObjection()).isNull();
        assertThat(unreached.withStatus(reading(Status.unknown)).printObjection())
                .isEqualTo("the printer is not ready");
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            preparing | home-axis        | false
            printing  | home-axis        | false
            printing  | move-axis        | false
            printing  | select-tool      | false
            printing  | load-filament    | false
            printing  | extrude-filament | false
            printing  | calibration      | false
            printing  | set-temperature  | true
            printing  | gcode            | true
            printing  | emergency-stop   | true
            paused    | home-axis        | false
            paused    | calibration      | false
            paused    | select-tool      | false
            paused    | move-axis        | true
            paused    | unload-filament  | true
            paused    | extrude-filament | true
            finished  | home-axis        | true
            error     | home-axis        | true""", delimiter = '|')
    void movementCommandIsRefusedDuringAPrint(Status status, String command, boolean done) {
        assertThat(unreached.withStatus(reading(status, FILE)).commandObjection(new Command.Send(command, Map.of()))
                        == null)
                .isEqualTo(done);
    }

    @Test
    void preparingPrinterWithoutAFileAcceptsMovement() {
        assertThat(unreached.withStatus(reading(Status.preparing)).commandObjection(HOME))
                .isNull();
    }

    /** The API treats a printer that prepares with a file as printing it, so that levelling must not show the file. */
    @Test
    void levellingAfterAPrintIsNotReportedAsPrinting() {
        PrinterStatus levelling = new PrinterStatus(
                Status.preparing, PrinterStatus.Ending.COMPLETED, null, FILE, Map.of(), List.of(), List.of());
        assertThat(unreached.withStatus(levelling).toPrinterState(Instant.EPOCH).isPrinting())
                .isFalse();
        assertThat(unreached
                        .withStatus(reading(Status.preparing, FILE))
                        .toPrinterState(Instant.EPOCH)
                        .isPrinting())
                .isTrue();
        assertThat(unreached
                        .withStatus(reading(Status.finished, FILE))
                        .toPrinterState(Instant.EPOCH)
                        .hasFile())
                .isTrue();
    }

    @Test
    void movementIsRefusedOnceTheStartWasSent() {
        PrinterView before = unreached.withStatus(reading(Status.idle));
        assertThat(before.withJobState(new StartedState.Starting(JOB, JobState.NoJob.UNSEEN))
                        .commandObjection(HOME))
                .contains("busy with a print");
        assertThat(before.withJobState(new JobState.Preparing(JOB, JobState.NoJob.UNSEEN))
                        .commandObjection(HOME))
                .isNull();
    }

    private static PrinterStatus reading(Status status) {
        return reading(status, null);
    }

    private static PrinterStatus reading(Status status, PrinterStatus.@Nullable File file) {
        return new PrinterStatus(status, null, null, file, Map.of(), List.of(), List.of());
    }
}
