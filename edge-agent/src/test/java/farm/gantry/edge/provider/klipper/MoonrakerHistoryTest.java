package farm.gantry.edge.provider.klipper;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.edge.printer.connection.PrinterConnection.RecordedEnding;
import farm.gantry.edge.printer.connection.PrinterStatus.Ending;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MoonrakerHistoryTest {

    @Test
    void restartOfMoonrakerDoesNotEndThePrint() {
        assertThat(ending("server_exit")).isEmpty();
        assertThat(ending("interrupted")).isEmpty();
        assertThat(ending("in_progress")).isEmpty();
    }

    @Test
    void endReportedByKlipperIsKept() {
        assertThat(ending("completed")).contains(RecordedEnding.of(Ending.COMPLETED));
        assertThat(ending("cancelled")).contains(RecordedEnding.of(Ending.CANCELLED));
        assertThat(ending("klippy_disconnect"))
                .hasValueSatisfying(end -> assertThat(end.ending()).isEqualTo(Ending.FAILED));
    }

    private static Optional<RecordedEnding> ending(String status) {
        return new MoonrakerHistory(Map.of("jobs", List.of(Map.of("filename", "a.gcode", "status", status))))
                .ending("a.gcode");
    }
}
