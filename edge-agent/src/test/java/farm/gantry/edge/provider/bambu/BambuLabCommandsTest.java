package farm.gantry.edge.provider.bambu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import farm.gantry.edge.printer.connection.PrinterBindings;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.wire.Command;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class BambuLabCommandsTest {
    private static final BambuLabCommands ORDERS = new BambuLabCommands(new PrinterBindings(Map.of()));

    static Stream<Arguments> scripts() {
        return Stream.of(
                arguments("gcode", Map.of("lines", List.of("G28", "M400")), "G28\nM400\n"),
                arguments("gcode", Map.of("lines", "M400"), "M400\n"),
                arguments("set-temperature", Map.of("type", "nozzle", "temperature", 210.0), "M104 S210\n"),
                arguments(
                        "set-temperature",
                        Map.of("type", "nozzle", "temperature", 210.0, "extruderIndex", 1),
                        "M104 T1 S210\n"),
                arguments("set-temperature", Map.of("type", "bed", "temperature", 60.5), "M140 S60.5\n"),
                arguments("set-temperature", Map.of("type", "chamber", "temperature", 45.0), "M141 S45\n"),
                arguments("set-fan", Map.of("type", "part", "speed", 50.0), "M106 P1 S128\n"),
                arguments("set-fan", Map.of("type", "aux", "speed", 100.0), "M106 P2 S255\n"),
                arguments("set-fan", Map.of("type", "chamber", "speed", 0.0), "M106 P3 S0\n"),
                arguments("home-axis", Map.of("axes", List.of("x", "y")), "G28 X Y\n"),
                arguments("move-axis", Map.of("axes", Map.of("z", 10)), "G91\nG1 Z10 F3000\nG90\n"),
                arguments("select-tool", Map.of("toolIndex", 1), "T1\n"),
                arguments("extrude-filament", Map.of("amount", 5.0), "M83\nG1 E5 F300\n"));
    }

    @ParameterizedTest
    @MethodSource("scripts")
    void commandsWithAGcodeFormAreSentAsGcode(String command, Map<String, Object> arguments, String script)
            throws Exception {
        assertThat(ORDERS.convert(new Command.Send(command, arguments)).message())
                .isEqualTo(Map.of("command", "gcode_line", "param", script));
    }

    @Test
    void lightIsSwitchedByItsLedNode() throws Exception {
        BambuLabCommands.Payload order =
                ORDERS.convert(new Command.Send("led-control", Map.of("light", "chamberLight", "state", true)));
        assertThat(order.part()).isEqualTo("system");
        assertThat(order.message())
                .containsEntry("command", "ledctrl")
                .containsEntry("led_node", "chamber_light")
                .containsEntry("led_mode", "on")
                .containsKeys("led_on_time", "led_off_time", "loop_times", "interval_time");
    }

    @Test
    void objectsAreSkippedByTheirNumbers() throws Exception {
        assertThat(ORDERS.convert(new Command.Send("skip-objects", Map.of("objectIds", List.of("126", 128))))
                        .message())
                .isEqualTo(Map.of("command", "skip_objects", "obj_list", List.of(126, 128)));
        assertThatThrownBy(() -> ORDERS.convert(new Command.Send("skip-objects", Map.of("objectIds", List.of("brim")))))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("unknown object brim");
    }

    @Test
    void commandForUnknownFanIsRejected() {
        assertThatThrownBy(() -> ORDERS.convert(new Command.Send("set-fan", Map.of("type", "roof", "speed", 1.0))))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("roof");
    }

    @Test
    void printerSpecificBindingsTakePrecedence() throws Exception {
        BambuLabCommands own = new BambuLabCommands(new PrinterBindings(Map.of(
                "components", Map.of("part", Map.of("fan", "P9")),
                "commands", Map.of("setFan", Map.of("gcode", "M106 S{level} {fan}")))));
        assertThat(own.convert(new Command.Send("set-fan", Map.of("type", "part", "speed", 100.0)))
                        .message())
                .containsEntry("param", "M106 S255 P9\n");
    }
}
