package farm.gantry.api.query;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A page of records with its metadata. */
@Serdeable
public record SearchResponse<R>(List<R> data, Meta meta) {

    /**
     * {@code total} counts what matched before paging; {@code nextCursor} begins the next page; {@code ignored} are
     * parameters that name nothing.
     */
    @Serdeable
    public record Meta(
            int count,
            long executionTime,
            boolean hasMore,
            int limit,
            long offset,
            long total,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            String nextCursor,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            List<String> ignored) {}
}
