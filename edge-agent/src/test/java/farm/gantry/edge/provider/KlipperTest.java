package farm.gantry.edge.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.edge.Eventually;
import farm.gantry.edge.FakeApi;
import farm.gantry.edge.PrinterFixture;
import farm.gantry.edge.printer.connection.PrinterConnection;
import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.connection.Provider;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.wire.Command;
import farm.gantry.wire.LinkResponse.PrinterConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class KlipperTest implements PushSessionContract {
    private final PrinterFixture fixture = PrinterFixture.of(Printer.Provider.firmwareK, PrinterFixture.QUICK);

    /** The folder of pinned printer identities. */
    @TempDir
    Path known;

    @Override
    public PrinterFixture fixture() {
        return fixture;
    }

    @Override
    public boolean reportsFullStorage() {
        return false;
    }

    @Override
    public Provider provider() {
        return Providers.of(printer()).withDataFolder(known);
    }

    /** Covers reassigned addresses, swapped ports of two instances on one host, and copies of one disk. */
    @ParameterizedTest
    @ValueSource(strings = {"other-instance", "other-host", "nameless"})
    void otherMachineIsReportedAndNotReadUntilAPersonAcceptsIt(String other) throws Exception {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection _ = connect(recording)) {
            log().fail(other);
            Eventually.until("it is reported", () -> recording.reason().contains("another machine"), recording::reason);
            assertThat(recording.isSeen()).isFalse();
            Path pin = known.resolve("firmwareK").resolve(printer().deviceId() + ".json");
            assertThat(recording.reason()).endsWith("delete " + pin);
            Files.delete(pin);
            Eventually.until("it is seen", recording::isSeen, recording::reason);
        }
    }

    @Test
    void moonrakerIdentityIsStoredOnceAnUpdateReportsIt() {
        log().fail("nameless");
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection _ = connect(recording)) {
            log().recover();
            log().fail("disconnect");
            Eventually.until("it is seen again", () -> recording.gaps() > 1 && recording.isSeen());
            log().fail("other-instance");
            Eventually.until("it is reported", () -> recording.reason().contains("another machine"), recording::reason);
        }
    }

    @Test
    void subscriptionIsRenewedAfterAKlipperRestart() {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection _ = connect(recording)) {
            log().fail("mcu-shutdown");
            recording.await(Status.error);
            log().recover();
            Eventually.until("Klipper is back", () -> recording.gaps() > 1 && recording.isSeen());
            assertThat(recording.last().status()).isEqualTo(Status.idle);
        }
    }

    /** The notification of the shutdown arrives before the message in the status. */
    @Test
    void shutdownFailsThePrintWithTheMessageOfTheShutdown(@TempDir Path folder) throws Exception {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            ProviderContract.begin(connection, folder);
            recording.awaitPrint();
            log().fail("mcu-shutdown");
            recording.await(Status.error);
            assertThat(recording.ends().getFirst().faultText()).isEqualTo("MCU 'mcu' shutdown: Timer too close");
        }
    }

    /** Reporting it as offline would repeat discovery and reconnect again and again. */
    @Test
    void moonrakerWithoutKlipperIsReportedAsNotReady() {
        RecordingListener recording = new RecordingListener();
        List<String> notReady = new CopyOnWriteArrayList<>();
        Provider.Listener listener = new Provider.Listener() {
            @Override
            public void onStatus(PrinterStatus reading, boolean afterGap) {
                recording.onStatus(reading, afterGap);
            }

            @Override
            public void onDisconnect(String reason) {
                recording.onDisconnect(reason);
            }

            @Override
            public void onNotReady(String reason) {
                notReady.add(reason);
            }
        };
        try (PrinterConnection _ = provider().connect(printer(), PrinterFixture.HOST, listener)) {
            recording.await(Status.idle);
            Eventually.until(
                    "it is reported",
                    () -> {
                        log().fail("reboot"); // repeated, because a restart may end before a slow machine polls
                        return notReady.contains("Klipper is not ready: disconnected");
                    },
                    () -> notReady);
            Eventually.until("it is well", () -> recording.gaps() > 1);
            assertThat(recording.losses()).as(recording.reason()).isZero();
        }
    }

    @Test
    void klipperConfigurationErrorIsReportedAndKlipperCanBeRestarted() throws Exception {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            log().fail("config-error");
            Eventually.until(
                    "the fault is reported",
                    () -> recording.shows(reading -> !reading.errors().isEmpty()));
            assertThat(recording.last().status()).isEqualTo(Status.error);
            assertThat(recording.last().errors())
                    .singleElement()
                    .satisfies(fault ->
                            assertThat(fault.message()).isEqualTo("Option 'pin' in section 'fan' must be specified"));
            connection.send(new Command.Send("firmware-restart", Map.of()));
            Eventually.until("it is well", () -> recording.shows(reading -> reading.status() == Status.idle));
        }
    }

    @Test
    void klipperErrorIsReportedOnTheFirstConnection() {
        log().fail("config-error");
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection _ = provider().connect(printer(), PrinterFixture.HOST, recording)) {
            recording.await(Status.error);
            assertThat(recording.last().errors()).hasSize(1);
            log().recover();
            recording.await(Status.idle);
        }
    }

    @Test
    void rejectedUploadReportsItsReason(@TempDir Path folder) {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            log().fail("disk-full");
            assertThatThrownBy(() -> ProviderContract.upload(connection, folder))
                    .isInstanceOf(IOException.class)
                    .hasMessage("Moonraker did not accept the file: OSError: [Errno 28] No space left on device");
        }
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = "wrong")
    void missingApiKeyIsReportedWithARemedy(@Nullable String key) {
        RecordingListener recording = new RecordingListener();
        PrinterConfig printer = FakeApi.firmwareK(PrinterFixture.DEVICE, fixture.port(), key);
        try (PrinterConnection _ = provider().connect(printer, PrinterFixture.HOST, recording)) {
            Eventually.until("it is reported", () -> recording.losses() > 0);
            assertThat(recording.reason())
                    .isEqualTo("Moonraker rejects the agent: set the printer's api_key to Moonraker's API key,"
                            + " or name the agent's machine in trusted_clients of moonraker.conf");
            assertThat(recording.isSeen()).isFalse();
        }
    }

    /** A start would make Klipper drop the paused print. */
    @Test
    void startIsRefusedWhileAPrintIsPaused(@TempDir Path folder) throws Exception {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            ProviderContract.begin(connection, folder);
            recording.awaitPrint();
            connection.pause();
            recording.await(Status.paused);
            assertThatThrownBy(() -> connection.start(ProviderContract.OTHER_FILE, null, _ -> {}))
                    .isInstanceOf(Refusal.class)
                    .hasMessageContaining("paused");
        }
        assertThat(log().starts()).isEqualTo(List.of(ProviderContract.FILE));
    }

    /** Klipper would begin the print when the script ends, even if the farm no longer wants it. */
    @Test
    void startWaitsUntilARunningScriptEnds(@TempDir Path folder) throws Exception {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            log().fail("script-begun");
            recording.await(Status.preparing);
            assertThat(recording.last().file()).isNull();
            ProviderContract.upload(connection, folder);
            Thread starter = Thread.ofVirtual().start(() -> start(connection));
            Eventually.until("the start waits", () -> starter.getState() == Thread.State.TIMED_WAITING);
            assertThat(log().starts()).isEmpty();
            log().fail("script-over");
            starter.join();
            assertThat(log().starts()).isEqualTo(List.of(ProviderContract.FILE));
        }
    }

    /** The script waits for a temperature, during which Klipper does not report itself as busy. */
    @Test
    void startIsRefusedWhileAScriptDwells(@TempDir Path folder) throws Exception {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            ProviderContract.upload(connection, folder);
            log().fail("script-dwells");
            assertThatThrownBy(() -> connection.start(ProviderContract.FILE, null, _ -> {}))
                    .isInstanceOf(Refusal.class)
                    .hasMessageContaining("may be running a script");
            log().fail("script-over");
            connection.send(new Command.Send("gcode", Map.of("lines", List.of("M115"))));
            assertThat(log().scripts()).isEqualTo(List.of("M115"));
            assertThat(log().starts()).isEmpty();
        }
    }

    /** An OctoPrint on the same printer streams G-code, which Klipper's print_stats does not show. */
    @Test
    void gcodeStreamedByAnotherHostIsReportedAsAForeignPrint() {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection _ = connect(recording)) {
            log().fail("script-begun");
            recording.await(Status.preparing);
            log().fail("script-printed");
            recording.await(Status.printing);
            assertThat(recording.last().fileName()).isEqualTo("G-code of another host");
            log().fail("script-over");
            Eventually.until("it rests", () -> recording.shows(reading -> reading.status() == Status.idle));
        }
    }

    private static void start(PrinterConnection connection) {
        try {
            connection.start(ProviderContract.FILE, null, _ -> {});
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void gcodeLinesRunInOrder() throws Exception {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            connection.send(new Command.Send("gcode", Map.of("lines", List.of("G28", "G1 X1"))));
            connection.send(new Command.Send("led-control", Map.of("light", "caselight", "state", true)));
            connection.send(new Command.Send("skip-objects", Map.of("objectIds", List.of("CUBE_1"))));
            connection.send(new Command.Send("set-fan", Map.of("type", "part", "speed", 50)));
        }
        List<String> expected =
                List.of("G28", "G1 X1", "SET_PIN PIN=caselight VALUE=1", "EXCLUDE_OBJECT NAME=CUBE_1", "M106 S128");
        assertThat(log().scripts()).isEqualTo(expected);
    }

    @Test
    void printerSpecificBindingsAreUsed() throws Exception {
        Map<String, Object> own = Map.of(
                "firmwareK",
                Map.of(
                        "components", Map.of("bed", Map.of("object", "plate")),
                        "commands", Map.of("setLight", Map.of("gcode", "LAMP {value}"))));
        PrinterConfig make = printer();
        PrinterConfig patched = new PrinterConfig(
                make.printerId(),
                make.deviceId(),
                make.name(),
                make.provider(),
                make.metadata(),
                null,
                null,
                null,
                own);
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = provider().connect(patched, PrinterFixture.HOST, recording)) {
            recording.await(Status.idle);
            connection.send(new Command.Send("set-temperature", Map.of("type", "bed", "temperature", 60)));
            connection.send(new Command.Send("led-control", Map.of("state", true)));
        }
        assertThat(log().scripts()).isEqualTo(List.of("SET_HEATER_TEMPERATURE HEATER=plate TARGET=60", "LAMP 1"));
    }
}
