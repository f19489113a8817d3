package farm.gantry.edge.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.provider.RecordingListener;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.edge.time.AwakeClock;
import farm.gantry.printer.PrinterState.Status;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PollLoopTest {
    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final PrinterStatus IDLE =
            new PrinterStatus(Status.idle, null, null, null, Map.of(), List.of(), List.of());

    private final AtomicLong nanos = new AtomicLong();
    private volatile Duration stoodStill = Duration.ZERO;
    private volatile Duration asleep = Duration.ZERO;
    private volatile boolean answers;
    /** Whether the printer answers again after one failed poll. */
    private volatile boolean answersThen;

    private final RecordingListener recording = new RecordingListener();
    private final PollLoop polling =
            new PollLoop(this::poll, INTERVAL, recording, new AwakeClock(nanos::get), nanos::get, () -> asleep);

    private Duration poll() throws IOException {
        if (answers || !recording.isSeen()) {
            loop().onStatus(IDLE);
            return INTERVAL;
        }
        nanos.addAndGet(stoodStill.toNanos());
        answers = answersThen;
        throw new IOException("request timed out");
    }

    private PollLoop loop() {
        return polling;
    }

    @Test
    void printerStaysOnlineIfTheAgentsMachineStalled() throws Exception {
        polling.poll();
        stoodStill = Duration.ofSeconds(15);
        for (int look = 0; look < 5; look++) {
            assertThat(polling.poll()).isEqualTo(INTERVAL);
        }
        assertThat(recording.losses()).isZero();
        stoodStill = Duration.ofMillis(900);
        polling.poll();
        assertThat(recording.losses()).as("one look may fail").isZero();
        polling.poll();
        assertThat(recording.losses()).isEqualTo(1);
    }

    @Test
    void startQueriesThePrinterAgainAfterAMachineStall() throws Exception {
        polling.poll();
        stoodStill = Duration.ofSeconds(15);
        List<PrinterStatus> started = new ArrayList<>();
        answersThen = true;
        polling.session().start(_ -> {}, started::add);
        assertThat(started).containsExactly(IDLE);
        answers = false;
        stoodStill = Duration.ofMillis(900);
        assertThatThrownBy(() -> polling.session().start(_ -> {}, started::add))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("the printer is offline");
        assertThat(started).hasSize(1);
    }

    @Test
    void firstStatusAfterMachineSleepIsMarkedAsAfterAGap() throws Exception {
        answers = true;
        polling.poll();
        polling.poll();
        assertThat(recording.gaps()).isEqualTo(1);
        asleep = Duration.ofHours(3);
        polling.poll();
        polling.poll();
        assertThat(recording.gaps()).isEqualTo(2);
    }
}
