package farm.gantry.api.json;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import farm.gantry.Id;
import farm.gantry.SelfValidating;
import farm.gantry.annotation.OneOrMany;
import farm.gantry.annotation.Scalar;
import farm.gantry.api.error.Faults;
import farm.gantry.api.error.ProblemException;
import farm.gantry.job.Priority;
import io.micronaut.core.annotation.AnnotationMetadata;
import io.micronaut.core.beans.BeanIntrospection;
import io.micronaut.core.type.Argument;
import io.micronaut.json.JsonMapper;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.validation.validator.Validator;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads a JSON tree into a record, collecting all faults, each with its path. */
@Singleton
public final class RecordReader {
    private final Validator validator;
    private final JsonMapper mapper;

    RecordReader(Validator validator, JsonMapper mapper) {
        this.validator = validator;
        this.mapper = mapper;
    }

    /**
     * Reads a record from a body. Components that only the service sets are read from {@code system}, never from the
     * body. Unknown fields are ignored, except those that {@link UnknownTagFields} rejects.
     *
     * @throws ProblemException with every fault found
     */
    public <R> R read(Class<R> type, JsonNode body, JsonNode system) {
        BodyReading reading = new BodyReading(system);
        Object record = reading.readRecord(type, body, "", true);
        reading.faults.check();
        return type.cast(Objects.requireNonNull(record));
    }

    public <R> R read(Class<R> type, JsonNode body) {
        return read(type, body, JsonNode.createObjectNode(Map.of()));
    }

    /**
     * Validates the fields of a merge patch on their own, independent of the record that it changes, and returns it.
     */
    public JsonNode checkPatch(Class<?> type, JsonNode body) {
        BodyReading reading = new BodyReading(JsonNode.createObjectNode(Map.of()));
        reading.checkPatch(type, body);
        reading.faults.check();
        return body;
    }

    /** Rejects the fields that {@link UnknownTagFields} finds in the body. */
    public void checkUnknownTags(Class<?> type, JsonNode body) {
        Faults faults = new Faults();
        UnknownTagFields.check(RecordShape.of(type), body, "", faults);
        faults.check();
    }

    /** Returns a copy of the body with the field set. */
    public static JsonNode with(JsonNode body, String field, JsonNode value) {
        Map<String, JsonNode> fields = fields(body);
        fields.put(field, value);
        return JsonNode.createObjectNode(fields);
    }

    /** Returns a copy of the body with the fields of the other object added or replaced. */
    public static JsonNode with(JsonNode body, JsonNode other) {
        Map<String, JsonNode> fields = fields(body);
        fields.putAll(fields(other));
        return JsonNode.createObjectNode(fields);
    }

    /** Returns a copy of the body without the field. */
    public static JsonNode without(JsonNode body, String field) {
        Map<String, JsonNode> fields = fields(body);
        fields.remove(field);
        return JsonNode.createObjectNode(fields);
    }

    private static Map<String, JsonNode> fields(JsonNode body) {
        Map<String, JsonNode> fields = new LinkedHashMap<>();
        body.entries().forEach(entry -> fields.put(entry.getKey(), entry.getValue()));
        return fields;
    }

