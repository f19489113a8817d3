package farm.gantry.api.mcp;

import farm.gantry.Id;
import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import io.micronaut.json.tree.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** Finds records by id or name, and makes their fields short. */
final class Records {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final int MAX_MATCHES = 6;

    private Records() {}

    /** Returns the field as text, or null if it has no value. */
    static @Nullable String text(JsonNode record, String field) {
        JsonNode value = record.get(field);
        return value == null || value.isNull() ? null : value.coerceStringValue();
    }

    /** Returns the field as text, or {@code otherwise} if it has no value. */
    static String text(JsonNode record, String field, String otherwise) {
        String text = text(record, field);
        return text == null ? otherwise : text;
    }

    static boolean isTrue(JsonNode record, String field) {
        return "true".equals(text(record, field));
    }

    static double number(JsonNode record, String field) {
        JsonNode value = record.get(field);
        return value == null || !value.isNumber() ? 0 : value.getDoubleValue();
    }

    /** Returns the time of the field to the minute, or null if it has no value. */
    static @Nullable String time(JsonNode record, String field) {
        String time = text(record, field);
        return time == null ? null : TIME.format(Instant.parse(time));
    }

    /** Returns the duration with its two largest units, such as {@code 1 h 20 min}. */
    static String duration(double seconds) {
        Duration duration = Duration.ofMinutes(Math.max(1, Math.round(seconds / 60)));
        return duration.toDays() > 0
                ? duration.toDays() + " d " + duration.toHoursPart() + " h"
                : duration.toHours() > 0
                        ? duration.toHours() + " h " + duration.toMinutesPart() + " min"
                        : duration.toMinutes() + " min";
    }

    static long grams(JsonNode record, String field) {
        return Math.round(number(record, field));
    }

    static List<JsonNode> list(JsonNode array) {
        return StreamSupport.stream(array.values().spliterator(), false).toList();
    }

    /** Returns the field of each record of the array as text. */
    static List<String> texts(JsonNode array, String field) {
        return list(array).stream().map(each -> text(each, field, "")).toList();
    }

    /** Appends the value after {@code before}, if there is one. */
    static void append(StringBuilder text, String before, @Nullable Object value) {
        if (value != null) {
            text.append(before).append(value);
        }
    }

    /** Returns a value of a list's filter that matches this text; commas would separate several values. */
    static String filterValue(String text) {
        return text.replace(",", "\\,");
    }

    /** Returns a map of the names and values that are not null, in this order. */
    static Map<String, Object> map(@Nullable Object... namesAndValues) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            Object value = namesAndValues[i + 1];
            if (value != null) {
                map.put(String.valueOf(namesAndValues[i]), value);
            }
        }
        return map;
    }

    /**
     * Returns the record with this id or this value of the field; 404 if there is none, 409 if there are several.
     *
     * @param argument name of the tool's argument, for the message
     * @param path path of the list
     */
    static JsonNode find(LocalApi api, String argument, String path, String field, String idOrName) {
        if (idOrName.matches(Id.PATTERN)) {
            return api.get(path + "/" + idOrName, Map.of());
        }
        JsonNode found = search(api, path, field, idOrName);
        if (found.size() == 0) {
            List<String> similar = texts(search(api, path, field + ".contains", idOrName), field);
            throw new ProblemException(new Problem.NotFound(argument + ": nothing has the id or " + field + " '"
                    + idOrName + "'; "
                    + (similar.isEmpty()
                            ? "ask the person for the exact " + field
                            : "similar ones are " + String.join(", ", similar))));
        } else if (found.size() > 1) {
            throw ProblemException.conflict(argument + ": several have the " + field + " '" + idOrName
                    + "'; use the id of one: " + String.join(", ", texts(found, "id")));
        }
        return found.get(0);
    }

    private static JsonNode search(LocalApi api, String path, String filter, String value) {
        return api.get(path, Map.of(filter, filterValue(value), "limit", String.valueOf(MAX_MATCHES)));
    }

    /** Returns the names of these printers by id; empty if the key may not view printers. */
    static Map<String, String> printerNames(LocalApi api, List<String> ids) {
        Operation printers = Operation.get("/v1/printers");
        return ids.isEmpty() || !api.isPermitted(printers)
                ? Map.of()
                : list(api.get(printers.path(), Map.of("id.in", String.join(",", ids), "fields", "id,name"))).stream()
                        .collect(Collectors.toMap(each -> text(each, "id", ""), each -> text(each, "name", "")));
    }
}
