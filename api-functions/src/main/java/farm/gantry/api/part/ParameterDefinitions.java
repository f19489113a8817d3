package farm.gantry.api.part;

import farm.gantry.api.error.Faults;
import farm.gantry.part.Part;
import farm.gantry.part.PartParameter;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Whether the parameters that a body defines agree with themselves and each other. */
final class ParameterDefinitions {
    private ParameterDefinitions() {}

    /** The part; 400 where a name comes twice, a range holds no number, or a value is of another type than its parameter. */
    static Part checked(Part part) {
        Faults faults = new Faults();
        Set<String> names = new HashSet<>();
        List<PartParameter> parameters = part.parameters();
        for (int i = 0; i < parameters.size(); i++) {
            PartParameter parameter = parameters.get(i);
            String at = "parameters[" + i + "]";
            if (!names.add(parameter.name())) {
                faults.add(at + ".name", "invalid", at + ".name: there is another parameter " + parameter.name());
            }
            if (parameter.min() != null && parameter.max() != null && parameter.min() > parameter.max()) {
                faults.add(at + ".min", "range", at + ".min must be at most its max");
            }
            checkType(faults, at + ".value", parameter.type(), parameter.value());
            checkType(faults, at + ".default", parameter.type(), parameter.defaultValue());
        }
        faults.check();
        return part;
    }

    private static void checkType(Faults faults, String at, PartParameter.Type type, @Nullable Object value) {
        boolean fits = value == null
                || switch (type) {
                    case number -> value instanceof Number;
                    case string, file -> value instanceof String;
                    case FLAG -> value instanceof Boolean;
                };
        if (!fits) {
            String needed = switch (type) {
                case number -> "a number";
                case string -> "a string";
                case FLAG -> "true or false";
                case file -> "the URI of a file";
            };
            faults.add(at, "type", at + " must be " + needed);
        }
    }
}
