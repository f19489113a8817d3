package farm.gantry.api.main;

import io.micronaut.context.ApplicationContext;
import io.micronaut.function.aws.LambdaApplicationContextBuilder;

/** The beans of a function, configured by its environment, as those of the API's function are. */
final class FunctionContext {
    private FunctionContext() {}

    static ApplicationContext start() {
        return new LambdaApplicationContextBuilder().banner(false).build().start();
    }
}
