package farm.gantry.edge.provider.elegoo;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.edge.printer.connection.PrinterStatus.Ending;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ElegooHistoryTest {

    @Test
    void latestPrintOfAFileDeterminesItsEnding() {
        assertThat(ending(task("a.gcode", 30, 3), task("a.gcode", 10, 1), task("b.gcode", 40, 1)))
                .contains(Ending.CANCELLED);
        assertThat(ending(task("a.gcode", 10, 1), task("/local/a.gcode", 20, 2)))
                .contains(Ending.FAILED);
    }

    @Test
    void runningPausedOrMissingPrintHasNoEnding() {
        assertThat(ending(task("a.gcode", 10, 1), task("a.gcode", 20, 4))).isEmpty();
        assertThat(ending(task("a.gcode", 10, 5))).isEmpty();
        assertThat(ending(task("b.gcode", 10, 1))).isEmpty();
        assertThat(ending()).isEmpty();
    }

    @Test
    void everyPrintChangesTheCounterEvenIfTheClockIsSetBack() {
        Map<String, Object> first = numbered("a", 30);
        Map<String, Object> second = numbered("b", 40);
        Map<String, Object> setBack = numbered("c", 10);
        String before = newest(first, second);
        assertThat(newest(second, first)).as("nothing was printed").isEqualTo(before);
        assertThat(newest(first, second, setBack)).isNotEqualTo(before);
        assertThat(newest(second, setBack)).as("the oldest has left the list").isNotEqualTo(before);
        assertThat(newest()).isEqualTo("none");
        assertThat(new ElegooHistory(Map.of("result", Map.of())).newestPrint()).isNull();
    }

    private static Map<String, Object> numbered(String number, int begun) {
        return Map.of("task_id", number, "begin_time", begun);
    }

    private static @Nullable String newest(Map<?, ?>... tasks) {
        return new ElegooHistory(Map.of("result", Map.of("history_task_list", List.of(tasks)))).newestPrint();
    }

    private static Optional<Ending> ending(Map<?, ?>... tasks) {
        return new ElegooHistory(Map.of("result", Map.of("history_task_list", List.of(tasks)))).ending("a.gcode");
    }

    private static Map<String, Object> task(String name, int begun, int status) {
        return Map.of("task_name", name, "begin_time", begun, "task_status", status);
    }
}
