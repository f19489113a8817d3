package farm.gantry.builds;

import farm.gantry.part.ParameterCheck;
import farm.gantry.part.PartParameter;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The values that a build sets for the parameters of a part; the last one set wins. */
final class ParameterValues {
    private record Value(String path, @Nullable Object value) {}

    private static final Pattern NUMBER = Pattern.compile("-?\\d{1,15}(\\.\\d{1,15})?");

    private final List<PartParameter> parameters;
    private final Map<String, Value> values = new LinkedHashMap<>();
    /** Paths of the part's own values that no other value has replaced. */
    private final Map<String, String> own = new LinkedHashMap<>();

    ParameterValues(List<PartParameter> parameters) {
        this.parameters = parameters;
    }

    /** Sets the files of parameters that the part itself provides, and has its other values checked. */
    void setDefaults(String path) {
        for (PartParameter parameter : parameters) {
            Object value = parameter.effectiveValue() == null ? parameter.defaultUri() : parameter.effectiveValue();
            if (parameter.type() == PartParameter.Type.file && value != null && !value.equals("")) {
                set(parameter.name(), value, path + parameter.name());
            } else if (parameter.type() != PartParameter.Type.file && value != null) {
                own.put(parameter.name(), path + parameter.name());
            }
        }
    }

    void set(String name, @Nullable Object value, String path) {
        own.remove(name);
        values.put(name, new Value(path, value));
    }

    /** Sets what the text says for a parameter of its type. */
    void setText(String name, String text, String path) {
        set(
                name,
                parameter(name)
                        .<Object>map(parameter -> parseAs(parameter.type(), text))
                        .orElse(text),
                path);
    }

    /** The text itself where it says none. */
    private static Object parseAs(PartParameter.Type type, String text) {
        return switch (type) {
            case string, file -> text;
            case FLAG -> text.equals("true") || text.equals("false") ? Boolean.valueOf(text) : text;
            case number -> NUMBER.matcher(text).matches() ? new BigDecimal(text) : text;
        };
    }

    void remove(String name) {
        own.remove(name);
        values.remove(name);
    }

    Optional<PartParameter> parameter(String name) {
        return parameters.stream()
                .filter(parameter -> parameter.name().equals(name))
                .findFirst();
    }

    /** The values by name; those that are not valid are reported. */
    Map<String, Object> validated(ParameterValueCheck check, FaultSink faults) {
        Map<String, Object> checked = new LinkedHashMap<>();
        own.forEach((name, path) -> parameter(name)
                .flatMap(parameter -> ParameterCheck.checkOwnValue(parameter, parameter.effectiveValue()))
                .ifPresent(wrong -> faults.add(
                        path,
                        wrong.code(),
                        path + " " + wrong.message() + ", and the part's own value is not: set another value")));
        values.forEach((name, each) -> {
            String path = each.path();
            Object value = each.value();
            Optional<PartParameter> parameter = parameter(name);
            if (parameter.isEmpty()) {
                faults.add(path, "unknown", path + ": the part has no parameter " + name);
                return;
            }
            check.check(parameter.get(), value)
                    .ifPresent(wrong -> faults.add(path, wrong.code(), path + " " + wrong.message()));
            if (value != null) {
                checked.put(name, value);
            }
        });
        return checked;
    }
}
