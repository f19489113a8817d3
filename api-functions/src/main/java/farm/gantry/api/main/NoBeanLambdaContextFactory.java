package farm.gantry.api.main;

import com.amazonaws.services.lambda.runtime.Context;
import io.micronaut.context.annotation.Replaces;
import io.micronaut.function.aws.DefaultLambdaContextFactory;
import io.micronaut.function.aws.LambdaContextFactory;
import jakarta.inject.Singleton;

/**
 * Creates no bean for the context of an invocation. Micronaut would register one per invocation, which later
 * invocations would have to search.
 */
@Singleton
@Replaces(DefaultLambdaContextFactory.class)
final class NoBeanLambdaContextFactory implements LambdaContextFactory {
    @Override
    public void registerSingletons(Context context) {
        // no code injects the context
    }
}
