package farm.gantry.api.notification;

import farm.gantry.api.http.address.PublicUrl;
import farm.gantry.notification.EventName;
import farm.gantry.notification.MessageTemplate;
import farm.gantry.notification.MessageTemplate.Placeholder;
import io.micronaut.json.tree.JsonNode;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Composes messages about events from the {@code data} of their webhook deliveries. */
@Singleton
public final class EventMessages {
    /** Maximum length of a sentence's reason and names, so that messages fit into those of every service. */
    private static final int MAX_LENGTH = 300;
    /** Maximum length of a digest before the sentence about the rest; Pushover accepts 1024 characters. */
    private static final int MAX_DIGEST_LENGTH = 900;

    /** Maximum lengths of the filled template of a channel, of which Pushover's are the least. */
    private static final int MAX_TITLE_LENGTH = 200;

    private static final int MAX_TEXT_LENGTH = 900;

    /** Subject of a fault of the whole store. */
    public static final String STORE = "store";

    private static final String EXAMPLE_ID = "0mwq3f7k2v9x4b8n1c6z5t01";

    private final PublicUrl address;

    EventMessages(PublicUrl address) {
        this.address = address;
    }

    /** Returns the severity of the messages about an event. */
    public Message.Severity severity(EventName event) {
        return Template.of(event).severity();
    }

    /** Returns the message about an event. */
    public Message of(EventName event, JsonNode data) {
        Template template = Template.of(event);
        Optional<String> printer = name(data, "printer", "name");
        String part = partName(data).orElse(template.sentence().startsWith("{part}") ? "A part" : "a part");
        String text = template.sentence()
                .replace("{ on printer}", printer.map(name -> " on " + name).orElse(""))
                .replace("{printer}", printer.orElse("A printer"))
                .replace("{part}", part)
                .replace("{spool}", name(data, "materialInstance", "name").orElse("The spool"))
                .replace(
                        "{agent}",
                        name(data, "agent", "name")
                                .map(name -> "The agent " + name)
                                .orElse("An agent"))
                .replace("{order}", name(data, "order", "orderNumber").orElse("without a number"));
        String reason = reason(event, data);
        return new Message(
                template.title(),
                reason == null ? text : text + lead(event) + sentence(reason),
                template.severity(),
                link(data));
    }

    /**
     * Returns the message about an event by a channel's template, if it has one. A placeholder without a value is left out; a
     * title or text of which nothing remains is that of Gantry.
     */
    public Message of(EventName event, JsonNode data, @Nullable MessageTemplate template) {
        Message message = of(event, data);
        if (template == null) {
            return message;
        }
        Function<Placeholder, String> values = placeholder -> switch (placeholder) {
            case title -> message.title();
            case sentence -> message.text();
            case reason -> Objects.requireNonNullElse(reason(event, data), "");
            case printer -> name(data, "printer", "name").orElse("");
            case part -> partName(data).orElse("");
            case order -> name(data, "order", "orderNumber").orElse("");
            case spool -> name(data, "materialInstance", "name").orElse("");
            case agent -> name(data, "agent", "name").orElse("");
            case link -> Objects.requireNonNullElse(message.link(), "");
        };
        return new Message(
                fill(template.title(), values, message.title(), MAX_TITLE_LENGTH),
                fill(template.text(), values, message.text(), MAX_TEXT_LENGTH),
                message.severity(),
                message.link());
    }

    private static String fill(
            @Nullable String template, Function<Placeholder, String> values, String usual, int maxLength) {
        String filled =
                template == null ? "" : MessageTemplate.fill(template, values).strip();
        return filled.isEmpty() ? usual : cut(filled, maxLength);
    }

    /** Returns the message about an event of made-up names by a template. */
    public Message example(EventName event, @Nullable MessageTemplate template) {
        String sentence = Template.of(event).sentence();
        Map<String, Object> data = new LinkedHashMap<>();
        if (sentence.contains("printer}")) {
            data.put("printer", Map.of("id", EXAMPLE_ID, "name", "Voron 3"));
        }
        if (sentence.contains("{part}")) {
            data.put("part", Map.of("id", EXAMPLE_ID, "name", "lamp foot"));
        }
        if (sentence.contains("{order}")) {
            data.put("order", Map.of("id", EXAMPLE_ID, "orderNumber", "1042"));
        }
        if (sentence.contains("{spool}")) {
            data.put("materialInstance", Map.of("name", "PLA black 7"));
        }
        if (sentence.contains("{agent}")) {
            data.put("agent", Map.of("name", "Hall 2"));
        }
        if (event == EventName.onJobFailed) {
            data.put("reason", "out of filament");
        }
        return of(event, JsonNode.from(data), template);
    }

    /** Returns the message about further events of the same name that are not sent one by one. */
    public Message ofMore(EventName event, int count) {
        Template template = Template.of(event);
        return new Message(
                template.title(),
                count + " more events of this kind occurred at the same time.",
                template.severity(),
                console("").orElse(null));
    }

    /** Returns the text of a message as it is sent, with the number of its events if there were several. */
    public Message counted(Message message) {
        return message.occurrences() == 1
                ? message
                : new Message(
                        message.title(),
                        message.text() + " (" + message.occurrences() + " times within a minute)",
                        message.severity(),
                        message.link(),
                        null,
                        message.picture());
    }

