package farm.gantry.edge.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.edge.Eventually;
import farm.gantry.edge.PrinterFixture;
import farm.gantry.edge.printer.connection.PrinterConnection;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.printer.PrinterState.Status;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract for polled printers that never complete a response. */
@Execution(ExecutionMode.CONCURRENT)
@Timeout(300)
public interface SilenceContract {
    /** The response timeout of the tests. */
    Duration TIMEOUT = Duration.ofSeconds(5);

    PrinterFixture fixture();

    PrinterConnection connect(RecordingListener recording);

    @AfterEach
    default void close() {
        fixture().close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"silent", "stalling"})
    default void printerWithIncompleteResponsesIsDisconnectedUntilItAnswers(String fault) {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection _ = connect(recording)) {
            recording.await(Status.idle);
            fixture().log().fail(fault);
            Eventually.until("the printer is given up", () -> recording.losses() > 0);
            assertThat(recording.reason()).contains("does not respond");
            fixture().log().recover();
            Eventually.until("it is seen", recording::isSeen, recording::reason);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"silent", "stalling"})
    default void startIsRefusedIfThePrinterSendsIncompleteResponses(String fault, @TempDir Path folder)
            throws Exception {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            recording.await(Status.idle);
            connection.upload(ProviderContract.file(folder), "", ProviderContract.FILE);
            fixture().log().fail(fault);
            assertThatThrownBy(() -> connection.start(ProviderContract.FILE, null, _ -> {}))
                    .isInstanceOf(Refusal.class)
                    .hasMessageContaining("offline");
            assertThat(fixture().log().starts()).isEmpty();
        }
    }
}
