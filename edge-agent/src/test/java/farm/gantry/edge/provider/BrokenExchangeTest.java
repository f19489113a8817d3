package farm.gantry.edge.provider;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.Id;
import farm.gantry.edge.Eventually;
import farm.gantry.edge.PrintFile;
import farm.gantry.edge.PrinterFixture;
import farm.gantry.edge.printer.connection.PrinterConnection;
import farm.gantry.edge.printer.connection.PrinterStatus.Ending;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterMetadata;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.wire.LinkResponse.PrinterConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Breaks the connection of a polled printer at each exchange of a command, before or after the printer carries it out.
 */
@Execution(ExecutionMode.CONCURRENT)
class BrokenExchangeTest {
    private static final String FILE = ProviderContract.FILE;
    private static final int MAX_EXCHANGES = 3;

    private final RecordingListener recording = new RecordingListener();

    private enum Outcome {
        done,
        refused,
        unknown
    }

    private interface Call {
        void run() throws IOException, Refusal, InterruptedException;
    }

    static Stream<Arguments> failures() {
        return Stream.of(Printer.Provider.vendorB, Printer.Provider.vendorP)
                .flatMap(make -> Stream.of("falls-unheard", "falls-unanswered")
                        .flatMap(failure -> IntStream.rangeClosed(0, MAX_EXCHANGES)
                                .mapToObj(completed -> Arguments.of(make, failure, completed))));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void startOutcomeMatchesThePrinterAfterAConnectionFailure(
            Printer.Provider make, String failure, int completed, @TempDir Path folder) throws Exception {
        try (PrinterFixture fixture = PrinterFixture.of(make, PrinterFixture.QUICK);
                PrinterConnection connection = connect(make, fixture)) {
            connection.upload(ProviderContract.file(folder), PrintFile.lasting().sha256(), FILE);
            injectFailure(fixture, failure, completed);
            Outcome outcome = outcome(() -> connection.start(FILE, null, _ -> {}));
            boolean started = fixture.log().starts().equals(List.of(FILE));
            assertThat(fixture.log().starts()).hasSizeLessThanOrEqualTo(1);
            assertThat(outcome).isIn(Outcome.unknown, started ? Outcome.done : Outcome.refused);
            awaitNewStatus(fixture, connection, started ? FILE : "");
        }
    }

    @ParameterizedTest
    @MethodSource("failures")
    void cancelOutcomeMatchesThePrinterAfterAConnectionFailure(
            Printer.Provider make, String failure, int completed, @TempDir Path folder) throws Exception {
        try (PrinterFixture fixture = PrinterFixture.of(make, PrinterFixture.QUICK);
                PrinterConnection connection = connect(make, fixture)) {
            ProviderContract.begin(connection, folder);
            ProviderContract.resync(connection);
            injectFailure(fixture, failure, completed);
            Outcome outcome = outcome(connection::cancel);
            awaitNewStatus(fixture, connection, FILE);
            boolean cancelled = recording.last().ending() == Ending.CANCELLED;
            assertThat(outcome).isIn(Outcome.unknown, cancelled ? Outcome.done : Outcome.refused);
        }
    }

    private PrinterConnection connect(Printer.Provider make, PrinterFixture fixture) {
        PrinterMetadata metadata = make == Printer.Provider.vendorB
                ? new PrinterMetadata.VendorB(
                        PrinterFixture.KEY,
                        PrinterFixture.HOST,
                        fixture.port(),
                        0.4,
                        ProviderContract.NO_POLLING_MILLIS,
                        false)
                : new PrinterMetadata.VendorP(
                        0.4,
                        PrinterFixture.KEY,
                        ProviderContract.NO_POLLING_MILLIS,
                        PrinterFixture.HOST,
                        fixture.port());
        PrinterConfig config =
                new PrinterConfig(Id.next(), PrinterFixture.DEVICE, PrinterFixture.DEVICE, make, metadata, null, null);
        PrinterConnection connection = Providers.of(config).connect(config, PrinterFixture.HOST, recording);
        recording.await(Status.idle);
        return connection;
    }

    private static void injectFailure(PrinterFixture fixture, String failure, int completed) {
        for (int i = 0; i < completed; i++) {
            fixture.log().fail("heard");
        }
        fixture.log().fail(failure);
    }

    private static Outcome outcome(Call call) throws InterruptedException {
        try {
            call.run();
            return Outcome.done;
        } catch (Refusal e) {
            return Outcome.refused;
        } catch (IOException e) {
            return Outcome.unknown;
        }
    }

    private void awaitNewStatus(PrinterFixture fixture, PrinterConnection connection, String fileName)
            throws Exception {
        fixture.log().recover();
        int seen = recording.statusCount();
        ProviderContract.resync(connection);
        Eventually.until("it is seen again", () -> recording.statusCount() > seen, recording::reason);
        assertThat(recording.last().fileName()).isEqualTo(fileName);
    }
}
