package farm.gantry.api.description;

import static farm.gantry.api.description.Trees.object;
import static farm.gantry.api.description.Trees.orNull;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import farm.gantry.Id;
import farm.gantry.annotation.AsFlags;
import farm.gantry.annotation.Computed;
import farm.gantry.annotation.ComputedDefault;
import farm.gantry.annotation.CreateOnly;
import farm.gantry.annotation.Default;
import farm.gantry.annotation.Encrypted;
import farm.gantry.annotation.Example;
import farm.gantry.annotation.Merged;
import farm.gantry.annotation.OnRequest;
import farm.gantry.annotation.Resource;
import farm.gantry.annotation.Secret;
import farm.gantry.annotation.SystemSet;
import farm.gantry.api.hint.Hint;
import farm.gantry.api.printer.PatchSchemas;
import farm.gantry.api.query.BulkPatch;
import farm.gantry.api.query.Columns;
import farm.gantry.api.query.InMemory;
import farm.gantry.api.query.Relation;
import farm.gantry.api.query.SearchResponse;
import io.micronaut.core.annotation.AnnotationMetadata;
import io.micronaut.core.beans.BeanIntrospection;
import io.micronaut.core.beans.EnumBeanIntrospection;
import io.micronaut.core.type.Argument;
import io.micronaut.core.type.GenericPlaceholder;
import io.micronaut.json.tree.JsonNode;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** JSON schemas of the records, as responses contain them and as request bodies are read. */
final class Schemas {
    /**
     * Where a record stands: in an answer; in the answer to a query, which may leave fields out and embed others; embedded
     * in that one; in a body that makes one, in a body that changes one, or inside a body. Each embeds only what stands
     * behind it, so that no schema holds itself.
     */
    enum Use {
        ANSWER(""),
        QUERIED("Partial"),
        EMBEDDED("Embedded"),
        INSERT("Insert"),
        UPDATE("Update"),
        BODY("Input");

        private final String suffix;

        String suffix() {
            return suffix;
        }

        boolean isAnswered() {
            return this == ANSWER || this == QUERIED || this == EMBEDDED;
        }

        Use(String suffix) {
            this.suffix = suffix;
        }
    }

    static final String REFERENCE = "#/components/schemas/";

    private final Javadocs docs;
    private final Variants variants;
    private final TreeMap<String, Map<String, @Nullable Object>> named = new TreeMap<>();
    private final TreeMap<String, Object> answered = new TreeMap<>();

    Schemas(Javadocs docs) {
        this.docs = docs;
        this.variants = new Variants(this);
    }

    /** Adds an example to each record whose request body has one, preferably to the form that queries return. */
    void exemplify() {
        Samples samples = new Samples(named);
        answered.forEach((name, given) -> {
            Object sample = samples.of(name, given);
            Stream.of(Use.QUERIED, Use.ANSWER)
                    .map(use -> named.get(name + use.suffix()))
                    .filter(Objects::nonNull)
                    .findFirst()
                    .ifPresent(schema -> schema.put("examples", List.of(sample)));
        });
    }

    /** Returns the named schemas that were used, and those inside them. */
    Map<String, Map<String, @Nullable Object>> named() {
        return named;
    }

    static Map<String, @Nullable Object> reference(String name) {
        return object("$ref", REFERENCE + name);
    }

    /** Returns the schema of a route's response. */
    Map<String, @Nullable Object> answer(Argument<?> type) {
        return of(type, Use.ANSWER, null);
    }

    /** Returns the schema of a query's response: a record, or a page of records. */
    Map<String, @Nullable Object> queried(Argument<?> type) {
        return of(type, Use.QUERIED, null);
    }

    /** Returns the schema of a list's response: an array, or a page. Each has its own name, so that clients have a type. */
    Map<String, @Nullable Object> listOrPage(Argument<?> listed) {
        Map<String, @Nullable Object> list = object("type", "array", "items", queried(listed));
        list.put("x-generate-alias-as-model", true); // or openapi-generator writes List<…>.class for it
        String name = name(listed.getType()) + "List";
        named.put(name, list);
        Map<String, @Nullable Object> page = queried(Argument.of(SearchResponse.class, listed));
        named.put(
                name + "OrPage",
                object(
                        "description",
                        "The records, or a page of them with `meta=true` or `hints=true`.",
                        "oneOf",
                        List.of(reference(name), page)));
        return reference(name + "OrPage");
    }

