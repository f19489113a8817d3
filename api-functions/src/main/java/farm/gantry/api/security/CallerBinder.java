package farm.gantry.api.security;

import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import io.micronaut.core.convert.ArgumentConversionContext;
import io.micronaut.core.type.Argument;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.bind.binders.TypedRequestArgumentBinder;
import jakarta.inject.Singleton;
import java.util.Optional;

/** Binds the {@link Caller} parameter of a route to the authenticated caller; throws 401 if there is none. */
@Singleton
public final class CallerBinder implements TypedRequestArgumentBinder<Caller> {
    private static final String ATTRIBUTE = "gantry.caller";

    public static void bind(HttpRequest<?> request, Caller caller) {
        request.setAttribute(ATTRIBUTE, caller);
    }

    /** Returns the caller of an authenticated request. */
    public static Optional<Caller> of(HttpRequest<?> request) {
        return request.getAttribute(ATTRIBUTE, Caller.class);
    }

    @Override
    public Argument<Caller> argumentType() {
        return Argument.of(Caller.class);
    }

    @Override
    public BindingResult<Caller> bind(ArgumentConversionContext<Caller> context, HttpRequest<?> request) {
        return () -> Optional.of(
                of(request).orElseThrow(() -> new ProblemException(new Problem.Unauthorized(Problem.Scheme.ApiKey))));
    }
}