    public JsonNode toTree(@Nullable Object value) {
        if (value == null) {
            return JsonNode.nullNode();
        }
        try {
            return Objects.requireNonNull(mapper.writeValueToTree(value));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public String toText(Object value) {
        if (value instanceof JsonNode tree) {
            return JsonText.write(tree);
        }
        try {
            return new String(mapper.writeValueAsBytes(value), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public JsonNode toTree(RawJson<?> json) {
        return parse(Arrays.copyOf(json.bytes(), json.length()));
    }

    private JsonNode parse(byte[] json) {
        try {
            return Objects.requireNonNull(mapper.readValue(json, Argument.of(JsonNode.class)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The state of reading one body. */
    private final class BodyReading {
        private final JsonNode system;
        private final Faults faults = new Faults();
        private final ScalarReader scalars = new ScalarReader(faults);

        BodyReading(JsonNode system) {
            this.system = system;
        }

        @Nullable
        Object readRecord(Class<?> type, JsonNode json, String path, boolean top) {
            if (!json.isObject()) {
                return addFault(path, "type", (path.isEmpty() ? "the body" : path) + " must be an object");
            }
            RecordShape shape = RecordShape.of(type);
            @Nullable Object[] values = new Object[shape.components().size()];
            int before = faults.size();
            UnknownTagFields.check(shape, json, path, faults);
            for (int i = 0; i < values.length; i++) {
                values[i] = readComponent(shape, shape.components().get(i), json, path, top);
            }
            return faults.size() > before
                    ? null
                    : checkConsistent(shape.introspection().instantiate(values), path);
        }

        private Object checkConsistent(Object record, String path) {
            if (record instanceof SelfValidating parts) {
                for (SelfValidating.Fault fault : parts.faults()) {
                    String at = joinPath(path, fault.component());
                    addFault(at, fault.code(), at + " " + fault.message());
                }
            }
            return record;
        }

        private static String joinPath(String path, String name) {
            return path.isEmpty() ? name : path + "." + name;
        }

        void checkPatch(Class<?> type, JsonNode json) {
            RecordShape shape = RecordShape.of(type);
            UnknownTagFields.check(shape, json, "", faults);
            for (RecordShape.Component component : shape.components()) {
                if (!component.setBySystem() && json.get(component.name()) != null) {
                    readComponent(shape, component, json, "", true);
                }
            }
        }

        private @Nullable Object readComponent(
                RecordShape shape, RecordShape.Component component, JsonNode json, String path, boolean top) {
            Argument<?> argument = component.argument();
            String name = component.name();
            String at = joinPath(path, name);
            boolean ours = top && component.setBySystem();
            JsonNode node = ours ? system.get(name) : json.get(name);
            if (node == null && component.defaultJson() != null) {
                node = parse(component.defaultJson().getBytes(StandardCharsets.UTF_8));
            }
            if (node == null || node.isNull()) {
                if (ours && argument.isPrimitive()) {
                    return argument.getType() == boolean.class ? false : 0;
                }
                return argument.isNullable()
                        ? null
                        : addFault(
                                at,
                                node == null ? "required" : "null",
                                at + (node == null ? " is required" : " must not be null"));
            }
            int before = faults.size();
            Object value = readValue(argument, node, at);
            if (faults.size() == before && !ours && component.isValidated()) {
                validate(shape.introspection(), argument.getName(), value, at);
            }
            return value;
        }

        @SuppressWarnings("unchecked") // the validator requires the class of the bean as a type argument
        private void validate(BeanIntrospection<?> shape, String component, @Nullable Object value, String at) {
            validator
                    .validateValue((Class<Object>) shape.getBeanType(), component, value)
                    .forEach(violation -> {
                        String where = violation.getPropertyPath().toString();
                        int bracket = where.indexOf('[');
                        String path = bracket < 0 ? at : at + toPath(where.substring(bracket), value);
                        addFault(path, "invalid", path + " " + shortenRange(violation.getMessage()));
                    });
        }

        /**
         * Converts a path of the validator to a path of the body: an element of a map is named by its key, as in {@link
         * #readMap}.
         */
        private static String toPath(String brackets, @Nullable Object value) {
            Set<?> keys = value instanceof Map<?, ?> map ? map.keySet() : Set.of();
            return keys.stream()
                    .map(String::valueOf)
                    .filter(key -> brackets.startsWith("[" + key + "]"))
                    .max(Comparator.comparingInt(String::length))
                    .map(key -> "." + key)
                    .orElseGet(() -> brackets.replaceAll("]<[^>]*>.*", "]"));
        }

        /** Shortens a message whose upper limit is the largest int, and describes an id instead of quoting its pattern. */
        private static String shortenRange(String message) {
            return message.equals("must match \"" + Id.PATTERN + "\"")
                    ? "must be an id: 24 characters of a to z and 0 to 9"
                    : message.replaceFirst("must be between (\\d+) and " + Integer.MAX_VALUE, "must be at least $1");
        }

        private @Nullable Object readValue(Argument<?> type, JsonNode node, String at) {
            Class<?> java = type.getType();
            if (java == String.class) {
                return scalars.readString(node, at);
            } else if (java == boolean.class || java == Boolean.class) {
                return node.isBoolean() ? node.getBooleanValue() : addFault(at, "type", at + " must be true or false");
            } else if (java == int.class || java == Integer.class) {
                return type.getAnnotationMetadata().hasAnnotation(Priority.class)
                        ? priority(node, at)
                        : readInteger(node, at);
            } else if (java == long.class || java == Long.class) {
                return scalars.readInteger(node, at, Long.MIN_VALUE, Long.MAX_VALUE);
            } else if (java == double.class || java == Double.class) {
                return scalars.readDouble(node, at);
            } else if (java == BigDecimal.class) {
                return scalars.readDecimal(node, at);
            } else if (java == Instant.class) {
                return scalars.readInstant(node, at);
            } else if (java.isEnum()) {
                return scalars.readEnum(java, node, at);
            } else if (List.class.isAssignableFrom(java)) {
                boolean isOne = node.isObject() && type.getAnnotationMetadata().hasAnnotation(OneOrMany.class);
                return readList(
                        type.getTypeParameters()[0], isOne ? JsonNode.createArrayNode(List.of(node)) : node, at);
            } else if (Map.class.isAssignableFrom(java)) {
                return readMap(type.getTypeParameters()[1], node, at);
            } else if (java == Object.class) {
                AnnotationMetadata marks = type.getAnnotationMetadata();
                return marks.hasAnnotation(Scalar.class)
                        ? scalars.readScalar(
                                node,
                                at,
                                marks.booleanValue(Scalar.class, "flags").orElse(true))
                        : readAny(node, at);
            } else if (java.isSealed()) {
                return readVariant(java, node, at);
            }
            return readRecord(java, node, at, false);
        }

        private @Nullable Object readInteger(JsonNode node, String at) {
            Long number = scalars.readInteger(node, at, Integer.MIN_VALUE, Integer.MAX_VALUE);
            return number == null ? null : Integer.valueOf(number.intValue());
        }

        private @Nullable Object priority(JsonNode node, String at) {
            for (int priority : new int[] {Priority.NORMAL, Priority.LOW}) {
                if (node.isNumber() && node.getDoubleValue() == priority) {
                    return priority;
                }
            }
            return addFault(
                    at, node.isNumber() ? "enum" : "type", at + " must be 100 (normal) or 1000 (only when idle)");
        }

        private @Nullable Object readList(Argument<?> element, JsonNode node, String at) {
            if (!node.isArray()) {
                return addFault(at, "type", at + " must be an array");
            }
            List<@Nullable Object> list = new ArrayList<>();
            for (JsonNode item : node.values()) {
                String path = at + "[" + list.size() + "]";
                list.add(item.isNull() ? readNull(element, path) : readValue(element, item, path));
            }
            return Collections.unmodifiableList(list);
        }

        private @Nullable Object readMap(Argument<?> element, JsonNode node, String at) {
            if (!node.isObject()) {
                return addFault(at, "type", at + " must be an object");
            }
            Map<String, @Nullable Object> map = new LinkedHashMap<>();
            for (Map.Entry<String, JsonNode> entry : node.entries()) {
                String path = at + "." + entry.getKey();
                if (!StorableText.isStorable(entry.getKey())) {
                    addFault(at, "invalid", at + " must not contain a NUL character or an unpaired surrogate");
                }
                JsonNode value = entry.getValue();
                map.put(entry.getKey(), value.isNull() ? readNull(element, path) : readValue(element, value, path));
            }
            return Collections.unmodifiableMap(map);
        }

        /** Reads a null inside a list or map. It is valid only if the elements may be any JSON. */
        private @Nullable Object readNull(Argument<?> element, String at) {
            return element.getType() == Object.class ? null : addFault(at, "null", at + " must not be null");
        }

        private @Nullable Object readAny(JsonNode node, String at) {
            if (node.isArray()) {
                return readList(Argument.OBJECT_ARGUMENT, node, at);
            } else if (node.isObject()) {
                return readMap(Argument.OBJECT_ARGUMENT, node, at);
            } else if (node.isString()) {
                return scalars.readString(node, at);
            }
            return node.isNumber() ? scalars.readNumber(node, at) : node.getValue();
        }

        private @Nullable Object readVariant(Class<?> java, JsonNode node, String at) {
            JsonTypeInfo info = java.getAnnotation(JsonTypeInfo.class);
            if (info == null) {
                throw new IllegalArgumentException(java + " has no variants");
            }
            if (!node.isObject()) {
                return addFault(at, "type", at + " must be an object");
            }
            JsonNode named = node.get(info.property());
            if (named == null) {
                return info.defaultImpl() == JsonTypeInfo.class
                        ? addFault(at + "." + info.property(), "required", at + "." + info.property() + " is required")
                        : readRecord(info.defaultImpl(), node, at, false);
            }
            List<String> names = new ArrayList<>();
            for (Class<?> variant : java.getPermittedSubclasses()) {
                String name = variant.getAnnotation(JsonTypeName.class).value();
                if (named.isString() && name.equals(named.getStringValue())) {
                    return readRecord(variant, node, at, false);
                }
                names.add(name);
            }
            String path = at + "." + info.property();
            return addFault(path, "enum", path + " must be one of " + String.join(", ", names));
        }

        private @Nullable Object addFault(String path, String code, String message) {
            faults.add(path, code, message);
            return null;
        }
    }
}
