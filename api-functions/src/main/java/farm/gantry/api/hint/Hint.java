package farm.gantry.api.hint;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.serde.annotation.Serdeable;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A suggested next call. {@code bodySchema} is a JSON schema; {@code condition} says when the call is useful. */
@Serdeable
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Hint(
        String action,
        String description,
        String method,
        String path,
        @Nullable Map<String, Object> bodySchema,
        @Nullable String condition) {}
