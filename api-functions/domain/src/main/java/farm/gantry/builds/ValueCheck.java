package farm.gantry.builds;

import farm.gantry.part.ParameterCheck;
import farm.gantry.part.PartParameter;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What is wrong with a parameter's value, if anything: {@link ParameterCheck}, and for a file whether it is there. */
@FunctionalInterface
public interface ValueCheck {
    Optional<ParameterCheck.Wrong> of(PartParameter parameter, @Nullable Object value);
}
