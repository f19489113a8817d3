package farm.gantry.api.description;

import static farm.gantry.api.description.Trees.object;
import static farm.gantry.api.description.Trees.orNull;

import farm.gantry.job.PrintJob;
import farm.gantry.notification.EventName;
import farm.gantry.order.Order;
import farm.gantry.part.Part;
import farm.gantry.printer.Printer;
import io.micronaut.core.type.Argument;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Describes the deliveries of each webhook event, with the words of the guide's table of events. */
final class EventDescriptions {
    private static final Pattern NAME = Pattern.compile("`([^`]+)`");

    private static final String DELIVERY = """
        Sent to `webhookUrl` of the store's webhook, if it has subscribed to this event. `data.printer` and `data.printJob` \
        are the records as they were at the time of the event, or null.

        Answer with a 2xx status within 15 seconds. A delivery is sent at least once: a repeated one has the same \
        `webhook-id`. A failed one is repeated after about 1 minute, 5 minutes, 30 minutes, 2 hours, 5 hours and 10 hours; \
        after the seventh attempt it has failed. 429, 502, 503, 504 and no answer pause all deliveries, for `Retry-After` or \
        a minute. The tenth failure within 24 hours disables the webhook, and so does 410.\
        """;

    private final Schemas schemas;

    EventDescriptions(Schemas schemas) {
        this.schemas = schemas;
    }

    /** Returns the webhooks by the name of their event. */
    Map<String, @Nullable Object> webhooks() {
        Map<String, @Nullable Object> webhooks = new TreeMap<>();
        for (List<String> row : GuideTables.rows("webhooks.md", 3)) {
            List<String> names = names(row.getFirst());
            boolean areEvents =
                    Arrays.stream(EventName.values()).map(EventName::name).anyMatch(names::contains);
            if (areEvents) {
                names.forEach(name ->
                        webhooks.put(name, object("post", delivery(name, row.get(1), names(row.get(2))))));
            }
        }
        return webhooks;
    }

    private static List<String> names(String cell) {
        return NAME.matcher(cell)
                .results()
                .map((MatchResult name) -> name.group(1))
                .toList();
    }

    private Map<String, @Nullable Object> delivery(String event, String when, List<String> more) {
        return object(
                "operationId",
                event,
                "tags",
                List.of("Webhooks"),
                "summary",
                "Receive " + event,
                "description",
                "The event means: " + when + ".\n\n" + DELIVERY,
                "security",
                List.of(),
                "parameters",
                headers().keySet().stream().map(Parameters::reference).toList(),
                "requestBody",
                object(
                        "required",
                        true,
                        "content",
                        object("application/json", object("schema", named(event, body(event, more))))),
                "responses",
                object(
                        "2XX",
                        object("description", "The delivery was received."),
                        "410",
                        object("description", "The receiver is gone for good: the webhook is disabled."),
                        "default",
                        object("description", "The delivery failed and is repeated.")));
    }

    /** Adds the schema to the components, so that clients have a type for it, and returns a reference to it. */
    private Map<String, @Nullable Object> named(String event, Map<String, @Nullable Object> schema) {
        String name = event.substring(0, 1).toUpperCase(Locale.ROOT) + event.substring(1) + "Event";
        schemas.named().put(name, schema);
        return Schemas.reference(name);
    }

    private Map<String, @Nullable Object> body(String event, List<String> more) {
        Map<String, @Nullable Object> data = object(
                "printer",
                described(orNull(schemas.answer(Argument.of(Printer.class))), "The printer that the event is about."),
                "printJob",
                described(
                        orNull(schemas.answer(Argument.of(PrintJob.class))), "The print job that the event is about."));
        more.forEach(name -> data.put(name, member(name)));
        return object(
                "type",
                "object",
                "description",
                "A delivery of the event `" + event + "`.",
                "required",
                List.of("event", "timestamp", "data"),
                "properties",
                object(
                        "event",
                        object("type", "string", "description", "Name of the event.", "const", event),
                        "timestamp",
                        object("type", "string", "format", "date-time", "description", "When it happened."),
                        "data",
                        object(
                                "type",
                                "object",
                                "description",
                                "The records that the event is about.",
                                "required",
                                List.copyOf(data.keySet()),
                                "properties",
                                data)));
    }

    private Map<String, @Nullable Object> member(String name) {
        return switch (name) {
            case "reason" -> object("type", "string", "description", "Why it happened, for people.");
            case "part" -> described(orNull(schemas.answer(Argument.of(Part.class))), "The part.");
            case "order" ->
                described(orNull(schemas.queried(Argument.of(Order.class))), "The order with its items and customer.");
            case "materialUsage" ->
                object(
                        "type",
                        "array",
                        "description",
                        "One object for each spool that the print took filament from.",
                        "items",
                        object(
                                "type",
                                "object",
                                "required",
                                List.of("instanceId", "grams"),
                                "properties",
                                object(
                                        "instanceId",
                                        object("type", "string", "description", "Id of the spool."),
                                        "grams",
                                        object("type", "number", "description", "Grams that the print took."),
                                        "remainingGrams",
                                        object(
                                                "type",
                                                "number",
                                                "description",
                                                "Grams that are left, if it is known."))));
            case "materialInstance" ->
                object(
                        "type",
                        "object",
                        "description",
                        "The spool.",
                        "required",
                        List.of("id", "name", "remainingGrams"),
                        "properties",
                        object(
                                "id",
                                object("type", "string", "description", "Id of the spool."),
                                "name",
                                orNull(object("type", "string", "description", "Its name, or null.")),
                                "remainingGrams",
                                object("type", "number", "description", "Grams that are left.")));
            case "agent" ->
                object(
                        "type",
                        "object",
                        "description",
                        "The agent.",
                        "required",
                        List.of("id", "name"),
                        "properties",
                        object(
                                "id",
                                object("type", "string", "description", "Id of the agent."),
                                "name",
                                object("type", "string", "description", "Its name.")));
            default -> throw new IllegalArgumentException("no schema for data." + name);
        };
    }

    private static Map<String, @Nullable Object> described(Map<String, @Nullable Object> schema, String description) {
        schema.put("description", description);
        return schema;
    }

    /** Returns the headers of every delivery, by their names. */
    static Map<String, Map<String, @Nullable Object>> headers() {
        Map<String, Map<String, @Nullable Object>> headers = new TreeMap<>();
        add(headers, "X-API-Key", "The `apiKey` that was set with the webhook.");
        add(headers, "webhook-id", "Id of the delivery, the same at every attempt.");
        add(headers, "webhook-timestamp", "Time of this attempt, in seconds since 1970.");
        add(
                headers,
                "webhook-signature",
                "`v1,` and the HMAC-SHA256 of `webhook-id.webhook-timestamp.body` in base 64, by Standard Webhooks."
                        + " The key is what follows `whsec_` in the webhook's `signingSecret`, decoded from base 64. Of"
                        + " several signatures, separated by spaces, one must match.");
        return headers;
    }

    private static void add(Map<String, Map<String, @Nullable Object>> headers, String name, String description) {
        headers.put(
                name,
                object(
                        "name",
                        name,
                        "in",
                        "header",
                        "required",
                        true,
                        "description",
                        description,
                        "schema",
                        object("type", "string")));
    }
}
