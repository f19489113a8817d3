package farm.gantry.api.csv;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.CsvTable;
import farm.gantry.api.json.JsonText;
import farm.gantry.api.json.RecordShape;
import io.micronaut.json.tree.JsonNode;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A column of an import: a field of a record, or of an object in it, such as {@code metadata.host}.
 *
 * @param path the names of the field and of the objects around it, outermost first
 * @param type type of the field's value
 * @param isReadOnly whether only the server sets the field, so that the column of an exported list is ignored
 */
record CsvColumn(List<String> path, Class<?> type, boolean isReadOnly) {
    /** A number in a text, such as a nozzle's diameter. */
    private static final Pattern DECIMAL_COMMA = Pattern.compile("\\d+,\\d+");

    /** Returns the column of this name in a record of this type. */
    static Optional<CsvColumn> find(Class<?> record, String name) {
        List<String> path = List.of(name.split("\\.", -1));
        Class<?> type = record;
        boolean isReadOnly = false;
        for (String step : path) {
            if (Map.class.isAssignableFrom(type) || step.equals(discriminator(type))) {
                return Optional.of(new CsvColumn(path, String.class, isReadOnly));
            }
            Optional<RecordShape.Component> component = component(type, step);
            if (component.isEmpty()) {
                return Optional.empty();
            }
            type = component.get().argument().getType();
            isReadOnly |= component.get().setBySystem();
        }
        return Optional.of(new CsvColumn(path, type, isReadOnly));
    }

    /** Returns the field that says which record of a sealed interface it is; null for other types. */
    private static @Nullable String discriminator(Class<?> type) {
        JsonTypeInfo info = type.getAnnotation(JsonTypeInfo.class);
        return info == null ? null : info.property();
    }

    /** Returns this column below the member {@code name} of an outer object. */
    CsvColumn under(String name) {
        return new CsvColumn(Stream.concat(Stream.of(name), path.stream()).toList(), type, isReadOnly);
    }

    /** Returns the component of a record, or of a record that implements the sealed interface. */
    private static Optional<RecordShape.Component> component(Class<?> type, String name) {
        Stream<Class<?>> records =
                type.isSealed() ? Arrays.stream(type.getPermittedSubclasses()) : Stream.<Class<?>>of(type);
        return records.filter(Class::isRecord)
                .flatMap(record ->
                        Stream.ofNullable(RecordShape.of(record).byName().get(name)))
                .findFirst();
    }

    /** Returns the JSON value of a cell; a text that does not suit the type stays a text, which is then rejected. */
    JsonNode parse(String cell, boolean hasDecimalComma) {
        String text = cell.strip();
        if (type == boolean.class || type == Boolean.class) {
            String lower = text.toLowerCase(Locale.ROOT);
            return lower.equals("true") || lower.equals("false")
                    ? JsonNode.createBooleanNode(Boolean.parseBoolean(lower))
                    : JsonNode.createStringNode(text);
        } else if (type.isPrimitive() || Number.class.isAssignableFrom(type)) {
            return parseNumber(hasDecimalComma ? text.replace(',', '.') : text);
        } else if (Collection.class.isAssignableFrom(type) && !text.startsWith("[")) {
            return JsonNode.createArrayNode(Arrays.stream(text.split("[,;]"))
                    .map(String::strip)
                    .map(JsonNode::createStringNode)
                    .toList());
        } else if (isText(type)) {
            boolean isDecimal = hasDecimalComma && DECIMAL_COMMA.matcher(text).matches();
            return JsonNode.createStringNode(isDecimal ? text.replace(',', '.') : CsvTable.withoutGuard(text));
        }
        return parseJson(text);
    }

    private static boolean isText(Class<?> type) {
        return type == String.class || type.isEnum() || type.getName().startsWith("java.time.");
    }

    private static JsonNode parseNumber(String text) {
        try {
            return JsonNode.createNumberNode(new BigDecimal(text));
        } catch (NumberFormatException e) {
            return JsonNode.createStringNode(text);
        }
    }

    private static JsonNode parseJson(String text) {
        try {
            return JsonText.parse(text);
        } catch (ProblemException e) {
            return JsonNode.createStringNode(text);
        }
    }
}
