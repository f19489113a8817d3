package farm.gantry.api.description;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Adds a sentence from a file to each property that has no description. The key of a sentence is {@code property},
 * {@code Schema.property} or, for a property of an object inside a schema, {@code Schema.outer.property}; the longest key that
 * matches is used. All forms of a record, such as {@code PartInsert} and {@code PartPartial}, use the keys of {@code Part}.
 */
final class PropertyDescriptions {
    static final Path FILE = Path.of("src/test/resources/property-descriptions.properties");

    private static final String DESCRIPTION = "description";
    private static final String PROPERTIES = "properties";
    private static final Pattern FORM =
            Pattern.compile("(Partial|Embedded|Insert|BulkUpdate|Update|Input|SearchResponse)$");

    private final Properties sentences = new Properties();
    private final Set<String> used = new LinkedHashSet<>();
    private final List<String> missing = new ArrayList<>();

    PropertyDescriptions() {
        try (var reader = Files.newBufferedReader(FILE)) {
            sentences.load(reader);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Adds the sentences to all schemas of the API's description. */
    Map<String, @Nullable Object> addTo(Map<String, @Nullable Object> description) {
        Map<?, ?> components = (Map<?, ?>) Objects.requireNonNull(description.get("components"));
        ((Map<?, ?>) Objects.requireNonNull(components.get("schemas")))
                .forEach((name, schema) ->
                        visit(schema, FORM.matcher(String.valueOf(name)).replaceFirst("")));
        return description;
    }

    /** Returns the properties that still have no description. */
    List<String> missing() {
        return missing;
    }

    /** Returns the keys of the file that no property uses. */
    Set<String> unused() {
        Set<String> unused = new TreeSet<>(sentences.stringPropertyNames());
        unused.removeAll(used);
        return unused;
    }

    private void visit(@Nullable Object schema, String place) {
        if (!(schema instanceof Map<?, ?> members)) {
            return;
        }
        for (String joined : List.of("allOf", "anyOf", "oneOf")) {
            if (members.get(joined) instanceof List<?> several) {
                several.forEach(each -> visit(each, place));
            }
        }
        visit(members.get("items"), place);
        visit(members.get("additionalProperties"), place);
        if (members.get(PROPERTIES) instanceof Map<?, ?> properties) {
            properties.forEach((name, property) -> describe(place, String.valueOf(name), property));
        }
    }

    @SuppressWarnings("unchecked") // made by this package
    private void describe(String place, String name, @Nullable Object property) {
        Map<String, @Nullable Object> members = (Map<String, @Nullable Object>) Objects.requireNonNull(property);
        if (!members.containsKey(DESCRIPTION)) {
            String schema = place.substring(0, (place + ".").indexOf('.'));
            List<String> keys = List.of(place + "." + name, schema + "." + name, name);
            keys.stream()
                    .filter(sentences::containsKey)
                    .findFirst()
                    .ifPresentOrElse(
                            key -> {
                                used.add(key);
                                members.put(DESCRIPTION, sentences.getProperty(key));
                            },
                            () -> missing.add(place + "." + name));
        }
        visit(property, place + "." + name);
    }
}
