package farm.gantry.api.query;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import farm.gantry.Computed;
import farm.gantry.CreateOnly;
import farm.gantry.Resource;
import farm.gantry.Sealed;
import farm.gantry.Secret;
import farm.gantry.SystemSet;
import io.micronaut.core.annotation.AnnotationMetadata;
import io.micronaut.core.beans.BeanIntrospection;
import io.micronaut.core.type.Argument;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a resource record says about its table: derived once, from the compile-time introspection. */
public record Columns<R>(Class<R> type, String table, List<Column> all, Map<String, Column> byName) {

    public static <R> Columns<R> of(Class<R> record) {
        BeanIntrospection<R> shape = BeanIntrospection.getIntrospection(record);
        String table = shape.stringValue(Resource.class, "table").orElseThrow();
        Map<String, Column> columns = new LinkedHashMap<>();
        for (Argument<?> component : shape.getConstructorArguments()) {
            AnnotationMetadata marks = shape.getRequiredProperty(component.getName(), component.getType())
                    .getAnnotationMetadata();
            String name = marks.stringValue(JsonProperty.class).orElse(component.getName());
            columns.put(
                    name,
                    new Column(
                            name,
                            type(component),
                            marks.hasAnnotation(SystemSet.class),
                            marks.hasAnnotation(CreateOnly.class),
                            marks.hasAnnotation(Computed.class),
                            marks.hasAnnotation(Secret.class),
                            marks.enumValue(JsonInclude.class, JsonInclude.Include.class)
                                    .filter(JsonInclude.Include.NON_NULL::equals)
                                    .isPresent(),
                            Arrays.asList(marks.stringValues(Sealed.class))));
        }
        return new Columns<>(record, table, List.copyOf(columns.values()), Map.copyOf(columns));
    }

    private static FieldType type(Argument<?> component) {
        Argument<?>[] elements = component.getTypeParameters();
        return FieldType.of(component.getType(), elements.length == 1 ? elements[0].getType() : Object.class);
    }

    public Optional<Column> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /** The column of that name, which the program knows to exist. */
    public Column get(String name) {
        return find(name).orElseThrow(() -> new IllegalArgumentException(table + " has no column " + name));
    }
}
