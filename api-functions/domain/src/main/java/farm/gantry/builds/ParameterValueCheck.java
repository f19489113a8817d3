package farm.gantry.builds;

import farm.gantry.part.ParameterCheck;
import farm.gantry.part.PartParameter;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Checks the value of a parameter: {@link ParameterCheck}, and for a file whether it exists. */
@FunctionalInterface
public interface ParameterValueCheck {
    Optional<ParameterCheck.Violation> check(PartParameter parameter, @Nullable Object value);
}
