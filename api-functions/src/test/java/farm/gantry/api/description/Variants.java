package farm.gantry.api.description;

import static farm.gantry.api.description.Trees.object;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import io.micronaut.core.type.Argument;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Describes sealed types: one of several records, with a discriminator field. */
record Variants(Schemas schemas) {

    /** Describes a sealed type and returns its schema's name. */
    String of(Class<?> java, Schemas.Use use) {
        String name = Schemas.name(java) + use.suffix();
        JsonTypeInfo info = java.getAnnotation(JsonTypeInfo.class);
        if (info == null) {
            throw new IllegalArgumentException(java + " does not name its variants");
        }
        List<Map<String, @Nullable Object>> oneOf = new ArrayList<>();
        Map<String, @Nullable Object> mapping = new LinkedHashMap<>();
        for (Class<?> variant : java.getPermittedSubclasses()) {
            String variantName = schemas.record(Argument.of(variant), use);
            select(variantName, info, variant, use);
            oneOf.add(Schemas.reference(variantName));
            mapping.put(token(variant), Schemas.REFERENCE + variantName);
        }
        Map<String, @Nullable Object> schema = object();
        schemas.describe(schema, java);
        schema.put("oneOf", oneOf);
        schema.put("discriminator", object("propertyName", info.property(), "mapping", mapping));
        schemas.named().put(name, schema);
        return name;
    }

    private static String token(Class<?> variant) {
        return variant.getAnnotation(JsonTypeName.class).value();
    }

    /** Adds the discriminator to the schema of a variant. */
    @SuppressWarnings("unchecked") // we made them
    private void select(String name, JsonTypeInfo info, Class<?> variant, Schemas.Use use) {
        Map<String, @Nullable Object> schema =
                Objects.requireNonNull(schemas.named().get(name));
        Map<String, @Nullable Object> properties = new LinkedHashMap<>();
        properties.put(info.property(), object("type", "string", "enum", List.of(token(variant))));
        properties.putAll((Map<String, Object>) schema.get("properties"));
        schema.put("properties", properties);
        if (use == Schemas.Use.ANSWER || info.defaultImpl() != variant) {
            List<String> required = new ArrayList<>(List.of(info.property()));
            required.addAll((List<String>) schema.getOrDefault("required", List.of()));
            required = required.stream().distinct().toList();
            schema.remove("properties");
            schema.put("required", required);
            schema.put("properties", properties);
        }
    }

    /** Marks the secrets in a schema and in its variants. */
    @SuppressWarnings("unchecked") // we made them
    void seal(Map<String, @Nullable Object> schema, List<String> secrets) {
        if (schema.get("$ref") instanceof String reference) {
            seal(Objects.requireNonNull(schemas.named().get(reference.substring(Schemas.REFERENCE.length()))), secrets);
        }
        for (String joined : List.of("anyOf", "oneOf")) {
            if (schema.get(joined) instanceof List<?> several) {
                several.forEach(each -> seal((Map<String, @Nullable Object>) each, secrets));
            }
        }
        if (schema.get("properties") instanceof Map<?, ?> properties) {
            properties.forEach((name, property) -> {
                if (secrets.contains(name)) {
                    sealed((Map<String, @Nullable Object>) property);
                }
            });
        }
    }

    static void sealed(Map<String, @Nullable Object> property) {
        property.put("format", "password");
        property.put("x-secret", true);
    }
}