    /**
     * Returns the schema of a request's body; {@code change} is true for a body that changes records instead of creating them.
     */
    Map<String, @Nullable Object> body(Class<?> type, boolean change) {
        if (type == String[].class) {
            return ids(object("type", "string")); // one that cannot be an id is passed over, as an unknown one is
        } else if (type.isArray()) {
            return object("type", "array", "items", body(type.getComponentType(), change));
        } else if (type == Object.class) {
            return object("type", "object");
        }
        Use use = !type.isAnnotationPresent(Resource.class) ? Use.BODY : change ? Use.UPDATE : Use.INSERT;
        return of(Argument.of(type), use, null);
    }

    /** Lets the body that the schema refers to hold another record's fields, too. */
    @SuppressWarnings("unchecked") // we made them
    void add(Class<?> with, Map<String, @Nullable Object> reference) {
        String name = String.valueOf(reference.get("$ref")).substring(REFERENCE.length());
        Map<String, Map<String, @Nullable Object>> fields =
                (Map<String, Map<String, @Nullable Object>>) Objects.requireNonNull(
                        properties(Argument.of(with), Use.BODY, null).get("properties"));
        fields.values().forEach(field -> describe(field, with));
        Map<String, @Nullable Object> schema = Objects.requireNonNull(named.get(name));
        ((Map<String, Object>) Objects.requireNonNull(schema.get("properties"))).putAll(fields);
    }

    /** The body of one change to many records of the type. */
    Map<String, @Nullable Object> bulk(Class<?> resource) {
        Map<String, @Nullable Object> schema = object("type", "object");
        describe(schema, BulkPatch.class);
        schema.put("required", List.of("ids", "update"));
        named.put("Ids", ids(id()));
        schema.put("properties", object("ids", reference("Ids"), "update", body(resource, true)));
        String name = name(resource) + "BulkUpdate";
        named.put(name, schema);
        return reference(name);
    }

    /** Of the records of one change to many. */
    private static Map<String, @Nullable Object> ids(Map<String, @Nullable Object> each) {
        Map<String, @Nullable Object> ids = object("type", "array", "minItems", 1, "maxItems", 1000, "items", each);
        ids.put("description", "At most 1,000 ids; more are refused, and nothing is changed.");
        return ids;
    }

    static Map<String, @Nullable Object> id() {
        return object("type", "string", "pattern", Id.PATTERN);
    }

    private Map<String, @Nullable Object> of(Argument<?> argument, Use use, @Nullable Argument<?> parameter) {
        Argument<?> type = argument instanceof GenericPlaceholder<?> && parameter != null ? parameter : argument;
        Map<String, @Nullable Object> schema = plain(type, use, parameter);
        Constraints.add(schema, argument.getAnnotationMetadata());
        return schema;
    }

    private Map<String, @Nullable Object> plain(Argument<?> type, Use use, @Nullable Argument<?> parameter) {
        Class<?> java = type.getType();
        if (CharSequence.class.isAssignableFrom(java)) {
            return object("type", "string");
        } else if (java == boolean.class || java == Boolean.class) {
            return object("type", "boolean");
        } else if (java == int.class || java == Integer.class) {
            return object("type", "integer", "format", "int32");
        } else if (java == long.class || java == Long.class) {
            return object("type", "integer", "format", "int64");
        } else if (java == double.class || java == Double.class) {
            return object("type", "number", "format", "double");
        } else if (java == BigDecimal.class) {
            return object("type", "number");
        } else if (java == Instant.class) {
            return object("type", "string", "format", "date-time");
        } else if (java.isEnum()) {
            return choice(java);
        } else if (List.class.isAssignableFrom(java)) {
            return object("type", "array", "items", of(type.getTypeParameters()[0], use, parameter));
        } else if (Map.class.isAssignableFrom(java)) {
            Map<String, @Nullable Object> map =
                    object("type", "object", "additionalProperties", of(type.getTypeParameters()[1], use, parameter));
            Map<String, @Nullable Object> names = object();
            Constraints.add(names, type.getTypeParameters()[0].getAnnotationMetadata());
            if (!names.isEmpty()) {
                map.put("propertyNames", names);
            }
            return map;
        } else if (java == Object.class || java == JsonNode.class) {
            return object();
        }
        return reference(java.isSealed() ? variants.of(java, use) : record(type, use));
    }

