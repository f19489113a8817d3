package farm.gantry.edge.provider.klipper;

import farm.gantry.edge.printer.connection.CommandArguments;
import farm.gantry.edge.printer.connection.PrinterBindings;
import farm.gantry.edge.refusal.Refusal;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Creates the G-code of light commands. A light is an output pin or an LED strip; whether a pin drives a light is
 * recognized by its name.
 */
record KlipperLights(List<String> objects, PrinterBindings bindings) {
    private static final String USUAL = "light";
    private static final String PIN = "output_pin";
    private static final String PIN_ORDER = "SET_PIN PIN={object} VALUE={value}";
    private static final String LED_ORDER = "SET_LED LED={object} RED={value} GREEN={value} BLUE={value}";

    String toGcode(CommandArguments arguments) throws Refusal {
        Map<String, String> value = Map.of("value", arguments.isOn("state") ? "1" : "0");
        String light = arguments.textOrDefault("light", USUAL);
        String own = bindings.componentGcode(light, value);
        return own.isBlank()
                ? PrinterBindings.fillPlaceholders(
                        toGcode(light, bindings.componentProperty(light, "object", "")), value)
                : own;
    }

    /**
     * Returns the G-code for a light. G-code from the bindings that names no light applies only to the default light.
     */
    private String toGcode(String light, String bound) throws Refusal {
        String order = bindings.commandGcode("setLight", PIN_ORDER, Map.of());
        boolean isMade = !order.equals(PIN_ORDER);
        if (isMade && light.equals(USUAL) && !order.contains("{object}")) {
            return order;
        }
        if (isMade && order.contains("{object}")) {
            return order.replace(
                    "{object}", bound.isEmpty() ? find(light, light).name() : bound);
        }
        KlipperObjectList.KlipperObject part = find(light, bound.isEmpty() ? light : bound);
        return (part.kind().equals(PIN) ? PIN_ORDER : LED_ORDER).replace("{object}", part.name());
    }

    private KlipperObjectList.KlipperObject find(String light, String wanted) throws Refusal {
        KlipperObjectList pins = KlipperObjectList.of(objects, PIN);
        KlipperObjectList leds = KlipperObjectList.of(objects, "neopixel", "led", "dotstar");
        Stream<KlipperObjectList> places = light.equals(USUAL) && wanted.equals(USUAL)
                ? Stream.of(pins.named(USUAL), leds.named(USUAL), pins.containing(USUAL), leds.containing(USUAL), leds)
                : Stream.of(
                        pins.named(wanted),
                        leds.named(wanted),
                        pins.containing(USUAL).containing(wanted),
                        leds.containing(wanted));
        KlipperObjectList found =
                places.filter(parts -> !parts.isEmpty()).findFirst().orElse(new KlipperObjectList(List.of()));
        return found.requireOnly(wanted.equals(USUAL) ? USUAL : "light " + wanted);
    }
}
