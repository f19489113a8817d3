package farm.gantry.api.json;

import com.fasterxml.jackson.annotation.JsonProperty;
import farm.gantry.annotation.Computed;
import farm.gantry.annotation.CreateOnly;
import farm.gantry.annotation.Default;
import farm.gantry.annotation.SystemSet;
import io.micronaut.core.annotation.AnnotationMetadata;
import io.micronaut.core.beans.BeanIntrospection;
import io.micronaut.core.type.Argument;
import jakarta.validation.Constraint;
import jakarta.validation.Valid;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The components of a record with their types and constraints, computed once per type for {@link RecordReader}. */
public record RecordShape(
        BeanIntrospection<?> introspection, List<Component> components, Map<String, Component> byName) {
    private static final ClassValue<RecordShape> SHAPES = new ClassValue<>() {
        @Override
        protected RecordShape computeValue(Class<?> type) {
            BeanIntrospection<?> introspection = BeanIntrospection.getIntrospection(type);
            List<Component> components = Arrays.stream(introspection.getConstructorArguments())
                    .map(argument -> component(introspection, argument))
                    .toList();
            return new RecordShape(
                    introspection,
                    components,
                    components.stream().collect(Collectors.toUnmodifiableMap(Component::name, Function.identity())));
        }
    };

    /**
     * A component and its name in JSON.
     *
     * @param setAtCreation whether updates of the record ignore the component
     * @param defaultJson JSON of the value of a missing component
     * @param isValidated whether the value must be validated
     */
    public record Component(
            Argument<?> argument,
            String name,
            boolean setBySystem,
            boolean setAtCreation,
            @Nullable String defaultJson,
            boolean isValidated) {}

    public static RecordShape of(Class<?> type) {
        return SHAPES.get(type);
    }

    private static Component component(BeanIntrospection<?> introspection, Argument<?> argument) {
        AnnotationMetadata marks = introspection
                .getRequiredProperty(argument.getName(), argument.getType())
                .getAnnotationMetadata();
        return new Component(
                argument,
                marks.stringValue(JsonProperty.class).orElse(argument.getName()),
                marks.hasAnnotation(SystemSet.class) || marks.hasAnnotation(Computed.class),
                marks.hasAnnotation(CreateOnly.class),
                marks.stringValue(Default.class).orElse(null),
                isConstrained(marks) || isConstrained(argument));
    }

    private static boolean isConstrained(Argument<?> argument) {
        return isConstrained(argument.getAnnotationMetadata())
                || Arrays.stream(argument.getTypeParameters()).anyMatch(RecordShape::isConstrained);
    }

    private static boolean isConstrained(AnnotationMetadata marks) {
        return marks.hasStereotype(Constraint.class) || marks.hasStereotype(Valid.class);
    }
}
