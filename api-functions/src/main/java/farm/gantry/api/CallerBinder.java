package farm.gantry.api;

import io.micronaut.core.convert.ArgumentConversionContext;
import io.micronaut.core.type.Argument;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.bind.binders.TypedRequestArgumentBinder;
import jakarta.inject.Singleton;
import java.util.Optional;

/** Gives a route the caller whom the key check found; without one, the request is refused. */
@Singleton
public final class CallerBinder implements TypedRequestArgumentBinder<Caller> {
    private static final String ATTRIBUTE = "gantry.caller";

    public static void found(HttpRequest<?> request, Caller caller) {
        request.setAttribute(ATTRIBUTE, caller);
    }

    @Override
    public Argument<Caller> argumentType() {
        return Argument.of(Caller.class);
    }

    @Override
    public BindingResult<Caller> bind(ArgumentConversionContext<Caller> context, HttpRequest<?> request) {
        return () -> Optional.of(request.getAttribute(ATTRIBUTE, Caller.class)
                .orElseThrow(() -> new Refused(new Problem.Unauthorized())));
    }
}
