package farm.gantry.api.main;

import farm.gantry.api.aws.SecretSettings;
import farm.gantry.api.store.Snapshot;
import io.micronaut.context.ApplicationContext;
import io.micronaut.function.aws.LambdaApplicationContextBuilder;

/** The beans of a function, configured by its environment and the secrets that this names. */
final class FunctionContext {
    private FunctionContext() {}

    static ApplicationContext start() {
        ApplicationContext context = new LambdaApplicationContextBuilder()
                .properties(SecretSettings.of(System.getenv()))
                .banner(false)
                .build()
                .start();
        Snapshot.register(context);
        return context;
    }
}
