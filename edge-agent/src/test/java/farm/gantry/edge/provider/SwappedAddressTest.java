package farm.gantry.edge.provider;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.edge.Eventually;
import farm.gantry.edge.PrintFile;
import farm.gantry.edge.PrinterFixture;
import farm.gantry.edge.printer.connection.PrinterConnection;
import farm.gantry.edge.printer.connection.Provider;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.json.Json;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterMetadata;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.simulator.printer.SimulationSpeed;
import farm.gantry.wire.LinkResponse.PrinterConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Gives the address of a printer to another one of its make with the same login and file, between any two requests. */
@Execution(ExecutionMode.CONCURRENT)
class SwappedAddressTest {
    private static final SimulationSpeed SLOW = new SimulationSpeed(0.25, 600.0);
    private static final String OTHER_DEVICE = "k2";
    /** Other makes cannot prove which machine takes a file, or take it at a port that is not swapped here. */
    private static final Set<Printer.Provider> PROVING_UPLOADS =
            EnumSet.of(Printer.Provider.firmwareK, Printer.Provider.vendorB, Printer.Provider.vendorP);

    @ParameterizedTest
    @EnumSource(Printer.Provider.class)
    void noPrintStartsOnAnotherMachineAfterAnAddressSwap(Printer.Provider make, @TempDir Path folder) throws Exception {
        for (boolean cutting : List.of(true, false)) {
            boolean swapped = true;
            for (int pieces = 0; swapped; pieces++) {
                swapped = isSwappedWhilePrinting(make, pieces, cutting, folder);
            }
        }
    }

    /** Uploads and starts a print; returns false if both ended before this many pieces were sent. */
    private static boolean isSwappedWhilePrinting(Printer.Provider make, int pieces, boolean cutting, Path folder)
            throws Exception {
        RecordingListener recording = new RecordingListener();
        try (PrinterFixture own = PrinterFixture.of(make, SLOW);
                PrinterFixture other = another(make, folder);
                SwappableAddress address = new SwappableAddress(own.port(), other.port(), cutting);
                PrinterConnection connection =
                        provider(own).connect(at(own, address.port()), PrinterFixture.HOST, recording)) {
            recording.await(Status.idle);
            address.swapAfter(pieces);
            print(connection, folder);
            boolean swapped = address.isSwapped();
            assertThat(other.log().starts())
                    .as("swapped after %s pieces", pieces)
                    .isEmpty();
            if (PROVING_UPLOADS.contains(make)) {
                assertThat(other.log().uploads())
                        .as("swapped after %s pieces", pieces)
                        .hasSize(1);
            }
            if (!swapped) {
                assertThat(own.log().starts()).isEqualTo(List.of(ProviderContract.FILE));
            }
            return swapped;
        }
    }

    private static void print(PrinterConnection connection, Path folder) throws Exception {
        try {
            connection.upload(ProviderContract.file(folder), PrintFile.lasting().sha256(), ProviderContract.FILE);
        } catch (IOException | Refusal e) {
            // The start is still tried, because the file may have arrived.
        }
        try {
            connection.start(ProviderContract.FILE, null, _ -> {});
        } catch (IOException | Refusal e) {
            // A refusal is allowed; the assertions check the starts of both printers.
        }
    }

    /** Returns another printer that already has the file. */
    private static PrinterFixture another(Printer.Provider make, Path folder) throws Exception {
        PrinterFixture other = PrinterFixture.of(make, SLOW, OTHER_DEVICE);
        upload(other, folder);
        switch (make) {
            case vendorB, vendorP -> {
                other.log().fail("other-machine");
                Eventually.until("it answers", () -> isAnswering(other));
            }
            case sdcp, anycubic -> other.log().fail("other-machine");
            case firmwareK -> other.log().fail("other-instance");
            case vendorA, ELEGOO_MQTT -> {} // It has another serial number.
        }
        return other;
    }

    private static void upload(PrinterFixture printer, Path folder) throws Exception {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection =
                provider(printer).connect(printer.printer(), PrinterFixture.HOST, recording)) {
            recording.await(Status.idle);
            connection.upload(ProviderContract.file(folder), PrintFile.lasting().sha256(), ProviderContract.FILE);
        }
    }

    private static boolean isAnswering(PrinterFixture printer) {
        try {
            printer.log().call("/");
            return true;
        } catch (AssertionError e) {
            return true; // There is no such page.
        } catch (UncheckedIOException e) {
            return false;
        }
    }

    /** Returns a provider without pinned printers. */
    private static Provider provider(PrinterFixture fixture) throws IOException {
        return Providers.of(fixture.printer()).withDataFolder(Files.createTempDirectory("known"));
    }

    /**
     * Returns the printer's configuration at another port, with a poll interval so long that only commands query it.
     */
    private static PrinterConfig at(PrinterFixture fixture, int port) throws IOException {
        PrinterConfig config = fixture.printer();
        PrinterMetadata metadata = Objects.requireNonNull(config.metadata());
        Map<String, Object> tree = new LinkedHashMap<>(Json.tree(Json.write(metadata)));
        tree.put("provider", metadata.make());
        tree.computeIfPresent("port", (_, _) -> port);
        tree.computeIfPresent("server_port", (_, _) -> port);
        tree.computeIfPresent("poll_interval_ms", (_, _) -> ProviderContract.NO_POLLING_MILLIS);
        return new PrinterConfig(
                config.printerId(),
                config.deviceId(),
                config.name(),
                config.provider(),
                Json.read(Json.write(tree), PrinterMetadata.class),
                null,
                null);
    }
}
