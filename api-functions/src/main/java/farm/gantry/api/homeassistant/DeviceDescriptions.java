package farm.gantry.api.homeassistant;

import farm.gantry.api.capability.Capabilities;
import farm.gantry.api.http.address.PublicUrl;
import farm.gantry.json.Tree;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterState;
import farm.gantry.version.ProductVersion;
import jakarta.inject.Singleton;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Describes devices to Home Assistant: one message per device with all its entities, as Home Assistant 2024.11 and later
 * read it.
 */
@Singleton
final class DeviceDescriptions {
    private static final String TOKEN = "print";
    private static final String BED_TOKEN = "bedToken";

    private final Capabilities capabilities;
    private final PublicUrl address;

    DeviceDescriptions(Capabilities capabilities, PublicUrl address) {
        this.capabilities = capabilities;
        this.address = address;
    }

    /** Returns the description of a printer. Without {@code canControl} it has no buttons and no light. */
    Map<String, Object> printer(HomeAssistantTopics topics, Printer printer, boolean canControl, boolean hasCamera) {
        Map<String, Object> device = new LinkedHashMap<>();
        device.put("identifiers", List.of(topics.printerDevice(printer.id())));
        device.put("name", printer.name());
        putIfKnown(device, "manufacturer", printer.vendorName());
        putIfKnown(device, "model", printer.modelName());
        putIfKnown(device, "configuration_url", address.configured().orElse(null));
        device.put("via_device", topics.farmDevice());

        Entities entities = new Entities(topics.printerDevice(printer.id()), topics.state(printer.id()));
        entities.addReading("status", "sensor", "Status", Map.of("device_class", "enum", "options", statuses()));
        entities.entity("status").putAll(farmAvailability(topics));
        entities.addReading(
                "progress", "sensor", "Progress", Map.of("unit_of_measurement", "%", "state_class", "measurement"));
        entities.addReading("nozzle", "sensor", "Nozzle temperature", temperature());
        entities.addReading("bed", "sensor", "Bed temperature", temperature());
        entities.addReading(
                "remaining",
                "sensor",
                "Remaining time",
                Map.of("device_class", "duration", "unit_of_measurement", "min", "state_class", "measurement"));
        entities.addReading("part", "sensor", "Current part", Map.of("icon", "mdi:cube-outline"));
        entities.addReading("problem", "binary_sensor", "Problem", Map.of("device_class", "problem"));
        entities.entity("problem").putAll(attributes(topics.state(printer.id()), "messages"));
        entities.addReading("bedClear", "binary_sensor", "Bed clear", Map.of("icon", "mdi:check-circle-outline"));
        if (hasCamera) {
            entities.add("camera", "camera", "Camera", Map.of("topic", topics.camera(printer.id())));
        }
        if (canControl) {
            addControls(entities, topics, printer);
        }
        Map<String, Object> message = message(device, entities);
        message.put(
                "availability",
                List.of(
                        Map.of("topic", topics.farmAvailability()),
                        Map.of("topic", topics.availability(printer.id()))));
        message.put("availability_mode", "all");
        return message;
    }

    private void addControls(Entities entities, HomeAssistantTopics topics, Printer printer) {
        addButton(entities, topics, printer, HomeAssistantTopics.Command.PAUSE, "Pause", "mdi:pause", TOKEN);
        addButton(entities, topics, printer, HomeAssistantTopics.Command.RESUME, "Resume", "mdi:play", TOKEN);
        addButton(entities, topics, printer, HomeAssistantTopics.Command.STOP, "Stop", "mdi:stop", TOKEN);
        addButton(
                entities,
                topics,
                printer,
                HomeAssistantTopics.Command.BED_CLEARED,
                "Mark bed as clear",
                "mdi:broom",
                BED_TOKEN);
        findLight(printer)
                .ifPresent(_ -> entities.add(
                        "light",
                        "light",
                        "Light",
                        Map.of(
                                "schema",
                                "template",
                                "command_topic",
                                topics.command(printer.id(), HomeAssistantTopics.Command.LIGHT),
                                "command_on_template",
                                command("light", "on"),
                                "command_off_template",
                                command("light", "off"),
                                "optimistic",
                                true,
                                "retain",
                                false)));
    }

