package farm.gantry.edge.provider.klipper;

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

class KlipperCommandsTest {
    private static final List<String> OBJECTS = List.of(
            "fan", "fan_generic aux_fan", "output_pin caselight", "output_pin beeper", "heater_generic chamber_heater");
    private static final PrinterBindings NONE = new PrinterBindings(Map.of());
    private static final String LED = "SET_LED LED=%s RED=1 GREEN=1 BLUE=1";
    /** The default bindings of a Klipper printer. */
    private static final PrinterBindings MAKE = new PrinterBindings(Map.of(
            "components",
            Map.of(
                    "nozzle0", Map.of("object", "extruder"),
                    "bed", Map.of("object", "heater_bed"),
                    "part", Map.of("object", "fan"),
                    "light", Map.of("object", "light")),
            "commands",
            Map.of(
                    "setNozzleTemperature",
                            Map.of("gcode", "SET_HEATER_TEMPERATURE HEATER={object} TARGET={temperature}"),
                    "setBedTemperature", Map.of("gcode", "SET_HEATER_TEMPERATURE HEATER={object} TARGET={temperature}"),
                    "setChamberTemperature",
                            Map.of("gcode", "SET_HEATER_TEMPERATURE HEATER={object} TARGET={temperature}"),
                    "setFan", Map.of("gcode", "M106 S{level}"),
                    "setLight", Map.of("gcode", "SET_PIN PIN={object} VALUE={value}"),
                    "selectTool", Map.of("gcode", "T{toolIndex}"))));

    static Stream<Arguments> scripts() {
        return Stream.of(
                arguments("gcode", Map.of("lines", List.of("G28", "M400")), "G28\nM400"),
                arguments(
                        "set-temperature",
                        Map.of("type", "nozzle", "temperature", 210.0),
                        "SET_HEATER_TEMPERATURE HEATER=extruder TARGET=210"),
                arguments(
                        "set-temperature",
                        Map.of("type", "nozzle", "temperature", 210.0, "extruderIndex", 1),
                        "SET_HEATER_TEMPERATURE HEATER=extruder1 TARGET=210"),
                arguments(
                        "set-temperature",
                        Map.of("type", "bed", "temperature", 60.5),
                        "SET_HEATER_TEMPERATURE HEATER=heater_bed TARGET=60.5"),
                arguments(
                        "set-temperature",
                        Map.of("type", "chamber", "temperature", 45.0),
                        "SET_HEATER_TEMPERATURE HEATER=chamber_heater TARGET=45"),
                arguments("set-fan", Map.of("type", "part", "speed", 50.0), "M106 S128"),
                arguments("set-fan", Map.of("speed", 50.0), "M106 S128"),
                arguments("set-fan", Map.of("type", "aux", "speed", 50.0), "SET_FAN_SPEED FAN=aux_fan SPEED=0.5"),
                arguments("led-control", Map.of("state", true), "SET_PIN PIN=caselight VALUE=1"),
                arguments("led-control", Map.of("light", "light", "state", true), "SET_PIN PIN=caselight VALUE=1"),
                arguments("led-control", Map.of("light", "case", "state", false), "SET_PIN PIN=caselight VALUE=0"),
                arguments("select-tool", Map.of("toolIndex", 1), "T1"),
                arguments("skip-objects", Map.of("objectIds", List.of("CUBE 1")), "EXCLUDE_OBJECT NAME=CUBE_1"),
                arguments("home-axis", Map.of("axes", List.of("x")), "G28 X"),
                arguments("load-filament", Map.of("targetTemp", 220), "M109 S220\nLOAD_FILAMENT"),
                arguments("unload-filament", Map.of(), "UNLOAD_FILAMENT"),
                arguments("calibration", Map.of("option_value", "bed_mesh_calibrate"), "BED_MESH_CALIBRATE"));
    }

    @ParameterizedTest
    @MethodSource("scripts")
    void commandBecomesAScriptForThePrintersComponents(String command, Map<String, Object> arguments, String script)
            throws Exception {
        Command.Send send = new Command.Send(command, arguments);
        assertThat(new KlipperCommands(OBJECTS, NONE).toScript(send)).isEqualTo(script);
        assertThat(new KlipperCommands(OBJECTS, MAKE).toScript(send))
                .as("by the bindings of its make")
                .isEqualTo(script);
    }

