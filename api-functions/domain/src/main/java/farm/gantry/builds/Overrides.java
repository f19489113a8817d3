package farm.gantry.builds;

import farm.gantry.part.PartParameter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The values a build gives to a part's parameters. The last one given wins, and is checked against what the part allows. */
final class Overrides {
    private record Given(String path, @Nullable Object value) {}

    private final List<PartParameter> parameters;
    private final Map<String, Given> given = new LinkedHashMap<>();

    Overrides(List<PartParameter> parameters) {
        this.parameters = parameters;
    }

    /** Files that a part brings along, for the parameters that nobody gives another. */
    void giveDefaults(String path) {
        for (PartParameter parameter : parameters) {
            Object own = parameter.effective() == null ? parameter.defaultUri() : parameter.effective();
            if (parameter.type() == PartParameter.Type.file && own != null && !own.equals("")) {
                give(parameter.name(), own, path + parameter.name());
            }
        }
    }

    void give(String name, @Nullable Object value, String path) {
        given.put(name, new Given(path, value));
    }

    void forget(String name) {
        given.remove(name);
    }

    Optional<PartParameter> parameter(String name) {
        return parameters.stream()
                .filter(parameter -> parameter.name().equals(name))
                .findFirst();
    }

    /** Those that are right, by name; what is wrong with the others is said. */
    Map<String, Object> checked(ValueCheck check, Wrongs wrongs) {
        Map<String, Object> values = new LinkedHashMap<>();
        given.forEach((name, each) -> {
            String path = each.path();
            Object value = each.value();
            Optional<PartParameter> parameter = parameter(name);
            if (parameter.isEmpty()) {
                wrongs.add(path, "unknown", path + ": the part has no parameter " + name);
                return;
            }
            check.of(parameter.get(), value)
                    .ifPresent(wrong -> wrongs.add(path, wrong.code(), path + " " + wrong.message()));
            if (value != null) {
                values.put(name, value);
            }
        });
        return values;
    }
}
