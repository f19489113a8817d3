package farm.gantry.api.main;

import com.amazonaws.services.lambda.runtime.Context;
import io.micronaut.context.annotation.Replaces;
import io.micronaut.function.aws.DefaultLambdaContextFactory;
import io.micronaut.function.aws.LambdaContextFactory;
import jakarta.inject.Singleton;

/** Keeps no invocation's context as a bean: Micronaut's own adds one for each, and looks through all of them at the next. */
@Singleton
@Replaces(DefaultLambdaContextFactory.class)
final class NoContextBeans implements LambdaContextFactory {
    @Override
    public void registerSingletons(Context context) {
        // nothing asks for one
    }
}
