package farm.gantry.edge.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.edge.Eventually;
import farm.gantry.edge.PrinterFixture;
import farm.gantry.edge.printer.connection.PrinterConnection;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.simulator.prusalink.PrusaLinkSimulator.Generation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrusaLinkTest {
    /** The additional contract of both PrusaLink generations. */
    abstract static class PrusaLinkContract implements PollSessionContract {
        /** The connections for queries and for the file, and those of a start, which a Raspberry Pi answers late. */
        private static final int UPLOAD_AND_STARTS = 2 + 4;

        private final PrinterFixture fixture;

        PrusaLinkContract(Generation generation) {
            this.fixture = PrinterFixture.vendorP(PrinterFixture.QUICK, generation);
        }

        @Override
        public PrinterFixture fixture() {
            return fixture;
        }

        /** The address may be reassigned to another printer with the same password. */
        @Test
        void otherMachineIsReportedAndStartsNothingUntilAPersonAcceptsIt(@TempDir Path known) throws Exception {
            RecordingListener recording = new RecordingListener();
            try (PrinterConnection connection =
                    provider().withDataFolder(known).connect(printer(), PrinterFixture.HOST, recording)) {
                recording.await(Status.idle);
                connection.upload(ProviderContract.file(known), "", FILE);
                assertNoOtherMachineIsServed(connection, recording);
                assertThatThrownBy(() -> connection.start(FILE, null, _ -> {})).hasMessageContaining("another machine");
                Files.delete(known.resolve("vendorP").resolve(printer().deviceId() + ".serial"));
                Eventually.until("it is seen", recording::isSeen, recording::reason);
            }
        }

        @Test
        void staleNonceIsReplacedWithoutADisconnect(@TempDir Path folder) throws Exception {
            RecordingListener recording = new RecordingListener();
            try (PrinterConnection connection = connect(recording)) {
                log().fail("stale-nonces");
                connection.upload(ProviderContract.file(folder), "", FILE);
                log().fail("stale-nonces");
                connection.start(FILE, null, _ -> {});
                recording.await(Status.printing);
            }
            assertThat(recording.losses()).isZero();
            assertThat(log().starts()).isEqualTo(List.of(FILE));
        }

        @Test
        void jobIsRecognizedIfItsFileNameIsReportedLater(@TempDir Path folder) throws Exception {
            RecordingListener recording = new RecordingListener();
            try (PrinterConnection connection = connect(recording)) {
                log().fail("nameless-job");
                ProviderContract.begin(connection, folder);
                recording.awaitPrint();
                assertThat(recording.last().fileName()).isEqualTo(FILE);
            }
        }

        @Test
        void printStartsImmediatelyAfterACancel(@TempDir Path folder) throws Exception {
            RecordingListener recording = new RecordingListener();
            try (PrinterConnection connection = connect(recording)) {
                ProviderContract.begin(connection, folder);
                recording.awaitPrint();
                connection.cancel();
                connection.start(FILE, null, _ -> {});
                assertThat(log().starts()).isEqualTo(List.of(FILE, FILE));
                recording.await(Status.cancelled);
            }
        }

        @Test
        void printStartsImmediatelyAfterThePreviousOneFinished(@TempDir Path folder) throws Exception {
            RecordingListener recording = new RecordingListener();
            try (PrinterConnection connection = connect(recording)) {
                ProviderContract.begin(connection, folder);
                recording.awaitPrint();
                log().fail("finished");
                connection.start(FILE, null, _ -> {});
                assertThat(log().starts()).isEqualTo(List.of(FILE, FILE));
            }
        }

        @Test
        void queriesReuseAConnectionAndChangesOpenTheirOwn(@TempDir Path folder) throws Exception {
            RecordingListener recording = new RecordingListener();
            try (PrinterConnection connection = provider().connect(printer(), PrinterFixture.HOST, recording)) {
                Eventually.until("it was looked at often", () -> recording.statusCount() > 5);
                assertThat(log().opened()).isEqualTo(1);
                connection.upload(ProviderContract.file(folder), "", FILE);
                connection.start(FILE, null, _ -> {});
                int looks = recording.statusCount();
                Eventually.until("it was looked at again", () -> recording.statusCount() > looks + 5);
                assertThat(log().opened()).isGreaterThan(2).isLessThanOrEqualTo(UPLOAD_AND_STARTS);
            }
        }

        @Test
        void printerThatNeedsAttentionIsReportedAsPaused(@TempDir Path folder) throws Exception {
            RecordingListener recording = new RecordingListener();
            try (PrinterConnection connection = connect(recording)) {
                ProviderContract.begin(connection, folder);
                recording.awaitPrint();
                log().fail("attention");
                recording.await(Status.paused);
                assertThat(recording.last().errors()).hasSize(1);
                assertThat(recording.last().fileName()).isEqualTo(FILE);
            }
        }

        @Test
        void uploadIsRefusedOnFullStorageOrInvalidFileName(@TempDir Path folder) throws Exception {
            RecordingListener recording = new RecordingListener();
            try (PrinterConnection connection = connect(recording)) {
                log().fail("full");
                Path file = ProviderContract.file(folder);
                assertThatThrownBy(() -> connection.upload(file, "", FILE))
                        .isInstanceOf(Refusal.class)
                        .hasMessageContaining("no space")
                        .hasMessageContaining("USB drive full");
                assertThatThrownBy(() -> connection.upload(file, "", "a:b.gcode"))
                        .isInstanceOf(Refusal.class)
                        .hasMessageContaining("name");
            }
        }

        @Test
        void uploadOfTheFileBeingPrintedFails(@TempDir Path folder) throws Exception {
            RecordingListener recording = new RecordingListener();
            try (PrinterConnection connection = connect(recording)) {
                Path file = ProviderContract.file(folder);
                connection.upload(file, "", FILE);
                connection.start(FILE, null, _ -> {});
                assertThatThrownBy(() -> connection.upload(file, "", FILE)).hasMessageContaining("File is busy");
            }
        }
    }

    @Nested
    class Firmware extends PrusaLinkContract {
        Firmware() {
            super(Generation.FIRMWARE);
        }

        @Override
        @Test
        public void snapshotIsTakenIfThePrinterHasACamera() {
            RecordingListener recording = new RecordingListener();
            try (PrinterConnection connection = connect(recording)) {
                assertThatThrownBy(connection::takeSnapshot)
                        .isInstanceOf(Refusal.class)
                        .hasMessageContaining("no camera");
            }
        }
    }

    @Nested
    class RaspberryPi extends PrusaLinkContract {
        RaspberryPi() {
            super(Generation.RASPBERRY);
        }

        @Test
        void apiKeyIsAcceptedInsteadOfThePassword() {
            RecordingListener recording = new RecordingListener();
            try (PrinterConnection _ = provider()
                    .connect(fixture().config().apply("key-" + PrinterFixture.KEY), PrinterFixture.HOST, recording)) {
                Eventually.until("it is seen", recording::isSeen);
                assertThat(recording.losses()).isZero();
            }
        }
    }
}
