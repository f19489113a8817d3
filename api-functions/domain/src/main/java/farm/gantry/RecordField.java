package farm.gantry;

import java.lang.invoke.MethodType;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Name and type of the component that a {@link Field} refers to. */
record RecordField(Class<?> record, String name, Class<?> type) {
    /** Each method reference in the code has a class of its own, so that it is resolved once. */
    private static final Map<Class<?>, RecordField> FIELDS = new ConcurrentHashMap<>();

    static RecordField of(Field<?> field) {
        RecordField known = FIELDS.get(field.getClass());
        return known == null ? FIELDS.computeIfAbsent(field.getClass(), _ -> resolve(field)) : known;
    }

    /** Resolves the reference from the form in which Java serializes it. */
    private static RecordField resolve(Field<?> field) {
        try {
            Method serialized = field.getClass().getDeclaredMethod("writeReplace");
            serialized.setAccessible(true);
            SerializedLambda reference = (SerializedLambda) serialized.invoke(field);
            Class<?> record = Class.forName(
                    reference.getImplClass().replace('/', '.'),
                    false,
                    field.getClass().getClassLoader());
            return of(record, reference.getImplMethodName());
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException("a field is a method reference to a component of a record", e);
        }
    }

    private static RecordField of(Class<?> record, String name) {
        return Arrays.stream(components(record))
                .filter(component -> component.getName().equals(name))
                .findFirst()
                .map(component -> new RecordField(record, name, boxedType(component.getType())))
                .orElseThrow(() -> new IllegalArgumentException(record.getSimpleName() + " has no component " + name));
    }

    private static RecordComponent[] components(Class<?> type) {
        return type.isRecord() ? type.getRecordComponents() : new RecordComponent[0];
    }

    private static Class<?> boxedType(Class<?> type) {
        return MethodType.methodType(type).wrap().returnType();
    }

    @Nullable
    Object requireAssignable(@Nullable Object value) {
        if (value != null && !type.isInstance(value)) {
            throw new IllegalArgumentException(record.getSimpleName() + "::" + name + " holds " + type.getSimpleName()
                    + ", not " + value.getClass().getSimpleName());
        }
        return value;
    }
}
