package farm.gantry.builds;

import farm.gantry.part.ParameterCheck;
import farm.gantry.part.PartParameter;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Validates a parameter value as {@link ParameterCheck} does, and also checks that a file exists. */
@FunctionalInterface
public interface ParameterValueCheck {
    Optional<ParameterCheck.Violation> check(PartParameter parameter, @Nullable Object value);
}
