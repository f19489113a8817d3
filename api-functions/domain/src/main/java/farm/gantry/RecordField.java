package farm.gantry;

import java.io.Serializable;
import java.lang.invoke.MethodType;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The record component that a method reference calls: its record, name and type. */
record RecordField(Class<?> record, String name, Class<?> type) {
    /** Cache of resolved components. Each method reference in the code has its own class, so it is resolved once. */
    private static final Map<Class<?>, RecordField> FIELDS = new ConcurrentHashMap<>();

    static RecordField of(Serializable field) {
        RecordField known = FIELDS.get(field.getClass());
        return known == null ? FIELDS.computeIfAbsent(field.getClass(), _ -> resolve(field)) : known;
    }

    /** Resolves a method reference by serializing its lambda, which reveals the method that it calls. */
    private static RecordField resolve(Serializable field) {
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
