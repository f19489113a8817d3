package farm.gantry.api.http;

import farm.gantry.api.json.RawJson;
import io.micronaut.core.convert.ArgumentConversionContext;
import io.micronaut.core.type.Argument;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.bind.binders.TypedRequestArgumentBinder;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The {@code If-Match} condition of a change to one record. */
public record IfMatch(List<String> header) {
    /** An unconditional change. */
    public static final IfMatch NONE = new IfMatch(List.of());

    /** Whether the condition does not match the current record, as {@code GET} without parameters returns it. */
    public boolean isStale(Supplier<? extends RawJson<?>> current) {
        return !header.isEmpty() && !EntityTag.of(current.get()).isMatchedBy(header);
    }

    @Singleton
    static final class Binder implements TypedRequestArgumentBinder<IfMatch> {
        @Override
        public Argument<IfMatch> argumentType() {
            return Argument.of(IfMatch.class);
        }

        @Override
        public BindingResult<IfMatch> bind(ArgumentConversionContext<IfMatch> context, HttpRequest<?> request) {
            List<String> header = request.getHeaders().getAll(HttpHeaders.IF_MATCH);
            return () -> Optional.of(header.isEmpty() ? NONE : new IfMatch(header));
        }
    }
}
