package farm.gantry.api.webhook;

import farm.gantry.api.json.JsonText;
import farm.gantry.api.json.RawJson;
import farm.gantry.notification.EventName;
import farm.gantry.notification.NotificationSetting;
import io.micronaut.json.tree.JsonNode;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Turns the events of a stored channel into the booleans of responses. */
final class EventSubscriptionFlags {
    private EventSubscriptionFlags() {}

    /** Returns the channel with a boolean for each event in place of the array of those it is subscribed to. */
    static RawJson<NotificationSetting> of(RawJson<NotificationSetting> stored) {
        Map<String, JsonNode> fields = new LinkedHashMap<>();
        JsonText.parse(stored.text()).entries().forEach(field -> {
            if (field.getKey().equals("events")) {
                addFlags(fields, field.getValue());
            } else {
                fields.put(field.getKey(), field.getValue());
            }
        });
        return RawJson.of(JsonText.write(JsonNode.createObjectNode(fields)));
    }

    private static void addFlags(Map<String, JsonNode> fields, JsonNode subscribed) {
        Set<String> names = new HashSet<>();
        subscribed.values().forEach(name -> names.add(name.getStringValue()));
        for (EventName event : EventName.values()) {
            fields.put(event.name(), JsonNode.createBooleanNode(names.contains(event.name())));
        }
    }
}
