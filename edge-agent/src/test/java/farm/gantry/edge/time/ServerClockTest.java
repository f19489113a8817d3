package farm.gantry.edge.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServerClockTest {
    private static final Instant TRUE = Instant.parse("2026-11-21T12:00:00Z");

    private final AtomicReference<Instant> machine = new AtomicReference<>(TRUE);
    private final ServerClock clock = new ServerClock(machine::get);

    @Test
    void machineClockIsUsedUntilTheApiHasAnswered() {
        machine.set(TRUE.plusSeconds(7));
        assertThat(clock.instant()).isEqualTo(TRUE.plusSeconds(7));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-PT1H", "PT24H"})
    void machineClockChangeAfterSyncHasNoEffect(Duration jump) {
        clock.adjust(clock.instant(), TRUE);
        machine.set(TRUE.plus(jump));
        assertThat(clock.instant()).isCloseTo(TRUE, within(5, ChronoUnit.SECONDS));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-PT1H", "PT24H"})
    void wrongMachineClockIsCorrectedByTheFirstAnswer(Duration wrong) {
        machine.set(TRUE.plus(wrong));
        clock.adjust(clock.instant(), TRUE);
        assertThat(clock.instant()).isCloseTo(TRUE, within(5, ChronoUnit.SECONDS));
    }

    @Test
    void roundedSecondsOfTheApiDoNotTurnTimeBack() {
        machine.set(TRUE.plusMillis(900));
        clock.adjust(clock.instant(), TRUE);
        Instant before = clock.instant();
        clock.adjust(clock.instant(), TRUE);
        assertThat(before).isAfterOrEqualTo(TRUE.plusMillis(900));
        assertThat(clock.instant()).isAfterOrEqualTo(before);
    }

    @Test
    void delayedAnswerDoesNotTurnTimeBack() {
        Instant requestedAt = clock.instant();
        machine.set(TRUE.plusSeconds(30));
        clock.adjust(requestedAt, TRUE.plusSeconds(1));
        assertThat(clock.instant()).isAfterOrEqualTo(TRUE.plusSeconds(30));
    }
}
