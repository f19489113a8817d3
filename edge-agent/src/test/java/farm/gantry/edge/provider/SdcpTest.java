package farm.gantry.edge.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.edge.Bench;
import farm.gantry.edge.Patience;
import farm.gantry.edge.PrintFile;
import farm.gantry.edge.printer.Connection;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.json.Tree;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.wire.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SdcpTest implements PushSessionContract {
    private static final int THREE_PIECES = (2 << 20) + 17;

    private final Bench bench = Bench.of(Printer.Provider.sdcp, Bench.QUICK);

    @Override
    public Bench bench() {
        return bench;
    }

    @Override
    public boolean tellsOfNoRoom() {
        return false;
    }

    @Test
    void anotherPrinterAtTheAddressIsCalledSo() {
        Ear ear = new Ear();
        try (Connection _ = provider().connect(stranger(), Bench.HOST, ear)) {
            Patience.until("it is told", () -> ear.reason().contains("another printer"), ear::reason);
            assertThat(ear.reason()).contains(Bench.KEY);
        }
    }

    @Test
    void aPrinterWithoutAnIdIsWhoeverIsThere() {
        Ear ear = new Ear();
        try (Connection _ = provider().connect(bench.reached().apply(""), Bench.HOST, ear)) {
            ear.await(Status.idle);
        }
    }

    @Test
    void aLargeFileArrivesInPiecesAndOneThatIsCutInTheMiddleCanBeBroughtAgain(@TempDir Path folder) throws Exception {
        Path file = large(folder);
        Ear ear = new Ear();
        try (Connection connection = provider().connect(printer(), Bench.HOST, ear)) {
            ear.await(Status.idle);
            log().fail("second-piece-cut");
            assertThatThrownBy(() -> connection.upload(file, "", FILE)).isInstanceOf(IOException.class);
            Patience.until("the rest is forgotten", () -> log().orders().size() == 1);
            assertThat(log().uploads()).isEmpty();
            connection.upload(file, "", FILE);
            assertThat(log().uploads()).isEqualTo(List.of(FILE));
            connection.start(FILE, null);
            Patience.until("the print shows", () -> ear.last().fileName().equals(FILE));
        }
        assertThat(ear.losses()).isZero();
    }

    private static Path large(Path folder) throws IOException {
        String lines = PrintFile.cube()
                .text()
                .repeat(1 + THREE_PIECES / PrintFile.cube().text().length());
        return Files.writeString(folder.resolve("large.gcode"), lines.substring(0, THREE_PIECES));
    }

    @Test
    void aPrinterThatLooksThroughItsFileIsAskedAgainAndStartsOnce(@TempDir Path folder) throws Exception {
        Ear ear = new Ear();
        try (Connection connection = provider().connect(printer(), Bench.HOST, ear)) {
            ear.await(Status.idle);
            connection.upload(ProviderContract.file(folder), "", FILE);
            log().fail("looks-through-file");
            connection.start(FILE, null);
            assertThat(log().starts()).isEqualTo(List.of(FILE));
        }
    }

    @Test
    void aFileThatIsNotThereIsNotStarted() {
        Ear ear = new Ear();
        try (Connection connection = provider().connect(printer(), Bench.HOST, ear)) {
            ear.await(Status.idle);
            assertThatThrownBy(() -> connection.start("no.gcode", null))
                    .isInstanceOf(Refusal.class)
                    .hasMessageContaining("does not find the file");
        }
    }

    @Test
    void aPrintTakesItsChoicesWithIt(@TempDir Path folder) throws Exception {
        Map<String, Object> choices = Map.of("do_bed_leveling", true);
        Command.Print print = PrintFile.wish(choices, null);
        Ear ear = new Ear();
        try (Connection connection = provider().connect(printer(), Bench.HOST, ear)) {
            ear.await(Status.idle);
            connection.upload(ProviderContract.file(folder), "", FILE);
            connection.start(FILE, print);
        }
        assertThat(log().orders()).singleElement().satisfies(order -> {
            assertThat(Tree.object(order, "Data"))
                    .containsEntry("Filename", "/local/" + FILE)
                    .containsEntry("Calibration_switch", 1)
                    .containsEntry("Tlp_Switch", 0);
        });
    }

    @Test
    void withoutAPrintNothingIsCancelled(@TempDir Path folder) throws Exception {
        Ear ear = new Ear();
        try (Connection connection = provider().connect(printer(), Bench.HOST, ear)) {
            ear.await(Status.idle);
            connection.upload(ProviderContract.file(folder), "", FILE);
            assertThatThrownBy(connection::cancel)
                    .isInstanceOf(Refusal.class)
                    .hasMessageContaining("no longer has this job");
            assertThat(log().orders()).isEmpty();
        }
    }

    @Test
    void theFilmIsLetGoAfterItsPictureAndOneThatOthersSeeIsNotWaitedFor() throws Exception {
        Ear one = new Ear();
        Ear other = new Ear();
        try (Connection connection = provider().connect(printer(), Bench.HOST, one);
                Connection second = provider().connect(printer(), Bench.HOST, other)) {
            one.await(Status.idle);
            other.await(Status.idle);
            connection.snapshot();
            Patience.until("it is let go", () -> !log().filmIsShown());
            log().fail("film-to-others");
            assertThatThrownBy(second::snapshot).isInstanceOf(Refusal.class).hasMessageContaining("to others");
        }
    }

    @Test
    void aPersonsCommandsArriveAsThePrinterHasThem() throws Exception {
        Ear ear = new Ear();
        try (Connection connection = provider().connect(printer(), Bench.HOST, ear)) {
            ear.await(Status.idle);
            connection.send(new Command.Send("set-fan", Map.of("type", "chamber", "speed", 40)));
            connection.send(new Command.Send("led-control", Map.of("light", "light", "state", true)));
            connection.send(new Command.Send("home-axis", Map.of()));
            connection.send(new Command.Send("move-axis", Map.of("axes", Map.of("z", -2.5))));
        }
        assertThat(log().orders())
                .isEqualTo(List.of(
                        Map.of("Cmd", 403, "Data", Map.of("TargetFanSpeed", Map.of("BoxFan", 40))),
                        Map.of(
                                "Cmd",
                                403,
                                "Data",
                                Map.of("LightStatus", Map.of("SecondLight", true, "RgbLight", List.of(0, 0, 0)))),
                        Map.of("Cmd", 402, "Data", Map.of("Axis", "XYZ")),
                        Map.of("Cmd", 401, "Data", Map.of("Axis", "Z", "Step", -2.5))));
    }

    @Test
    void aPrinterThatPrintsDoesNotMoveAtAPersonsWord(@TempDir Path folder) throws Exception {
        Ear ear = new Ear();
        try (Connection connection = provider().connect(printer(), Bench.HOST, ear)) {
            ear.await(Status.idle);
            ProviderContract.begin(connection, folder);
            assertThatThrownBy(() -> connection.send(new Command.Send("home-axis", Map.of())))
                    .isInstanceOf(Refusal.class);
        }
    }

    @Override
    public List<Command.Send> impossible() {
        return List.of(
                new Command.Send("gcode", Map.of("lines", "G28")),
                new Command.Send("skip-objects", Map.of("objectIds", List.of("1"))),
                new Command.Send("set-fan", Map.of("type", "roof", "speed", 50)),
                new Command.Send("set-temperature", Map.of("type", "chamber", "temperature", 50)),
                new Command.Send("set-temperature", Map.of("type", "nozzle", "temperature", 50, "extruderIndex", 1)),
                new Command.Send("move-axis", Map.of("axes", Map.of("w", 1))));
    }
}