    /** Returns a message about a fault that ended after this time. */
    public Message resolved(Message message, Duration after) {
        return new Message(
                cut("Resolved: " + message.title(), MAX_TITLE_LENGTH),
                message.text() + " (ended after " + describe(after) + ")",
                Message.Severity.info,
                message.link());
    }

    private static String describe(Duration time) {
        if (time.compareTo(Duration.ofMinutes(2)) < 0) {
            return count(time.toSeconds(), "second");
        }
        if (time.compareTo(Duration.ofHours(2)) < 0) {
            return count(time.toMinutes(), "minute");
        }
        return time.compareTo(Duration.ofDays(2)) < 0 ? count(time.toHours(), "hour") : count(time.toDays(), "day");
    }

    private static String count(long number, String unit) {
        return number + " " + unit + (number == 1 ? "" : "s");
    }

    /**
     * Returns the id of the printer, job, part, order, spool or agent that has the fault which the event reports, or {@link #STORE}; empty
     * for an event that reports no fault or one whose end is not known.
     */
    public Optional<String> faultySubject(EventName event, JsonNode data) {
        return switch (event) {
            case onPrinterOffline, onPrinterHmsError, onPrinterQuarantined, onBedNeedsClearing ->
                name(data, "printer", "id");
            case onJobPaused -> name(data, "printJob", "id");
            case onPartHeld -> name(data, "part", "id");
            case onOrderLate -> name(data, "order", "id");
            case onFilamentLow, onFilamentRunOut -> name(data, "materialInstance", "id");
            case onAgentOffline -> name(data, "agent", "id");
            case onQueuePaused, onBackupFailed -> Optional.of(STORE);
            default -> Optional.empty();
        };
    }

    /** Returns one message that lists the messages of quiet hours, the most severe ones first. */
    public Message digest(List<Message> messages) {
        Map<String, Integer> countsByText = new LinkedHashMap<>();
        messages.stream()
                .sorted(Comparator.comparing(Message::severity).reversed())
                .forEach(each -> countsByText.merge(each.text(), each.occurrences(), Integer::sum));
        StringBuilder text = new StringBuilder();
        int left = 0;
        for (Map.Entry<String, Integer> entry : countsByText.entrySet()) {
            String line = entry.getKey() + (entry.getValue() == 1 ? "" : " (" + entry.getValue() + " times)") + "\n";
            if (left == 0 && (text.isEmpty() || text.length() + line.length() <= MAX_DIGEST_LENGTH)) {
                text.append(line);
            } else {
                left += entry.getValue();
            }
        }
        if (left > 0) {
            text.append(left).append(" more are in the log of the channel.");
        }
        int count = messages.stream().mapToInt(Message::occurrences).sum();
        return new Message(
                count + " notifications during quiet hours",
                text.toString().strip(),
                Collections.max(messages.stream().map(Message::severity).toList()),
                console("").orElse(null));
    }

    /** Returns the message that tests a channel. */
    public Message test(String channelName) {
        return new Message(
                "Test from Gantry",
                "The channel \"" + shorten(channelName) + "\" can send messages.",
                Message.Severity.info,
                console("").orElse(null));
    }

    private static Optional<String> partName(JsonNode data) {
        return name(data, "part", "name").or(() -> name(data, "printJob", "partName"));
    }

    private static @Nullable String reason(EventName event, JsonNode data) {
        JsonNode reason = data.get("reason");
        if (reason != null && reason.isString()) {
            return shorten(reason.getStringValue());
        }
        return switch (event) {
            case onJobFailed -> name(data, "printJob", "errorMessage").orElse(null);
            case onPartHeld -> name(data, "part", "heldReason").orElse(null);
            default -> null;
        };
    }

    /** Returns the text before the reason; that of a part that was read says what became of its print. */
    private static String lead(EventName event) {
        return event == EventName.onPartProcessed || event == EventName.onPartProcessingFailed ? " " : " Reason: ";
    }

    private static Optional<String> name(JsonNode data, String record, String field) {
        return Optional.ofNullable(data.get(record))
                .filter(JsonNode::isObject)
                .map(found -> found.get(field))
                .filter(JsonNode::isString)
                .map(JsonNode::getStringValue)
                .filter(text -> !text.isBlank())
                .map(EventMessages::shorten);
    }

    private static String shorten(String text) {
        return cut(text.strip().replaceAll("\\s+", " "), MAX_LENGTH);
    }

    /** Returns the text, of which an ellipsis replaces what exceeds this number of characters. */
    static String cut(String text, int maxLength) {
        return text.codePointCount(0, text.length()) <= maxLength
                ? text
                : text.substring(0, text.offsetByCodePoints(0, maxLength - 1)) + "…";
    }

    private static String sentence(String reason) {
        return reason.matches(".*[.!?…]") ? reason : reason + ".";
    }

    /** Returns the page of the printer, order or part; null if the address of this installation is not set. */
    private @Nullable String link(JsonNode data) {
        String page = name(data, "printer", "id")
                .map(id -> "/printers/" + id)
                .or(() -> name(data, "order", "id").map(id -> "/orders/" + id))
                .or(() -> name(data, "part", "id").map(id -> "/parts/" + id))
                .orElse("");
        return console(page).orElse(null);
    }

    private Optional<String> console(String page) {
        return address.configured().map(url -> ChannelRequest.base(url) + "/console" + page);
    }
}
