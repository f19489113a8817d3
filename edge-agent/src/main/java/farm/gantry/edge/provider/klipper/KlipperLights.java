package farm.gantry.edge.provider.klipper;

import farm.gantry.edge.printer.Arguments;
import farm.gantry.edge.printer.Bindings;
import farm.gantry.edge.refusal.Refusal;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Light commands. Lights are pins or LED strips; only a pin's name shows that it drives a light. */
record KlipperLights(List<String> objects, Bindings bindings) {
    private static final String USUAL = "light";
    private static final String PIN = "output_pin";
    private static final String PIN_ORDER = "SET_PIN PIN={object} VALUE={value}";
    private static final String LED_ORDER = "SET_LED LED={object} RED={value} GREEN={value} BLUE={value}";

    String order(Arguments arguments) throws Refusal {
        Map<String, String> value = Map.of("value", arguments.isOn("state") ? "1" : "0");
        String light = arguments.word("light", USUAL);
        String own = bindings.componentGcode(light, value);
        return own.isBlank() ? Bindings.filled(order(light, bindings.component(light, "object", "")), value) : own;
    }

    /** Bound G-code that names no light applies to the default light alone. */
    private String order(String light, String bound) throws Refusal {
        String order = bindings.gcode("setLight", PIN_ORDER, Map.of());
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
                ? Stream.of(pins.called(USUAL), leds.called(USUAL), pins.with(USUAL), leds.with(USUAL), leds)
                : Stream.of(
                        pins.called(wanted),
                        leds.called(wanted),
                        pins.with(USUAL).with(wanted),
                        leds.with(wanted));
        KlipperObjectList found =
                places.filter(parts -> !parts.isEmpty()).findFirst().orElse(new KlipperObjectList(List.of()));
        return found.only(wanted.equals(USUAL) ? USUAL : "light " + wanted);
    }
}
