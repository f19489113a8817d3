package farm.gantry.api.query;

import io.micronaut.serde.annotation.Serdeable;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The body of a search. {@code filter} maps fields to values or to {@code {operator: value}}; {@code and}, {@code or}
 * (lists of filters) and {@code not} (one filter) join them.
 */
@Serdeable
public record SearchRequest(
        @Nullable Map<String, Object> filter,
        @Nullable String sort,
        @Nullable Integer limit,
        @Nullable Long offset,
        @Nullable String cursor,
        @Nullable String fields,
        @Nullable String include,
        @Nullable Boolean meta,
        @Nullable Boolean hints) {}
