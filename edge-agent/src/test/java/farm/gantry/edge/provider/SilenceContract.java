package farm.gantry.edge.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.edge.Bench;
import farm.gantry.edge.Patience;
import farm.gantry.edge.printer.Connection;
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

/** What a printer that is only asked must do when it never answers to the end. */
@Execution(ExecutionMode.CONCURRENT)
@Timeout(120)
public interface SilenceContract {
    /** How long an answer may take here. */
    Duration PATIENCE = Duration.ofMillis(700);

    Bench bench();

    Connection connect(Ear ear);

    @AfterEach
    default void close() {
        bench().close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"silent", "stalling"})
    default void aPrinterThatNeverAnswersToTheEndIsAskedAgainAndThenGivenUpUntilItSpeaks(String fate) {
        Ear ear = new Ear();
        try (Connection _ = connect(ear)) {
            ear.await(Status.idle);
            bench().log().fail(fate);
            Patience.until("it is given up", () -> ear.losses() > 0);
            assertThat(ear.reason()).contains("timed out");
            bench().log().recover();
            Patience.until("it is seen", ear::isSeen, ear::reason);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"silent", "stalling"})
    default void aPrinterThatNeverAnswersToTheEndRefusesAStart(String fate, @TempDir Path folder) throws Exception {
        Ear ear = new Ear();
        try (Connection connection = connect(ear)) {
            ear.await(Status.idle);
            connection.upload(ProviderContract.file(folder), "", ProviderContract.FILE);
            bench().log().fail(fate);
            assertThatThrownBy(() -> connection.start(ProviderContract.FILE, null))
                    .isInstanceOf(Refusal.class)
                    .hasMessageContaining("offline");
            assertThat(bench().log().starts()).isEmpty();
        }
    }
}
