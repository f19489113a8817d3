package farm.gantry.api.json;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import farm.gantry.api.error.Faults;
import farm.gantry.api.error.SimilarName;
import io.micronaut.core.beans.BeanIntrospector;
import io.micronaut.core.type.Argument;
import io.micronaut.json.tree.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds the fields of a body that the server ignores: unknown ones, and those of a record that a client cannot set.
 * Only the names are compared, at any depth; values are not checked.
 */
final class IgnoredFields {
    private final List<String> paths = new ArrayList<>();
    private final Faults unknown = new Faults();
    private final boolean isStrict;

    /** Creates a search that collects a fault for each unknown field if {@code isStrict}. */
    IgnoredFields(boolean isStrict) {
        this.isStrict = isStrict;
    }

    /** Returns the paths of all ignored fields. */
    List<String> paths() {
        return paths;
    }

    /** Looks at a body of the shape. Throws the faults if there are any. */
    void find(BodyShape shape, JsonNode body) {
        findIn(shape, body);
        unknown.check();
    }

    private void findIn(BodyShape shape, JsonNode body) {
        if (shape.field() == null) {
            value(shape, shape.type(), body, "");
        } else if (body.isObject()) {
            RecordShape outer = RecordShape.of(shape.type());
            for (Map.Entry<String, JsonNode> field : body.entries()) {
                if (!outer.byName().containsKey(field.getKey())) {
                    addUnknown(field.getKey(), field.getKey(), outer.byName(), Map.of());
                }
            }
            JsonNode inner = body.get(shape.field().name());
            if (inner != null) {
                value(
                        shape.field().shape(),
                        shape.field().shape().type(),
                        inner,
                        shape.field().name());
            }
        }
    }

    private void value(BodyShape shape, Class<?> type, JsonNode json, String path) {
        if (type.isArray()) {
            for (int i = 0; json.isArray() && i < json.size(); i++) {
                value(shape, type.getComponentType(), json.get(i), path + "[" + i + "]");
            }
        } else if (isRecord(type) && json.isObject()) {
            record(type, json, path, shape, null);
        }
    }

    private static boolean isRecord(Class<?> type) {
        return type.isRecord()
                && BeanIntrospector.SHARED.findIntrospection(type).isPresent();
    }

    /** {@code top} is the shape of the body, if the record is not inside of another. */
    private void record(
            Class<?> type, JsonNode json, String path, @Nullable BodyShape top, @Nullable String discriminator) {
        Map<String, RecordShape.Component> known = RecordShape.of(type).byName();
        Map<String, RecordShape.Component> more = top == null || top.with() == null
                ? Map.of()
                : RecordShape.of(top.with()).byName();
        for (Map.Entry<String, JsonNode> field : json.entries()) {
            String name = field.getKey();
            String at = path.isEmpty() ? name : path + "." + name;
            RecordShape.Component component = known.getOrDefault(name, more.get(name));
            if (component != null) {
                boolean isFixed =
                        component.setBySystem() || (top != null && top.isChange() && component.setAtCreation());
                if (isFixed && !more.containsKey(name)) {
                    paths.add(at);
                } else {
                    component(component.argument(), field.getValue(), at);
                }
            } else if (!name.equals(discriminator)) {
                addUnknown(name, at, known, more);
            }
        }
    }

    private void component(Argument<?> argument, JsonNode json, String at) {
        Class<?> type = argument.getType();
        if (List.class.isAssignableFrom(type)) {
            Argument<?> element = argument.getTypeParameters()[0];
            if (json.isArray()) {
                for (int i = 0; i < json.size(); i++) {
                    component(element, json.get(i), at + "[" + i + "]");
                }
            } else {
                component(element, json, at); // one object in place of a list of one
            }
        } else if (!json.isObject()) {
            return;
        } else if (Map.class.isAssignableFrom(type)) {
            for (Map.Entry<String, JsonNode> entry : json.entries()) {
                component(argument.getTypeParameters()[1], entry.getValue(), at + "." + entry.getKey());
            }
        } else if (type.isSealed()) {
            variant(type, json, at);
        } else if (isRecord(type)) {
            record(type, json, at, null, null);
        }
    }

    /** An object that names no known variant is rejected when it is read. */
    private void variant(Class<?> type, JsonNode json, String at) {
        JsonTypeInfo info = type.getAnnotation(JsonTypeInfo.class);
        JsonNode named = json.get(info.property());
        if (named == null) {
            if (info.defaultImpl() != JsonTypeInfo.class) {
                record(info.defaultImpl(), json, at, null, info.property());
            }
        } else if (named.isString()) {
            Arrays.stream(type.getPermittedSubclasses())
                    .filter(variant ->
                            variant.getAnnotation(JsonTypeName.class).value().equals(named.getStringValue()))
                    .forEach(variant -> record(variant, json, at, null, info.property()));
        }
    }

    private void addUnknown(String name, String at, Map<String, ?> known, Map<String, ?> more) {
        paths.add(at);
        if (isStrict) {
            Set<String> names = new TreeSet<>(known.keySet());
            names.addAll(more.keySet());
            unknown.add(at, "unknown", at + " is not a known field" + SimilarName.suggest(name, names));
        }
    }
}
