package farm.gantry.api.query;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import farm.gantry.Field;
import farm.gantry.Permission;
import farm.gantry.annotation.Computed;
import farm.gantry.annotation.CreateOnly;
import farm.gantry.annotation.Encrypted;
import farm.gantry.annotation.Merged;
import farm.gantry.annotation.OnRequest;
import farm.gantry.annotation.References;
import farm.gantry.annotation.Resource;
import farm.gantry.annotation.Secret;
import farm.gantry.annotation.SystemSet;
import io.micronaut.core.annotation.AnnotationMetadata;
import io.micronaut.core.beans.BeanIntrospection;
import io.micronaut.core.beans.BeanIntrospector;
import io.micronaut.core.beans.EnumBeanIntrospection;
import io.micronaut.core.type.Argument;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The columns of a resource record, derived once from its compile-time introspection. {@code order} is the default sort
 * order of lists, whose last column is unique. Records in memory have no table. {@code all} are the columns of a default
 * response, {@code byName} includes those on request. {@code secrets} is what a caller needs to see secrets in clear.
 */
public record Columns<R>(
        Class<R> type,
        String table,
        List<Permission> view,
        Permission secrets,
        List<String> embeds,
        List<Column> all,
        Map<String, Column> byName,
        List<String> order,
        List<Reference> references) {
    private static final List<String> OLDEST_FIRST = List.of("createdAt", "id");

    /** Returns the columns of all resource records. */
    public static List<Columns<?>> ofAllRecords() {
        return BeanIntrospector.SHARED
                .findIntrospections(
                        reference -> reference.getAnnotationMetadata().hasAnnotation(Resource.class))
                .stream()
                .<Columns<?>>map(shape -> of(shape.getBeanType()))
                .toList();
    }

    public static <R> Columns<R> of(Class<R> record) {
        BeanIntrospection<R> shape = BeanIntrospection.getIntrospection(record);
        List<String> order = List.of(shape.stringValues(InMemory.class, "order"));
        String table =
                order.isEmpty() ? shape.stringValue(Resource.class, "table").orElseThrow() : "";
        Map<String, Column> columns = new LinkedHashMap<>();
        List<Reference> references = new ArrayList<>();
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
                            marks.hasAnnotation(OnRequest.class),
                            marks.hasAnnotation(Secret.class),
                            marks.enumValue(JsonInclude.class, JsonInclude.Include.class)
                                    .filter(JsonInclude.Include.NON_NULL::equals)
                                    .isPresent(),
                            marks.hasAnnotation(Merged.class),
                            encryptedKeys(component.getType(), marks),
                            words(component.getType())));
            if (marks.hasAnnotation(References.class)) {
                references.add(reference(columns.get(name), marks));
            }
        }
        return new Columns<>(
                record,
                table,
                List.of(shape.enumValues(Resource.class, "view", Permission.class)),
                shape.enumValue(Resource.class, "secrets", Permission.class).orElse(Permission.PRINTER_CONFIG),
                List.of(shape.stringValues(Resource.class, "embeds")),
                columns.values().stream().filter(column -> !column.onRequest()).toList(),
                Map.copyOf(columns),
                order.isEmpty() ? OLDEST_FIRST : order,
                List.copyOf(references));
    }

    /** Returns the secret keys of the component and of its record type. */
    private static List<String> encryptedKeys(Class<?> java, AnnotationMetadata marks) {
        Stream<String> marked = java.isSealed()
                ? Arrays.stream(java.getPermittedSubclasses())
                        .flatMap(variant -> BeanIntrospection.getIntrospection(variant).getBeanProperties().stream())
                        .filter(member -> member.hasAnnotation(Encrypted.class))
                        .map(member -> member.stringValue(JsonProperty.class).orElse(member.getName()))
                : Stream.empty();
        return Stream.concat(Arrays.stream(marks.stringValues(Encrypted.class)), marked)
                .distinct()
                .toList();
    }

    private static Reference reference(Column column, AnnotationMetadata marks) {
        String name = column.name();
        return new Reference(
                column,
                marks.stringValue(References.class).orElseThrow(),
                marks.stringValue(References.class, "type").orElse(""),
                marks.stringValue(References.class, "as").orElse(name.substring(0, name.length() - "Id".length())),
                marks.stringValue(References.class, "inverse").orElse(""),
                marks.enumValue(References.class, "onDelete", References.OnDelete.class)
                        .orElse(References.OnDelete.RESTRICT));
    }

    private static List<String> words(Class<?> java) {
        return java.isEnum()
                ? ((EnumBeanIntrospection<?>) BeanIntrospection.getIntrospection(java))
                        .getConstants().stream()
                                .map(constant -> constant.stringValue(JsonProperty.class)
                                        .orElse(constant.getValue().name()))
                                .toList()
                : List.of();
    }

    private static FieldType type(Argument<?> component) {
        Argument<?>[] elements = component.getTypeParameters();
        return FieldType.of(component.getType(), elements.length == 1 ? elements[0].getType() : Object.class);
    }

    public Optional<Column> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /** Returns the column of the field. */
    public Column get(Field<R> field) {
        return get(field.name());
    }

    /** Returns the column of the name; throws if it does not exist. */
    public Column get(String name) {
        return find(name).orElseThrow(() -> new IllegalArgumentException(table + " has no column " + name));
    }
}
