package farm.gantry.edge.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.edge.Bench;
import farm.gantry.edge.Patience;
import farm.gantry.edge.PrintFile;
import farm.gantry.edge.printer.Connection;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.job.PrintJob;
import farm.gantry.json.Tree;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterState.FilamentSlot;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.wire.Command;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ElegooTest implements PushSessionContract {
    private static final int MEGABYTE = 1 << 20;

    private final Bench bench = Bench.of(Printer.Provider.ELEGOO_MQTT, Bench.QUICK);

    @Override
    public Bench bench() {
        return bench;
    }

    @Test
    void aCodeThatIsNotGoodIsCalledSo() {
        Ear ear = new Ear();
        try (Connection _ = provider().connect(stranger(), Bench.HOST, ear)) {
            Patience.until("it is told", () -> ear.reason().contains("access code"), ear::reason);
        }
    }

    @Test
    void aPrinterThatTakesNoMoreClientsSaysSoAndIsSeenWhenItDoes() {
        Ear ear = new Ear();
        log().fail("crowded");
        try (Connection _ = provider().connect(printer(), Bench.HOST, ear)) {
            Patience.until("it is told", () -> ear.reason().contains("too many clients"), ear::reason);
            assertThat(ear.isSeen()).isFalse();
            log().recover();
            ear.await(Status.idle);
        }
    }

    @Test
    void aPauseWhoseTellingIsLostIsFoundOutByTheNextChange(@TempDir Path folder) throws Exception {
        Ear ear = new Ear();
        try (Connection connection = provider().connect(printer(), Bench.HOST, ear)) {
            ear.await(Status.idle);
            ProviderContract.begin(connection, folder);
            ear.await(Status.printing);
            log().fail("changes-lost");
            log().fail("filament-runout");
            connection.send(new Command.Send("set-temperature", Map.of("type", "bed", "temperature", 110)));
            ear.await(Status.paused);
        }
    }

    @Test
    void aLargeFileComesInPartsThatThePrinterTakes(@TempDir Path folder) throws Exception {
        byte[] content = new byte[2 * MEGABYTE + 7];
        Path file = Files.write(folder.resolve("large.gcode"), content);
        Ear ear = new Ear();
        try (Connection connection = provider().connect(printer(), Bench.HOST, ear)) {
            ear.await(Status.idle);
            connection.upload(file, "", FILE);
        }
        assertThat(log().parts())
                .isEqualTo(List.of(
                        "bytes 0-1048575/2097159", "bytes 1048576-2097151/2097159", "bytes 2097152-2097158/2097159"));
    }

    @Test
    void aPrintTakesItsFilamentsAndChoicesWithIt(@TempDir Path folder) throws Exception {
        Command.Print print = PrintFile.wish(
                Map.of("do_bed_leveling", false, "enable_timelapse", true),
                Map.of("1", new PrintJob.Slot(0, 2), "0", new PrintJob.Slot(0, 3)));
        Ear ear = new Ear();
        try (Connection connection = provider().connect(printer(), Bench.HOST, ear)) {
            ear.await(Status.idle);
            connection.upload(ProviderContract.file(folder), "", FILE);
            connection.start(FILE, print);
        }
        assertThat(log().orders()).singleElement().satisfies(order -> {
            Map<String, Object> config = Tree.object(order, "params", "config");
            assertThat(config).containsEntry("printer_check", false).containsEntry("delay_video", true);
            assertThat(config)
                    .containsEntry(
                            "slot_map",
                            List.of(
                                    Map.of("t", 0, "canvas_id", 0, "tray_id", 3),
                                    Map.of("t", 1, "canvas_id", 0, "tray_id", 2)));
        });
    }

    @Test
    void theFilamentsInItsUnitAreSeen() {
        Ear ear = new Ear();
        try (Connection _ = provider().connect(printer(), Bench.HOST, ear)) {
            ear.await(Status.idle);
            Patience.until(
                    "the unit is seen",
                    () -> ear.shows(reading -> !reading.filamentSlots().isEmpty()));
            assertThat(ear.last().filamentSlots())
                    .contains(new FilamentSlot(0, 1, true, "PETG", "#FFFFFF"))
                    .contains(new FilamentSlot(0, 3, false, null, null));
        }
    }

    @Test
    void theFilmIsLetGoAfterItsPictureAndOneThatOthersSeeIsNotWaitedFor() throws Exception {
        Ear ear = new Ear();
        try (Connection connection = provider().connect(printer(), Bench.HOST, ear)) {
            ear.await(Status.idle);
            connection.snapshot();
            Patience.until("it is let go", () -> !log().filmIsShown());
            log().fail("film-to-others");
            assertThatThrownBy(connection::snapshot).isInstanceOf(Refusal.class).hasMessageContaining("busy");
            assertThat(log().filmIsShown()).isTrue();
        }
    }

    @Test
    void aPrinterWithoutACameraSaysSo() {
        log().fail("no-camera");
        Ear ear = new Ear();
        try (Connection connection = provider().connect(printer(), Bench.HOST, ear)) {
            ear.await(Status.idle);
            assertThatThrownBy(connection::snapshot).isInstanceOf(Refusal.class).hasMessageContaining("no camera");
        }
    }

    @Test
    void aPersonsOrdersAreDone() throws Exception {
        Ear ear = new Ear();
        try (Connection connection = provider().connect(printer(), Bench.HOST, ear)) {
            ear.await(Status.idle);
            connection.send(new Command.Send("set-fan", Map.of("type", "aux", "speed", 50)));
            connection.send(new Command.Send("led-control", Map.of("light", "light", "state", true)));
            connection.send(new Command.Send("home-axis", Map.of()));
            connection.send(new Command.Send("move-axis", Map.of("axes", Map.of("z", 10))));
        }
        assertThat(log().orders())
                .isEqualTo(List.of(
                        order(1030, Map.of("aux_fan", 128)),
                        order(1029, Map.of("power", 1)),
                        order(1026, Map.of("homed_axes", "xyz")),
                        order(1027, Map.of("axes", "z", "distance", 10))));
    }

    private static Map<String, Object> order(int method, Map<String, Object> params) {
        return Map.of("method", method, "params", params);
    }
}
