package farm.gantry.edge.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import farm.gantry.edge.Eventually;
import farm.gantry.edge.PrintFile;
import farm.gantry.edge.printer.connection.PrinterConnection;
import farm.gantry.edge.printer.connection.PrinterStatus.Ending;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.printer.PrinterState.Status;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The additional contract of providers whose printers push their status, possibly out of order. */
interface PushSessionContract extends ProviderContract {

    @Test
    default void printCompletesOnceDespiteDuplicateAndReorderedMessages(@TempDir Path folder) throws Exception {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            log().fail("stutter");
            ProviderContract.beginShort(connection, folder);
            recording.await(Status.finished);
            Eventually.until("it stays so", () -> recording.shows(reading -> reading.ending() == Ending.COMPLETED));
            assertThat(log().starts()).isEqualTo(List.of(FILE));
        }
    }

    /** A print at the screen has used the bed since the last status. */
    @Test
    default void startIsDecidedByAFreshStatus(@TempDir Path folder) throws Exception {
        assertStartUsesAFreshStatus(folder);
    }

    default void assertStartUsesAFreshStatus(Path folder) throws Exception {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            ProviderContract.upload(connection, folder);
            Path other = ProviderContract.file(folder);
            connection.upload(other, PrintFile.lasting().sha256(), OTHER_FILE);
            log().fail("changes-untold");
            log().fail("started-at-screen");
            log().fail("finished");
            assertThatThrownBy(() -> connection.start(FILE, null, now -> {
                        throw new Refusal(now.status() + " " + now.fileName());
                    }))
                    .isInstanceOf(Refusal.class)
                    .hasMessageContaining(Status.finished + " " + OTHER_FILE);
            assertThat(log().starts()).isEqualTo(List.of(OTHER_FILE));
        }
    }

    @Test
    default void startIsRefusedIfTheStatusQueryIsUnanswered(@TempDir Path folder) throws Exception {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            ProviderContract.upload(connection, folder);
            log().fail("silent");
            assertThatThrownBy(() -> connection.start(FILE, null, _ -> {
                        throw new IllegalStateException("nothing is known to decide by");
                    }))
                    .isInstanceOf(Refusal.class)
                    .hasMessageContaining("was not answered in");
            assertThat(log().starts()).isEmpty();
        }
    }

    /** Returns whether the printer reports full storage; for some makes this is not documented. */
    default boolean reportsFullStorage() {
        return true;
    }

    @Test
    default void uploadIsRefusedOnFullStorage(@TempDir Path folder) throws Exception {
        assumeThat(reportsFullStorage()).isTrue();
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            log().fail("full");
            Path file = ProviderContract.file(folder);
            assertThatThrownBy(() -> connection.upload(file, "", FILE)).isInstanceOf(Refusal.class);
            assertThat(log().starts()).isEmpty();
        }
    }
}
