package farm.gantry.edge.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import farm.gantry.Id;
import farm.gantry.edge.Bench;
import farm.gantry.edge.Patience;
import farm.gantry.edge.PrintFile;
import farm.gantry.edge.camera.Ffmpeg;
import farm.gantry.edge.printer.Connection;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.job.PrintJob;
import farm.gantry.json.Tree;
import farm.gantry.printer.PrinterState.FilamentSlot;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.wire.Command;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VendorATest implements PushSessionContract {
    private final String serial = Id.next();
    private final Bench bench = Bench.vendorA(Bench.QUICK, serial);

    @Override
    public Bench bench() {
        return bench;
    }

    @Test
    void aPrinterThatOnlyObeysSignedOrdersNeedsDeveloperModeAndSaysSo(@TempDir Path folder) throws Exception {
        Ear ear = new Ear();
        try (Connection connection = provider().connect(printer(), Bench.HOST, ear)) {
            ear.await(Status.idle);
            connection.upload(ProviderContract.file(folder), "", FILE);
            log().fail("signatures");
            assertThatThrownBy(() -> connection.start(FILE, null))
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
        try (Connection _ = provider().keeping(folder).connect(printer(), Bench.HOST, ear)) {
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
        try (Connection _ = provider().connect(printer(), Bench.HOST, ear)) {
            Patience.until("it is told", () -> ear.reason().contains("not of printer " + serial), ear::reason);
            assertThat(ear.isSeen()).isFalse();
        }
    }

    @Test
    void aCodeThatIsNotGoodIsCalledSo() {
        Ear ear = new Ear();
        try (Connection _ = provider().connect(stranger(), Bench.HOST, ear)) {
            Patience.until("it is told", () -> ear.reason().contains("access code"), ear::reason);
        }
    }

    @Test
    void aPrintTakesItsFilamentsAndChoicesWithIt(@TempDir Path folder) throws Exception {
        Command.Print print = PrintFile.wish(
                Map.of("bed_type", "cool_plate", "enable_timelapse", true), Map.of("0", new PrintJob.Slot(0, 2)));
        Ear ear = new Ear();
        try (Connection connection = provider().connect(printer(), Bench.HOST, ear)) {
            ear.await(Status.idle);
            connection.upload(ProviderContract.file(folder), "", FILE);
            connection.start(FILE, print);
        }
        assertThat(log().orders()).singleElement().satisfies(order -> {
            assertThat(Tree.list(order, "ams_mapping")).isEqualTo(List.of(2));
            assertThat(Tree.text(order, "bed_type")).isEqualTo("cool_plate");
            assertThat(Tree.truth(order, "timelapse")).isTrue();
        });
    }

    @Test
    void aPrinterThatShowsAFilmShowsPicturesOutOfIt() throws Exception {
        assumeThat(new Ffmpeg(Ffmpeg.NAME).isInstalled())
                .as("ffmpeg is installed")
                .isTrue();
        log().fail("rtsps");
        Ear ear = new Ear();
        try (Connection connection = provider().connect(printer(), Bench.HOST, ear)) {
            ear.await(Status.idle);
            for (int i = 0; i < 2; i++) {
                BufferedImage image = ImageIO.read(
                        new ByteArrayInputStream(connection.snapshot().bytes()));
                assertThat(image.getWidth()).isEqualTo(64);
            }
        }
    }

    @Test
    void aPrinterWhoseFilmIsOffSaysWhereItIsTurnedOn() {
        log().fail("film-off");
        Ear ear = new Ear();
        try (Connection connection = provider().connect(printer(), Bench.HOST, ear)) {
            ear.await(Status.idle);
            assertThatThrownBy(connection::snapshot)
                    .isInstanceOf(Refusal.class)
                    .hasMessageContaining("LAN Mode Liveview");
        }
    }

    @Test
    void withoutADecoderItIsSaidWhatToInstall() {
        log().fail("rtsps");
        Ear ear = new Ear();
        try (Connection connection = provider().decoding("/nowhere/ffmpeg").connect(printer(), Bench.HOST, ear)) {
            ear.await(Status.idle);
            assertThatThrownBy(connection::snapshot).isInstanceOf(Refusal.class).hasMessageContaining("install ffmpeg");
        }
    }

    @Test
    void theFilamentsInItsUnitAreSeen() {
        Ear ear = new Ear();
        try (Connection _ = provider().connect(printer(), Bench.HOST, ear)) {
            ear.await(Status.idle);
            assertThat(ear.last().filamentSlots())
                    .contains(new FilamentSlot(0, 2, true, "PETG", "#DE4343FF"))
                    .contains(new FilamentSlot(0, 3, false, null, null));
        }
    }

    @Test
    void whatIsToldOfAPlaceIsWhatThePrinterShowsThere() throws Exception {
        Ear ear = new Ear();
        try (Connection connection = provider().connect(printer(), Bench.HOST, ear)) {
            ear.await(Status.idle);
            connection.send(place(Map.of("amsId", 0, "slotId", 1, "materialType", "PETG", "color", "#00FF7F")));
            connection.send(place(Map.of("amsId", 0, "slotId", 2)));
            connection.send(place(Map.of("amsId", 255, "slotId", 0, "materialType", "TPU")));
            Patience.until(
                    "all is shown",
                    () -> ear.shows(reading -> reading.filamentSlots()
                            .containsAll(List.of(
                                    new FilamentSlot(0, 1, true, "PETG", "#00FF7FFF"),
                                    new FilamentSlot(0, 2, true, null, null),
                                    new FilamentSlot(255, 0, true, "TPU", "#FFFFFFFF")))),
                    () -> ear.last().filamentSlots());
            assertThatThrownBy(() -> connection.send(place(Map.of("amsId", 1, "slotId", 0, "materialType", "PLA"))))
                    .isInstanceOf(Refusal.class);
        }
    }

    private static Command.Send place(Map<String, Object> info) {
        return new Command.Send("set-slot-info", Map.of("info", info));
    }
}