    static Stream<Arguments> own() {
        return Stream.of(
                arguments("set-temperature", Map.of("type", "nozzle", "temperature", 210.0), "HEAT hot 210"),
                arguments(
                        "set-temperature",
                        Map.of("type", "nozzle", "temperature", 210.0, "extruderIndex", 1),
                        "HEAT second 210"),
                arguments("set-temperature", Map.of("type", "bed", "temperature", 60.0), "M140 S60"),
                arguments("set-temperature", Map.of("type", "chamber", "temperature", 45.0), "CHAMBER oven 45"),
                arguments("set-fan", Map.of("type", "part", "speed", 50.0), "BLOW nevermore 128 0.5"),
                arguments("set-fan", Map.of("type", "auxiliary", "speed", 50.0), "BLOW side 128 0.5"),
                arguments("led-control", Map.of("light", "roof", "state", true), "LAMP roof_leds 1"),
                arguments("select-tool", Map.of("toolIndex", 2), "KTCC_T2"));
    }

    @ParameterizedTest
    @MethodSource("own")
    void printerSpecificBindingsTakePrecedence(String command, Map<String, Object> arguments, String script)
            throws Exception {
        PrinterBindings own = new PrinterBindings(Map.of(
                "components",
                Map.of(
                        "nozzle0", Map.of("object", "hot"),
                        "nozzle1", Map.of("object", "second"),
                        "chamber", Map.of("object", "oven"),
                        "part", Map.of("object", "nevermore"),
                        "aux", Map.of("object", "side"),
                        "roof", Map.of("object", "roof_leds")),
                "commands",
                Map.of(
                        "setNozzleTemperature", Map.of("gcode", "HEAT {object} {temperature}"),
                        "setBedTemperature", Map.of("gcode", "M140 S{temperature}"),
                        "setChamberTemperature", Map.of("gcode", "CHAMBER {object} {temperature}"),
                        "setFan", Map.of("gcode", "BLOW {object} {level} {speed}"),
                        "setLight", Map.of("gcode", "LAMP {object} {value}"),
                        "selectTool", Map.of("gcode", "KTCC_T{toolIndex}"))));
        assertThat(new KlipperCommands(OBJECTS, own).toScript(new Command.Send(command, arguments)))
                .isEqualTo(script);
    }

    @Test
    void bindingWithoutAHeaterAppliesToTheFirstNozzleOnly() throws Exception {
        PrinterBindings own = new PrinterBindings(
                Map.of("commands", Map.of("setNozzleTemperature", Map.of("gcode", "M104 S{temperature}"))));
        KlipperCommands scripts = new KlipperCommands(OBJECTS, own);
        assertThat(scripts.toScript(new Command.Send("set-temperature", Map.of("type", "nozzle", "temperature", 210))))
                .isEqualTo("M104 S210");
        assertThat(scripts.toScript(new Command.Send(
                        "set-temperature", Map.of("type", "nozzle", "temperature", 210, "extruderIndex", 1))))
                .isEqualTo("SET_HEATER_TEMPERATURE HEATER=extruder1 TARGET=210");
    }

    static Stream<Arguments> absent() {
        return Stream.of(
                arguments("set-fan", Map.of("type", "chamber", "speed", 50.0), OBJECTS, "no fan chamber"),
                arguments("set-fan", Map.of("type", "auxiliary", "speed", 50.0), List.of("fan"), "no fan auxiliary"),
                arguments("set-fan", Map.of("type", "prat", "speed", 50.0), OBJECTS, "no fan prat"),
                arguments("set-fan", Map.of("type", "", "speed", 50.0), OBJECTS, "no fan"),
                arguments(
                        "set-fan",
                        Map.of("type", "bay", "speed", 50.0),
                        List.of("fan_generic bay_left", "fan_generic bay_right"),
                        "more than one fan bay: bay_left, bay_right"),
                arguments("led-control", Map.of("light", "roof", "state", true), OBJECTS, "no light roof"),
                arguments("led-control", Map.of("light", "caselite", "state", true), OBJECTS, "no light caselite"),
                arguments("led-control", Map.of("light", "beep", "state", true), OBJECTS, "no light beep"),
                arguments("led-control", Map.of("light", "", "state", true), OBJECTS, "no light"),
                arguments("led-control", Map.of("light", "roof", "state", true), List.of("neopixel head"), "roof"),
                arguments("led-control", Map.of("state", true), List.of("output_pin beeper"), "no light"),
                arguments(
                        "led-control",
                        Map.of("state", true),
                        List.of("neopixel head", "led case"),
                        "more than one light: head, case"));
    }

    @ParameterizedTest
    @MethodSource("absent")
    void unknownComponentIsRefusedWithItsName(
            String command, Map<String, Object> arguments, List<String> objects, String reason) {
        for (PrinterBindings bindings : List.of(NONE, MAKE)) {
            assertThatThrownBy(
                            () -> new KlipperCommands(objects, bindings).toScript(new Command.Send(command, arguments)))
                    .isInstanceOf(Refusal.class)
                    .hasMessageContaining(reason);
        }
    }

