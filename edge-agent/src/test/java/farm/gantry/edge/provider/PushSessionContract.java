package farm.gantry.edge.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import farm.gantry.edge.Bench;
import farm.gantry.edge.Patience;
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
        Ear ear = new Ear();
        try (Connection connection = provider().connect(printer(), Bench.HOST, ear)) {
            ear.await(Status.idle);
            log().fail("stutter");
            ProviderContract.begin(connection, folder);
            ear.await(Status.finished);
            Patience.until("it stays so", () -> ear.shows(reading -> reading.ending() == Ending.completed));
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
        Ear ear = new Ear();
        try (Connection connection = provider().connect(printer(), Bench.HOST, ear)) {
            ear.await(Status.idle);
            log().fail("full");
            Path file = ProviderContract.file(folder);
            assertThatThrownBy(() -> connection.upload(file, "", FILE)).isInstanceOf(Refusal.class);
            assertThat(log().starts()).isEmpty();
        }
    }
}
