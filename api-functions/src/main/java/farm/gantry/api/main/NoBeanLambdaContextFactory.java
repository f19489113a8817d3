package farm.gantry.api.main;

import com.amazonaws.services.lambda.runtime.Context;
import io.micronaut.context.annotation.Replaces;
import io.micronaut.function.aws.DefaultLambdaContextFactory;
import io.micronaut.function.aws.LambdaContextFactory;
import jakarta.inject.Singleton;

/** Prevents Micronaut from registering a bean per invocation, which later invocations would have to search. */
@Singleton
@Replaces(DefaultLambdaContextFactory.class)
final class NoBeanLambdaContextFactory implements LambdaContextFactory {
    @Override
    public void registerSingletons(Context context) {
        // nothing asks for one
    }
}
