package farm.gantry.api.wrong;

import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Value;
import jakarta.inject.Singleton;

@Singleton
@Requires(property = "never")
public final class FieldInjected {
    @Value("${wrong:}")
    String value = "";
}