    /** A record inside another is replaced whole, whatever is done to the outer one. */
    private static Use inside(Use use) {
        return use.isAnswered() ? Use.ANSWER : Use.BODY;
    }

    private static boolean isListed(Class<?> type) {
        return type.isAnnotationPresent(Resource.class) || type.isAnnotationPresent(InMemory.class);
    }

    private static Map<String, Relation> related(Class<?> type) {
        return type.isAnnotationPresent(Resource.class) ? new TreeMap<>(Relation.of(Columns.of(type))) : Map.of();
    }

    private Map<String, @Nullable Object> choice(Class<?> java) {
        Map<String, @Nullable Object> schema = object("type", "string");
        describe(schema, java);
        schema.put("enum", constants(java));
        return schema;
    }

    private static List<String> constants(Class<?> java) {
        List<String> names = new ArrayList<>();
        for (var constant : ((EnumBeanIntrospection<?>) BeanIntrospection.getIntrospection(java)).getConstants()) {
            names.add(constant.stringValue(JsonProperty.class)
                    .orElse(constant.getValue().name()));
        }
        return names;
    }

    String record(Argument<?> type, Use requested) {
        Use use = isListed(type.getType())
                        && (requested != Use.EMBEDDED
                                || !related(type.getType()).isEmpty())
                ? requested
                : requested.isAnswered() ? Use.ANSWER : requested;
        StringBuilder arguments = new StringBuilder();
        for (Argument<?> each : type.getTypeParameters()) {
            arguments.append(name(each.getType()));
        }
        String name = arguments + name(type.getType()) + use.suffix;
        if (!named.containsKey(name)) {
            named.put(name, object()); // a record within itself finds it
            named.put(name, use == Use.EMBEDDED ? embedded(type) : properties(type, use, parameter(type)));
        }
        return name;
    }

    /** The record as in other answers, with the relations that an embedded record may have. */
    private Map<String, @Nullable Object> embedded(Argument<?> type) {
        Map<String, @Nullable Object> relations =
                object("type", "object", "properties", relations(type.getType(), Use.EMBEDDED));
        return object("allOf", List.of(answer(type), relations));
    }

    /** Returns the type argument of a generic record; none has two. */
    private static @Nullable Argument<?> parameter(Argument<?> type) {
        return type.getTypeParameters().length == 0 ? null : type.getTypeParameters()[0];
    }

    static String name(Class<?> type) {
        Class<?> outer = type.getEnclosingClass();
        return outer == null ? type.getSimpleName() : name(outer) + type.getSimpleName();
    }

    private Map<String, @Nullable Object> properties(Argument<?> type, Use use, @Nullable Argument<?> parameter) {
        BeanIntrospection<?> shape = BeanIntrospection.getIntrospection(type.getType());
        Use within = type.getType() == SearchResponse.class ? Use.QUERIED : inside(use);
        boolean omits = omits(shape, false);
        List<String> required = new ArrayList<>();
        Map<String, @Nullable Object> properties = new LinkedHashMap<>();
        for (Argument<?> component : shape.getConstructorArguments()) {
            AnnotationMetadata marks = shape.getRequiredProperty(component.getName(), component.getType())
                    .getAnnotationMetadata();
            boolean ours = marks.hasAnnotation(SystemSet.class) || marks.hasAnnotation(Computed.class);
            if ((ours && !use.isAnswered()) || (use == Use.UPDATE && marks.hasAnnotation(CreateOnly.class))) {
                continue;
            }
            String name = marks.stringValue(JsonProperty.class).orElse(component.getName());
            boolean omitted = component.isNullable() && (marks.hasAnnotation(OnRequest.class) || omits(marks, omits));
            boolean optional = component.isNullable()
                    || marks.hasAnnotation(Default.class)
                    || marks.hasAnnotation(ComputedDefault.class);
            boolean always = switch (use) {
                case ANSWER, EMBEDDED -> !omitted;
                case QUERIED, UPDATE -> false;
                case INSERT, BODY -> !optional;
            };
            boolean flags = marks.hasAnnotation(AsFlags.class);
            List<String> names = flags ? constants(component.getTypeParameters()[0].getType()) : List.of(name);
            if (always) {
                required.addAll(names);
            }
            Argument<?> value = flags ? Argument.BOOLEAN : component;
            for (String each : names) {
                properties.put(
                        each,
                        component(
                                of(value, within, parameter),
                                component.getName(),
                                marks,
                                use,
                                component.isNullable() && (!omitted || marks.hasAnnotation(OnRequest.class))));
            }
        }
        properties.putAll(relations(type.getType(), use));
        if (use == Use.QUERIED || type.getType() == SearchResponse.class) {
            properties.put("hints", hints());
        }
        Map<String, @Nullable Object> schema = object("type", "object");
        describe(schema, type.getType());
        if (!required.isEmpty()) {
            schema.put("required", required);
        }
        schema.put("properties", properties);
        Example example = type.getType().getAnnotation(Example.class);
        if (example != null && use.isAnswered()) {
            answered.put(name(type.getType()), Trees.of(example.value()));
        } else if (example != null && use != Use.UPDATE) {
            schema.put("examples", List.of(Trees.of(example.value())));
        }
        return schema;
    }

