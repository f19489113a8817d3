package farm.gantry.api.description;

import farm.gantry.annotation.Format;
import farm.gantry.annotation.Scalar;
import farm.gantry.job.Priority;
import io.micronaut.core.annotation.AnnotationMetadata;
import io.micronaut.core.annotation.AnnotationValue;
import jakarta.validation.Constraint;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.PositiveOrZero;
import jakarta.validation.constraints.Size;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Translates the validation constraints of a record's component into a schema. */
final class Constraints {
    private static final Set<String> DESCRIBED = Stream.of(
                    Format.class,
                    NotBlank.class,
                    Pattern.class,
                    Min.class,
                    Max.class,
                    Size.class,
                    Positive.class,
                    PositiveOrZero.class)
            .map(Class::getName)
            .collect(Collectors.toUnmodifiableSet());

    private Constraints() {}

    /** Adds the constraints that the validator checks. */
    static void add(Map<String, @Nullable Object> schema, AnnotationMetadata marks) {
        for (String name : marks.getAnnotationNamesByStereotype(Constraint.class.getName())) {
            if (!DESCRIBED.contains(name.replace("$List", ""))) {
                throw new IllegalArgumentException("the description does not know how to say " + name);
            }
        }
        if (marks.hasAnnotation(PositiveOrZero.class)) {
            schema.put("minimum", 0);
        }
        if (marks.hasAnnotation(Positive.class)) {
            schema.put("exclusiveMinimum", 0);
        }
        if (marks.hasAnnotation(NotBlank.class)) {
            schema.put("minLength", 1);
            schema.put("pattern", "\\S");
        }
        for (AnnotationValue<Pattern> pattern : marks.getAnnotationValuesByType(Pattern.class)) {
            pattern.stringValue("regexp").ifPresent(regexp -> schema.put("pattern", anchored(regexp)));
        }
        marks.enumValue(Format.class, Format.Kind.class)
                .ifPresent(kind -> schema.put(
                        "format", kind.name().toLowerCase(Locale.ROOT).replace('_', '-')));
        if (marks.hasAnnotation(Priority.class)) {
            schema.put("enum", List.of(Priority.NORMAL, Priority.LOW));
        }
        if (marks.hasAnnotation(Scalar.class)) {
            boolean flags = marks.booleanValue(Scalar.class, "flags").orElse(true);
            schema.put("type", flags ? List.of("string", "number", "boolean") : List.of("string", "number"));
        }
        for (AnnotationValue<Min> least : marks.getAnnotationValuesByType(Min.class)) {
            schema.put("minimum", least.longValue().orElseThrow());
        }
        for (AnnotationValue<Max> most : marks.getAnnotationValuesByType(Max.class)) {
            schema.put("maximum", most.longValue().orElseThrow());
        }
        for (AnnotationValue<Size> size : marks.getAnnotationValuesByType(Size.class)) {
            String of = String.valueOf(schema.get("type"));
            String what = of.equals("array") ? "Items" : of.equals("object") ? "Properties" : "Length";
            size.intValue("min").ifPresent(least -> schema.put("min" + what, least));
            size.intValue("max").ifPresent(most -> schema.put("max" + what, most));
        }
    }

    /** Anchors the pattern: the validator matches the whole text, a JSON schema any part of it. */
    private static String anchored(String regexp) {
        return regexp.startsWith("^") && regexp.endsWith("$") ? regexp : "^(?:" + regexp + ")$";
    }
}
