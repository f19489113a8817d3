package farm.gantry.edge.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import farm.gantry.edge.Eventually;
import farm.gantry.edge.printer.Connection;
import farm.gantry.edge.printer.Reading.Ending;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.printer.PrinterState.Status;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every make must do besides whose printers tell of themselves, and not always in order. */
interface PushSessionContract extends ProviderContract {

    @Test
    default void aPrinterThatSaysAllTwiceAndInNoOrderPrintsOnceAndEndsWell(@TempDir Path folder) throws Exception {
        RecordingListener recording = new RecordingListener();
        try (Connection connection = connect(recording)) {
            log().fail("stutter");
            ProviderContract.beginShort(connection, folder);
            recording.await(Status.finished);
            Eventually.until("it stays so", () -> recording.shows(reading -> reading.ending() == Ending.COMPLETED));
            assertThat(log().starts()).isEqualTo(List.of(FILE));
        }
    }

    /** Of some makes nobody knows how. */
    default boolean tellsOfNoRoom() {
        return true;
    }

    @Test
    default void noRoomForAFileIsRefused(@TempDir Path folder) throws Exception {
        assumeThat(tellsOfNoRoom()).isTrue();
        RecordingListener recording = new RecordingListener();
        try (Connection connection = connect(recording)) {
            log().fail("full");
            Path file = ProviderContract.file(folder);
            assertThatThrownBy(() -> connection.upload(file, "", FILE)).isInstanceOf(Refusal.class);
            assertThat(log().starts()).isEmpty();
        }
    }
}
