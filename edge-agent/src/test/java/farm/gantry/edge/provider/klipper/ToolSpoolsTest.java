package farm.gantry.edge.provider.klipper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import farm.gantry.edge.refusal.Refusal;
import farm.gantry.job.PrintJob.Slot;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ToolSpoolsTest {
    private static final List<String> ONE = List.of("extruder", "heater_bed");
    private static final List<String> TWO = List.of("extruder", "extruder1", "heater_bed");
    private static final List<String> CHANGER = List.of("extruder", "toolchanger", "tool T0", "tool T1");
    private static final List<String> OLD_UNIT = List.of("extruder", "ercf");

    static Stream<Arguments> places() {
        return Stream.of(
                arguments(ONE, Map.of("0", new Slot(0, 0)), true),
                arguments(ONE, Map.of("0", new Slot(255, 0)), true),
                arguments(ONE, Map.of("1", new Slot(0, 0)), true),
                arguments(ONE, Map.of("0", new Slot(0, 0), "1", new Slot(0, 1)), true),
                arguments(ONE, Map.of("0", new Slot(0, 1)), false),
                arguments(ONE, Map.of("0", new Slot(1, 0)), false),
                arguments(ONE, Map.of("0", new Slot(0, 0), "1", new Slot(255, 0)), false),
                arguments(TWO, Map.of("0", new Slot(0, 0), "1", new Slot(0, 1)), true),
                arguments(TWO, Map.of("0", new Slot(0, 1), "1", new Slot(0, 0)), false),
                arguments(TWO, Map.of("1", new Slot(0, 0)), false),
                arguments(CHANGER, Map.of("1", new Slot(0, 1)), true),
                arguments(CHANGER, Map.of("0", new Slot(0, 1)), false),
                arguments(OLD_UNIT, Map.of("2", new Slot(0, 2)), true),
                arguments(OLD_UNIT, Map.of("2", new Slot(0, 0)), false));
    }

    @ParameterizedTest
    @MethodSource("places")
    void mappingToOtherFilamentsIsRefused(List<String> objects, Map<String, Slot> places, boolean isAccepted) {
        if (isAccepted) {
            assertThatCode(() -> new ToolSpools(objects).check(places)).doesNotThrowAnyException();
        } else {
            assertThatThrownBy(() -> new ToolSpools(objects).check(places)).isInstanceOf(Refusal.class);
        }
    }

    @Test
    void unitReceivesTheGateOfEachTool() throws Exception {
        MmuGates gates = MmuGates.parse(Map.of("num_gates", 4, "ttg_map", List.of(3, 1, 2, 0)));
        assertThat(gates.withSlots(Map.of("1", new Slot(0, 2), "2", new Slot(0, 2)))
                        .script())
                .isEqualTo("MMU_TTG_MAP MAP=3,2,2,0");
        assertThat(MmuGates.parse(Map.of("gate_status", List.of(1, 0, -1))).script())
                .isEqualTo("MMU_TTG_MAP MAP=0,1,2");
    }

    static Stream<Arguments> nowhere() {
        return Stream.of(
                arguments("0", new Slot(0, 4), "T0 from A5"),
                arguments("4", new Slot(0, 0), "T4 from A1"),
                arguments("0", new Slot(1, 0), "T0 from B1"),
                arguments("first", new Slot(0, 0), "no filament first"));
    }

    @ParameterizedTest
    @MethodSource("nowhere")
    void unknownGateIsRefused(String filament, Slot place, String reason) {
        assertThatThrownBy(() -> MmuGates.parse(Map.of("num_gates", 4)).withSlots(Map.of(filament, place)))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining(reason);
    }
}
