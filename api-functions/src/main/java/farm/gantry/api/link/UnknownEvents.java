package farm.gantry.api.link;

import farm.gantry.api.json.RecordReader;
import farm.gantry.wire.LinkRequest;
import io.micronaut.json.tree.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Events whose kinds only a later version of the API knows. They are acknowledged, because the agent would otherwise
 * repeat them and everything after them indefinitely.
 *
 * @param body the message without them
 * @param lastSequence the highest sequence among them, 0 without any
 */
record UnknownEvents(JsonNode body, long lastSequence) {
    private static final Logger LOG = LoggerFactory.getLogger(UnknownEvents.class);
    private static final int MAX_WORD = 60;
    private static final int MAX_LOGGED_KINDS = 10;
    private static final String EVENTS = "events";
    private static final Set<String> KINDS =
            Arrays.stream(LinkRequest.Kind.values()).map(Enum::name).collect(Collectors.toUnmodifiableSet());

    static UnknownEvents separate(JsonNode message, String agentId) {
        JsonNode events = message.get(EVENTS);
        if (events == null || !events.isArray() || events.size() > LinkRequest.MAX_EVENTS) {
            return new UnknownEvents(message, 0);
        }
        List<JsonNode> known = new ArrayList<>();
        long last = 0;
        Set<String> kinds = new TreeSet<>();
        for (JsonNode event : events.values()) {
            UnknownEvent unknown = UnknownEvent.of(event);
            if (unknown == null) {
                known.add(event);
            } else {
                if (kinds.size() < MAX_LOGGED_KINDS) {
                    kinds.add(unknown.kind());
                }
                last = Math.max(last, unknown.sequence());
            }
        }
        if (known.size() == events.size()) {
            return new UnknownEvents(message, 0);
        }
        LOG.warn(
                "agent {}: dropped {} events of kinds that this version of the API does not know; update the API. Kinds: {}",
                agentId,
                events.size() - known.size(),
                String.join(", ", kinds));
        return new UnknownEvents(RecordReader.with(message, EVENTS, JsonNode.createArrayNode(known)), last);
    }

    /** A kind this version does not know, in an event that can be acknowledged. */
    private record UnknownEvent(long sequence, String kind) {
        static @Nullable UnknownEvent of(JsonNode event) {
            JsonNode kind = event.get("kind");
            JsonNode sequence = event.get("sequence");
            if (kind == null || !kind.isString() || KINDS.contains(kind.getStringValue())) {
                return null;
            }
            boolean isWhole = sequence != null
                    && sequence.isNumber()
                    && (sequence.getNumberValue() instanceof Integer || sequence.getNumberValue() instanceof Long);
            return sequence == null || !isWhole
                    ? null
                    : new UnknownEvent(sequence.getLongValue(), printable(kind.getStringValue()));
        }

        private static String printable(String word) {
            return word.substring(0, Math.min(word.length(), MAX_WORD)).replaceAll("[^\\w.-]", "?");
        }
    }
}