    private static void addButton(
            Entities entities,
            HomeAssistantTopics topics,
            Printer printer,
            HomeAssistantTopics.Command command,
            String name,
            String icon,
            String token) {
        Map<String, Object> button = new LinkedHashMap<>();
        button.put("icon", icon);
        button.put("command_topic", topics.command(printer.id(), command));
        button.put("command_template", command(token, "{{ this.attributes." + token + " }}"));
        button.put("qos", 1);
        button.put("retain", false);
        button.putAll(attributes(topics.state(printer.id()), token));
        if (command == HomeAssistantTopics.Command.BED_CLEARED) {
            button.putAll(farmAvailability(topics));
        }
        entities.add(command.name().toLowerCase(Locale.ROOT), "button", name, button);
    }

    /** Returns the template of a command that names what was shown when it was sent, and the time. */
    private static String command(String name, String value) {
        return "{\"" + name + "\":\"" + value + "\",\"at\":{{ now().timestamp() }}}";
    }

    /** Makes a member of the state message an attribute of the entity. */
    private static Map<String, Object> attributes(String topic, String member) {
        return Map.of(
                "json_attributes_topic",
                topic,
                "json_attributes_template",
                "{{ {'" + member + "': value_json." + member + "} | tojson }}");
    }

    /** Returns the first light that can be switched. */
    Optional<String> findLight(Printer printer) {
        return Tree.list(capabilities.find(printer).capability(), "lights").stream()
                .flatMap(light -> Stream.ofNullable(Tree.text(light, "ref")))
                .findFirst();
    }

    /** Returns the description of the farm: its queue and the printer that is free next. */
    Map<String, Object> farm(HomeAssistantTopics topics, String name) {
        Map<String, Object> device = new LinkedHashMap<>();
        device.put("identifiers", List.of(topics.farmDevice()));
        device.put("name", name);
        device.put("manufacturer", "Gantry");
        device.put("sw_version", ProductVersion.CURRENT.text());
        putIfKnown(device, "configuration_url", address.configured().orElse(null));
        Entities entities = new Entities(topics.farmDevice(), topics.queue());
        entities.addReading(
                "queue",
                "sensor",
                "Queue length",
                Map.of("unit_of_measurement", "jobs", "state_class", "measurement", "icon", "mdi:tray-full"));
        entities.addReading("nextFree", "sensor", "Next free printer", Map.of("icon", "mdi:printer-3d"));
        entities.entity("nextFree").putAll(attributes(topics.queue(), "minutes"));
        Map<String, Object> message = message(device, entities);
        message.putAll(farmAvailability(topics));
        return message;
    }

    private static Map<String, Object> message(Map<String, Object> device, Entities entities) {
        Map<String, Object> message = new LinkedHashMap<>();
        message.put("device", device);
        message.put("origin", Map.of("name", "Gantry", "sw_version", ProductVersion.CURRENT.text()));
        message.put("components", entities.components());
        return message;
    }

    private static Map<String, Object> farmAvailability(HomeAssistantTopics topics) {
        return Map.of("availability", List.of(Map.of("topic", topics.farmAvailability())));
    }

    private static Map<String, Object> temperature() {
        return Map.of("device_class", "temperature", "unit_of_measurement", "°C", "state_class", "measurement");
    }

    private static List<String> statuses() {
        return Arrays.stream(PrinterState.Status.values())
                .filter(status -> status != PrinterState.Status.unknown)
                .map(Enum::name)
                .toList();
    }

    private static void putIfKnown(Map<String, Object> map, String name, @Nullable String value) {
        if (value != null && !value.isBlank()) {
            map.put(name, value);
        }
    }

    /** The entities of a device. */
    private record Entities(String device, String stateTopic, Map<String, Map<String, Object>> components) {
        Entities(String device, String stateTopic) {
            this(device, stateTopic, new LinkedHashMap<>());
        }

        Map<String, Object> entity(String id) {
            return components.computeIfAbsent(id, _ -> new LinkedHashMap<>());
        }

        void add(String id, String platform, String name, Map<String, ?> fields) {
            Map<String, Object> entity = entity(id);
            entity.put("platform", platform);
            entity.put("unique_id", device + "_" + id);
            entity.put("name", name);
            entity.putAll(fields);
        }

        /** Adds an entity that shows the member of the state message with its id. */
        void addReading(String id, String platform, String name, Map<String, ?> fields) {
            add(id, platform, name, fields);
            entity(id).put("state_topic", stateTopic);
            entity(id).put("value_template", "{{ value_json." + id + " }}");
        }
    }
}
