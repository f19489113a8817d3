package farm.gantry.edge.provider;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.edge.Bench;
import farm.gantry.edge.Patience;
import farm.gantry.edge.printer.Connection;
import farm.gantry.edge.printer.Provider;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterState.FilamentSlot;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.wire.Command;
import farm.gantry.wire.LinkAnswer.PrinterConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AnycubicTest implements DialogueContract {
    private final Bench bench = Bench.of(Printer.Provider.anycubic, Bench.QUICK);

    /** Where it is known by what it has shown. */
    @TempDir
    Path known;

    @Override
    public Bench bench() {
        return bench;
    }

    @Override
    public Provider provider() {
        return Providers.of(printer()).keeping(known);
    }

    /** There is no key to get wrong: it refuses what it has handed out itself. */
    @Override
    public PrinterConfig stranger() {
        log().fail("login-refused");
        return printer();
    }

    @Test
    void aPrinterInCloudModeIsOfflineAndSaysSoAndIsSeenInLanMode() {
        Ear ear = new Ear();
        try (Connection _ = provider().connect(printer(), ear)) {
            ear.await(Status.idle);
            log().fail("cloud-mode");
            Patience.until("it is told", () -> ear.reason().contains("cloud mode"), ear::reason);
            assertThat(ear.isSeen()).isFalse();
            log().recover();
            Patience.until("it is seen", ear::isSeen, ear::reason);
        }
    }

    @Test
    void aPrinterWhosePortRefusesHasItsLanModeOff() {
        bench.close();
        Ear ear = new Ear();
        try (Connection _ = provider().connect(printer(), ear)) {
            Patience.until("it is told", () -> ear.reason().contains("nothing listens"), ear::reason);
            assertThat(ear.reason()).contains("LAN mode is off").doesNotContain("cloud");
        }
    }

    @Test
    void anotherCertificateThanBeforeIsToldAndNothingIsSeen() {
        Ear ear = new Ear();
        try (Connection _ = provider().connect(printer(), ear)) {
            ear.await(Status.idle);
            log().fail("other-certificate");
            Patience.until("it is told", () -> ear.reason().contains("another certificate"), ear::reason);
            assertThat(ear.isSeen()).isFalse();
        }
    }

    @Test
    void theFilamentsInItsBoxAreSeen() {
        Ear ear = new Ear();
        try (Connection _ = provider().connect(printer(), ear)) {
            ear.await(Status.idle);
            Patience.until(
                    "the box is seen",
                    () -> ear.shows(reading -> !reading.filamentSlots().isEmpty()));
            assertThat(ear.last().filamentSlots())
                    .containsExactly(
                            new FilamentSlot(0, 0, true, "PLA", "#FFFFFF"),
                            new FilamentSlot(0, 1, true, "PETG", "#212721"),
                            new FilamentSlot(0, 2, false, null, null));
        }
    }

    @Test
    void aPersonsOrdersAreDone() throws Exception {
        Ear ear = new Ear();
        try (Connection connection = provider().connect(printer(), ear)) {
            ear.await(Status.idle);
            connection.send(new Command.Send("set-fan", Map.of("type", "part", "speed", 50)));
            connection.send(new Command.Send("led-control", Map.of("light", "light", "state", true)));
        }
        assertThat(log().orders())
                .isEqualTo(List.of(
                        order("print", "update", Map.of("taskid", "-1", "settings", Map.of("fan_speed_pct", 50))),
                        order("light", "control", Map.of("type", 2, "status", 1, "brightness", 100))));
    }

    private static Map<String, Object> order(String type, String action, Map<String, Object> data) {
        return Map.of("type", type, "action", action, "data", data);
    }
}
