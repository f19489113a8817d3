package farm.gantry.api.fuzz;

import farm.gantry.Id;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Generates values for a schema: mostly valid, sometimes boundary values, sometimes invalid. */
final class Values {
    private static final String REFERENCE = "#/components/";
    private static final int MAX_DEPTH = 6;

    private static final List<@Nullable Object> HOSTILE = hostile();

    private final Map<?, ?> description;
    private final RandomGenerator random;
    private final KnownIds ids;

    Values(Map<?, ?> description, RandomGenerator random, KnownIds ids) {
        this.description = description;
        this.random = random;
        this.ids = ids;
    }

    private static List<@Nullable Object> hostile() {
        List<@Nullable Object> values = new ArrayList<>(List.of(
                "",
                " ",
                "\0",
                "a\0b",
                "'; drop table farm.part; --",
                "%s%n${jndi:ldap://x}",
                "../../etc/passwd",
                "\uD800",
                "\uFFFF\uFEFF\u202E",
                "𝕳𝖊𝖑𝖑𝖔",
                "x".repeat(300),
                "x".repeat(70_000),
                "1e400",
                "NaN",
                "2026-02-30T00:00:00Z",
                "+1000000000-01-01T00:00:00Z",
                "9999-12-31T23:59:59.999999999Z",
                "http://169.254.169.254/latest",
                "uploads:../../x",
                Integer.MAX_VALUE,
                Integer.MIN_VALUE,
                Long.MAX_VALUE,
                Long.MIN_VALUE));
        values.addAll(List.of(
                1e308,
                -1e308,
                4.9e-324,
                0.1,
                -1,
                0,
                1,
                true,
                false,
                List.of(),
                Map.of(),
                Map.of("", ""),
                List.of(List.of())));
        values.add(Map.of("$ref", "x", "__proto__", Map.of("a", 1)));
        values.add(null);
        return values;
    }

    @Nullable
    Object hostileValue() {
        return HOSTILE.get(random.nextInt(HOSTILE.size()));
    }

    /** {@code name} is that of the field or parameter. */
    @Nullable
    Object of(String name, Map<?, ?> schema) {
        return of(name, schema, 0);
    }

    /** Returns the schema that a reference names, or the schema itself. */
    Map<?, ?> resolved(Map<?, ?> schema) {
        if (schema.get("$ref") instanceof String reference) {
            Object found = description.get("components");
            for (String name : reference.substring(REFERENCE.length()).split("/", -1)) {
                found = ((Map<?, ?>) java.util.Objects.requireNonNull(found)).get(name);
            }
            return resolved((Map<?, ?>) java.util.Objects.requireNonNull(found));
        }
        return schema;
    }

    private @Nullable Object of(String name, Map<?, ?> unresolved, int depth) {
        if (random.nextInt(60) == 0) {
            return hostileValue();
        }
        Map<?, ?> schema = resolved(unresolved);
        for (String several : List.of("anyOf", "oneOf")) {
            if (schema.get(several) instanceof List<?> choices) {
                return of(name, (Map<?, ?>) choices.get(random.nextInt(choices.size())), depth + 1);
            }
        }
        if (schema.get("enum") instanceof List<?> words) {
            return words.get(random.nextInt(words.size()));
        }
        Object type = schema.get("type") instanceof List<?> types
                ? types.get(random.nextInt(types.size()))
                : schema.get("type");
        return switch (String.valueOf(type)) {
            case "string" -> text(name, schema);
            case "integer" -> (long) number(schema);
            case "number" -> number(schema) + (random.nextBoolean() ? 0 : 0.25);
            case "boolean" -> random.nextBoolean();
            case "array" -> list(name, schema, depth);
            case "null" -> null;
            default -> object(schema, depth);
        };
    }

    private String text(String name, Map<?, ?> schema) {
        if (Id.PATTERN.equals(schema.get("pattern")) || name.endsWith("Id") || random.nextInt(30) == 0) {
            return ids.of(name);
        } else if ("date-time".equals(schema.get("format"))) {
            return "20%02d-0%d-11T14:08:12.310Z".formatted(random.nextInt(100), 1 + random.nextInt(9));
        } else if ("uri".equals(schema.get("format"))) {
            return "https://example.com/" + random.nextInt(100);
        }
        int least = schema.get("minLength") instanceof Number number ? number.intValue() : 0;
        int most = schema.get("maxLength") instanceof Number number ? Math.min(number.intValue(), 400) : 20;
        int length = random.nextInt(10) == 0 ? most : Math.max(least, random.nextInt(Math.min(12, most) + 1));
        StringBuilder text = new StringBuilder();
        while (text.length() < length) {
            text.append((char) ('a' + random.nextInt(26)));
        }
        return text.toString();
    }

    private double number(Map<?, ?> schema) {
        long least = schema.get("minimum") instanceof Number number ? number.longValue() : -5;
        long most = schema.get("maximum") instanceof Number number ? number.longValue() : least + 1000;
        return switch (random.nextInt(6)) {
            case 0 -> least;
            case 1 -> most;
            case 2 -> least - 1;
            default -> least + random.nextLong(Math.max(1, Math.min(most - least, 50)));
        };
    }

    private List<@Nullable Object> list(String name, Map<?, ?> schema, int depth) {
        List<@Nullable Object> list = new ArrayList<>();
        int least = schema.get("minItems") instanceof Number number ? number.intValue() : 0;
        int length = depth >= MAX_DEPTH ? least : Math.max(least, random.nextInt(3));
        while (list.size() < length) {
            list.add(schema.get("items") instanceof Map<?, ?> items ? of(name, items, depth + 1) : hostileValue());
        }
        return list;
    }

    private Map<String, @Nullable Object> object(Map<?, ?> schema, int depth) {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        List<?> required = schema.get("required") instanceof List<?> names ? names : List.of();
        if (schema.get("properties") instanceof Map<?, ?> properties) {
            properties.forEach((key, property) -> {
                String name = String.valueOf(key);
                boolean isSent =
                        required.contains(name) ? random.nextInt(40) > 0 : depth < MAX_DEPTH && random.nextInt(3) == 0;
                if (isSent) {
                    object.put(name, of(name, (Map<?, ?>) property, depth + 1));
                }
            });
        }
        if (schema.get("additionalProperties") instanceof Map<?, ?> others && depth < MAX_DEPTH) {
            for (int i = random.nextInt(3); i > 0; i--) {
                object.put(random.nextBoolean() ? ids.of("printer") : "key" + i, of("value", others, depth + 1));
            }
        }
        if (random.nextInt(30) == 0) {
            object.put(random.nextBoolean() ? "nobodyKnows" : "storeId", hostileValue());
        }
        return object;
    }
}