    static Stream<Arguments> likely() {
        return Stream.of(
                arguments("led-control", Map.of("state", true), List.of("neopixel head"), LED.formatted("head")),
                arguments(
                        "led-control",
                        Map.of("light", "light", "state", true),
                        List.of("neopixel head"),
                        LED.formatted("head")),
                arguments(
                        "led-control",
                        Map.of("state", true),
                        List.of("neopixel head", "led case_light"),
                        LED.formatted("case_light")),
                arguments(
                        "led-control",
                        Map.of("light", "case", "state", true),
                        List.of("output_pin beeper", "neopixel head", "led case"),
                        LED.formatted("case")),
                arguments(
                        "set-fan",
                        Map.of("speed", 100.0),
                        List.of("fan_generic part_fan", "fan_generic aux_fan"),
                        "SET_FAN_SPEED FAN=part_fan SPEED=1.0"),
                arguments(
                        "set-fan",
                        Map.of("type", "bay", "speed", 0.0),
                        List.of("fan", "fan_generic bay", "fan_generic bay_left"),
                        "SET_FAN_SPEED FAN=bay SPEED=0.0"));
    }

    @ParameterizedTest
    @MethodSource("likely")
    void unambiguousComponentIsControlled(
            String command, Map<String, Object> arguments, List<String> objects, String script) throws Exception {
        for (PrinterBindings bindings : List.of(NONE, MAKE)) {
            assertThat(new KlipperCommands(objects, bindings).toScript(new Command.Send(command, arguments)))
                    .isEqualTo(script);
        }
    }

    @Test
    void bindingWithoutAComponentAppliesToTheDefaultOneOnly() throws Exception {
        KlipperCommands scripts = new KlipperCommands(
                OBJECTS,
                new PrinterBindings(Map.of(
                        "components",
                        Map.of("roof", Map.of("object", "roof_leds"), "door", Map.of("gcode", "DOOR {value}")),
                        "commands",
                        Map.of(
                                "setFan",
                                Map.of("gcode", "BLOW {level}"),
                                "setLight",
                                Map.of("gcode", "LAMP {value}")))));
        assertThat(scripts.toScript(new Command.Send("set-fan", Map.of("speed", 100))))
                .isEqualTo("BLOW 255");
        assertThat(scripts.toScript(new Command.Send("set-fan", Map.of("type", "aux", "speed", 100))))
                .isEqualTo("SET_FAN_SPEED FAN=aux_fan SPEED=1.0");
        assertThat(scripts.toScript(new Command.Send("led-control", Map.of("state", true))))
                .isEqualTo("LAMP 1");
        assertThat(scripts.toScript(new Command.Send("led-control", Map.of("light", "door", "state", true))))
                .isEqualTo("DOOR 1");
        assertThatThrownBy(
                        () -> scripts.toScript(new Command.Send("led-control", Map.of("light", "roof", "state", true))))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("no light roof_leds");
    }

    static Stream<Arguments> loads() {
        List<String> unit = List.of("extruder", "mmu");
        List<String> tools = List.of("extruder", "extruder1", "toolchanger", "tool T0", "tool T1");
        return Stream.of(
                arguments(unit, Map.of("targetSlot", 2), "MMU_UNLOAD\nMMU_SELECT GATE=2\nMMU_LOAD"),
                arguments(
                        unit,
                        Map.of("targetSlot", 0, "targetTemp", 220),
                        "M109 S220\nMMU_UNLOAD\nMMU_SELECT GATE=0\nMMU_LOAD"),
                arguments(unit, Map.of(), "MMU_LOAD"),
                arguments(tools, Map.of("targetSlot", 1), "T1\nLOAD_FILAMENT"),
                arguments(tools, Map.of("targetSlot", 0), "T0\nLOAD_FILAMENT"),
                arguments(tools, Map.of(), "LOAD_FILAMENT"),
                arguments(OBJECTS, Map.of("targetSlot", 0), "LOAD_FILAMENT"),
                arguments(OBJECTS, Map.of("targetSlot", 254), "LOAD_FILAMENT"));
    }

    @ParameterizedTest
    @MethodSource("loads")
    void filamentIsLoadedFromTheRequestedSlot(List<String> objects, Map<String, Object> arguments, String script)
            throws Exception {
        assertThat(new KlipperCommands(objects, NONE).toScript(new Command.Send("load-filament", arguments)))
                .isEqualTo(script);
    }

    @Test
    void unknownFilamentSlotIsRefused() {
        assertThatThrownBy(() -> new KlipperCommands(OBJECTS, NONE)
                        .toScript(new Command.Send("load-filament", Map.of("targetSlot", 1))))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("no filament slot 1");
    }

    @Test
    void multiMaterialUnitUnloadsFilamentByItsOwnMacro() throws Exception {
        assertThat(new KlipperCommands(List.of("mmu"), NONE).toScript(new Command.Send("unload-filament", Map.of())))
                .isEqualTo("MMU_UNLOAD");
    }
}
