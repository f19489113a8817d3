package farm.gantry.edge.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.Id;
import farm.gantry.edge.Bench;
import farm.gantry.edge.Patience;
import farm.gantry.edge.journal.Job;
import farm.gantry.edge.json.Tree;
import farm.gantry.edge.printer.Connection;
import farm.gantry.edge.printer.Refusal;
import farm.gantry.job.PrintJob;
import farm.gantry.printer.PrinterState.FilamentSlot;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.wire.Command;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VendorATest implements DialogueContract {
    private final String serial = Id.next();
    private final Bench bench = Bench.vendorA(Bench.QUICK, serial);

    @Override
    public Bench bench() {
        return bench;
    }

    @Test
    void aPrinterThatOnlyObeysSignedOrdersNeedsDeveloperModeAndSaysSo(@TempDir Path folder) throws Exception {
        Ear ear = new Ear();
        try (Connection connection = provider().connect(printer(), ear)) {
            ear.await(Status.idle);
            connection.upload(ProviderContract.file(folder), "", FILE);
            log().fail("signatures");
            assertThatThrownBy(() -> connection.start(FILE))
                    .isInstanceOf(Refusal.class)
                    .hasMessageContaining("developer mode");
            Patience.until(
                    "it is told", () -> ear.shows(reading -> !reading.errors().isEmpty()));
            assertThat(ear.last().errors().getFirst().message()).contains("developer mode");
            assertThat(log().starts()).isEmpty();
        }
    }

    @Test
    void anotherCertificateThanBeforeIsToldAndNothingIsSeen(@TempDir Path folder) {
        Ear ear = new Ear();
        try (Connection _ = provider().keeping(folder).connect(printer(), ear)) {
            ear.await(Status.idle);
            log().fail("other-certificate");
            Patience.until("it is told", () -> ear.reason().contains("another certificate"), ear::reason);
            assertThat(ear.isSeen()).isFalse();
        }
    }

    @Test
    void anotherPrinterAtTheAddressIsToldAndNothingIsSeen() {
        log().fail("other-printer");
        Ear ear = new Ear();
        try (Connection _ = provider().connect(printer(), ear)) {
            Patience.until("it is told", () -> ear.reason().contains("not of printer " + serial), ear::reason);
            assertThat(ear.isSeen()).isFalse();
        }
    }

    @Test
    void aCodeThatIsNotGoodIsCalledSo() {
        Ear ear = new Ear();
        try (Connection _ = provider().connect(stranger(), ear)) {
            Patience.until("it is told", () -> ear.reason().contains("access code"), ear::reason);
        }
    }

    @Test
    void aPrintTakesItsFilamentsAndChoicesWithIt(@TempDir Path folder) throws Exception {
        Command.Print print = new Command.Print(
                "j1",
                1,
                "cube.gcode",
                "http://x",
                1,
                "",
                null,
                null,
                1,
                Map.of("bed_type", "cool_plate", "enable_timelapse", true),
                Map.of("0", new PrintJob.Slot(0, 2)),
                null);
        Ear ear = new Ear();
        try (Connection connection = provider().connect(printer(), ear)) {
            ear.await(Status.idle);
            connection.upload(ProviderContract.file(folder), "", FILE);
            connection.start(new Job("a1", Instant.now(), print, FILE));
        }
        assertThat(log().orders()).singleElement().satisfies(order -> {
            assertThat(Tree.list(order, "ams_mapping")).isEqualTo(List.of(2));
            assertThat(Tree.text(order, "bed_type")).isEqualTo("cool_plate");
            assertThat(Tree.truth(order, "timelapse")).isTrue();
        });
    }

    @Test
    void aPrinterThatShowsItsFilmInAnotherMannerShowsNoPictureAndSaysWhy() {
        log().fail("rtsps");
        Ear ear = new Ear();
        try (Connection connection = provider().connect(printer(), ear)) {
            ear.await(Status.idle);
            assertThatThrownBy(connection::snapshot).isInstanceOf(Refusal.class).hasMessageContaining("RTSPS");
        }
    }

    @Test
    void theFilamentsInItsUnitAreSeen() {
        Ear ear = new Ear();
        try (Connection _ = provider().connect(printer(), ear)) {
            ear.await(Status.idle);
            assertThat(ear.last().filamentSlots())
                    .contains(new FilamentSlot(0, 2, true, "PETG", "#DE4343FF"))
                    .contains(new FilamentSlot(0, 3, false, null, null));
        }
    }
}
