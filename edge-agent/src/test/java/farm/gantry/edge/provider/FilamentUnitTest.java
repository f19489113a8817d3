package farm.gantry.edge.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.edge.PrintFile;
import farm.gantry.edge.PrinterFixture;
import farm.gantry.edge.printer.connection.PrinterConnection;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.job.PrintJob.Slot;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.wire.Command;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks which filaments a Klipper printer with a multi-material unit uses for a print. */
class FilamentUnitTest {
    private static final String FILE = ProviderContract.FILE;
    private static final Map<String, Slot> SWAPPED = Map.of("0", new Slot(0, 1), "1", new Slot(0, 0));

    @Test
    void gateMappingIsSentBeforeThePrintBegins(@TempDir Path folder) throws Exception {
        RecordingListener recording = new RecordingListener();
        try (PrinterFixture fixture = PrinterFixture.firmwareK(PrinterFixture.QUICK, 4);
                PrinterConnection connection = connect(fixture, recording)) {
            upload(connection, folder);
            connection.start(FILE, print(SWAPPED), _ -> {});
            assertThat(fixture.log().tools()).isEqualTo(List.of(List.of(1, 0, 2, 3)));
            assertThat(recording.last().filamentSlots()).hasSize(4);
        }
    }

    @Test
    void secondStartDoesNotChangeTheMappingOfTheRunningPrint(@TempDir Path folder) throws Exception {
        RecordingListener recording = new RecordingListener();
        try (PrinterFixture fixture = PrinterFixture.firmwareK(PrinterFixture.QUICK, 4);
                PrinterConnection connection = connect(fixture, recording)) {
            upload(connection, folder);
            connection.start(FILE, null, _ -> {});
            assertThatThrownBy(() -> connection.start(FILE, print(SWAPPED), _ -> {}))
                    .as("as Moonraker has told it, or as it is asked")
                    .isInstanceOf(Refusal.class)
                    .hasMessageMatching(".*(cannot start a print now|is busy with).*");
            assertThat(fixture.log().scripts()).isEmpty();
        }
    }

    @Test
    void printIsRefusedIfTheUnitRejectsTheMapping(@TempDir Path folder) throws Exception {
        RecordingListener recording = new RecordingListener();
        try (PrinterFixture fixture = PrinterFixture.firmwareK(PrinterFixture.QUICK, 4);
                PrinterConnection connection = connect(fixture, recording)) {
            upload(connection, folder);
            fixture.log().fail("unit-off");
            assertThatThrownBy(() -> connection.start(FILE, print(SWAPPED), _ -> {}))
                    .isInstanceOf(Refusal.class)
                    .hasMessageContaining("did not accept");
            assertThat(fixture.log().starts()).isEmpty();
        }
    }

    @Test
    void printerWithoutAUnitRefusesAnImpossibleMapping(@TempDir Path folder) throws Exception {
        RecordingListener recording = new RecordingListener();
        try (PrinterFixture fixture = PrinterFixture.of(Printer.Provider.firmwareK, PrinterFixture.QUICK);
                PrinterConnection connection = connect(fixture, recording)) {
            upload(connection, folder);
            assertThatThrownBy(() -> connection.start(FILE, print(SWAPPED), _ -> {}))
                    .isInstanceOf(Refusal.class)
                    .hasMessageContaining("cannot print T");
            assertThat(fixture.log().starts()).isEmpty();
            connection.start(FILE, print(Map.of("0", new Slot(0, 0))), _ -> {});
            assertThat(fixture.log().starts()).isEqualTo(List.of(FILE));
            assertThat(fixture.log().scripts()).isEmpty();
        }
    }

    @Test
    void filamentIsLoadedFromTheRequestedGate() throws Exception {
        RecordingListener recording = new RecordingListener();
        try (PrinterFixture fixture = PrinterFixture.firmwareK(PrinterFixture.QUICK, 4);
                PrinterConnection connection = connect(fixture, recording)) {
            connection.send(load(2));
            connection.send(load(3));
            assertThatThrownBy(() -> connection.send(load(7)))
                    .isInstanceOf(Refusal.class)
                    .hasMessageContaining("GATE=7");
            assertThat(fixture.log().scripts().subList(3, 6))
                    .isEqualTo(List.of("MMU_UNLOAD", "MMU_SELECT GATE=3", "MMU_LOAD"));
        }
    }

    private static Command.Send load(int slot) {
        return new Command.Send("load-filament", Map.of("targetSlot", slot));
    }

    private static PrinterConnection connect(PrinterFixture fixture, RecordingListener recording) {
        PrinterConnection connection =
                Providers.of(fixture.printer()).connect(fixture.printer(), PrinterFixture.HOST, recording);
        recording.await(Status.idle);
        return connection;
    }

    private static void upload(PrinterConnection connection, Path folder) throws Exception {
        connection.upload(ProviderContract.file(folder), PrintFile.lasting().sha256(), FILE);
    }

    private static Command.Print print(Map<String, Slot> places) {
        return new Command.Print("j1", 1, FILE, "http://x", 1, "", null, null, 1, null, places, null, null);
    }
}
