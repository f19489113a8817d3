package farm.gantry.api.queue;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.part.Part;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class IngestLaneTest {
    private static final int MEGABYTE = 1 << 20;

    @ParameterizedTest
    @CsvSource({
        "gcode, 1, PLAIN",
        "gcode, 20, PLAIN",
        "gcode, 21, HEAVY",
        "gcode3mf, 20, PLAIN",
        "gcode3mf, 21, HEAVY",
        "stl, 20, MODEL",
        "stl, 21, HEAVY",
        "THREE_MF, 4, MODEL",
        "THREE_MF, 5, HEAVY",
        "step, 0, HEAVY",
        "scad, 0, HEAVY",
        "cadquery, 0, HEAVY",
        "build123d, 0, HEAVY"
    })
    void laneIsChosenByTypeAndSize(Part.Type type, int megabytes, IngestLane lane) {
        assertThat(IngestLane.of(type, (long) megabytes * MEGABYTE)).isEqualTo(lane);
    }
}