    /** Returns the properties that a record embeds on request or always. */
    private Map<String, @Nullable Object> relations(Class<?> record, Use use) {
        Map<String, @Nullable Object> relations = new LinkedHashMap<>();
        if (!use.isAnswered()) {
            return relations;
        }
        related(record).forEach((name, relation) -> {
            boolean unasked = Columns.of(record).embeds().contains(name);
            if (use != Use.ANSWER || unasked) {
                Argument<?> target = Argument.of(relation.target().type());
                Map<String, @Nullable Object> embedded =
                        of(target, use == Use.QUERIED ? Use.EMBEDDED : Use.ANSWER, null);
                Map<String, @Nullable Object> schema =
                        relation.many() ? object("type", "array", "items", embedded) : orNull(embedded);
                schema.put(
                        "description",
                        use == Use.EMBEDDED
                                ? "Where `include` names it behind this one and a dot."
                                : unasked
                                        ? "Always there, unless this record is itself embedded in another."
                                        : "With `include=" + name + "`.");
                schema.put("readOnly", true);
                relations.put(name, schema);
            }
        });
        return relations;
    }

    private Map<String, @Nullable Object> hints() {
        Map<String, @Nullable Object> schema = answer(Argument.listOf(Hint.class));
        schema.put("description", "With `hints=true`: what the caller may do next.");
        schema.put("readOnly", true);
        named.put("Hints", schema);
        return reference("Hints");
    }

    private static boolean omits(AnnotationMetadata marks, boolean otherwise) {
        return marks.enumValue(JsonInclude.class, JsonInclude.Include.class)
                .map(JsonInclude.Include.NON_NULL::equals)
                .orElse(otherwise);
    }

    private Map<String, @Nullable Object> component(
            Map<String, @Nullable Object> value, String name, AnnotationMetadata marks, Use use, boolean nullable) {
        Map<String, @Nullable Object> schema = marks.hasAnnotation(Merged.class) ? patch(name) : value;
        if (marks.hasAnnotation(SystemSet.class) && (name.equals("id") || name.equals("storeId"))) {
            schema.putAll(id());
        }
        if (nullable) {
            schema = orNull(schema);
        }
        if (use == Use.INSERT || use == Use.BODY) {
            Map<String, @Nullable Object> insert = schema;
            marks.stringValue(Default.class).ifPresent(text -> insert.put("default", Trees.of(text)));
        }
        if (use.isAnswered() && (marks.hasAnnotation(SystemSet.class) || marks.hasAnnotation(Computed.class))) {
            schema.put("readOnly", true);
        }
        if (marks.hasAnnotation(OnRequest.class)) {
            schema.put("description", "With `fields=" + name + "`; filters and `sort` take it always.");
        }
        if (marks.hasAnnotation(Secret.class)) {
            schema.put("description", "Secret: always reads `redacted`.");
            schema.put("format", "password");
            schema.put("x-secret", true);
        }
        if (marks.hasAnnotation(Encrypted.class)) {
            List<String> keys = List.of(marks.stringValues(Encrypted.class));
            if (keys.isEmpty()) {
                Variants.sealed(schema);
            } else {
                variants.seal(schema, keys);
            }
        }
        return schema;
    }

    private Map<String, @Nullable Object> patch(String field) {
        String name = field.substring(0, 1).toUpperCase(Locale.ROOT) + field.substring(1);
        named.put(name, PatchSchemas.of(field));
        return reference(name);
    }

    void describe(Map<String, @Nullable Object> schema, Class<?> type) {
        Javadocs.Comment comment = docs.of(type);
        if (comment != null) {
            schema.put("description", comment.whole());
        }
    }
}
