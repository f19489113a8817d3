package farm.gantry.api.main.function;

import farm.gantry.api.aws.SecretSettings;
import farm.gantry.api.database.DataKeys;
import farm.gantry.api.database.SnapStartPreparation;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.ApplicationContextBuilder;
import io.micronaut.context.env.Environment;
import io.micronaut.function.aws.LambdaApplicationContextBuilder;
import io.micronaut.function.aws.MicronautLambdaContext;
import java.util.Map;

/**
 * Starts the application context of a function, configured by its environment and the secrets it names. For SnapStart
 * all beans are created before the snapshot, so that each copy has them; otherwise beans are created on first use,
 * because a caller waits for the cold start.
 */
final class FunctionContext {
    private FunctionContext() {}

    static ApplicationContext start() {
        boolean isForSnapshot = "snap-start".equals(System.getenv("AWS_LAMBDA_INITIALIZATION_TYPE"));
        // The builder for snapshots always creates all beans eagerly.
        ApplicationContextBuilder builder = isForSnapshot
                ? new LambdaApplicationContextBuilder()
                : ApplicationContext.builder(Environment.FUNCTION, MicronautLambdaContext.ENVIRONMENT_LAMBDA);
        Map<String, Object> secrets = SecretSettings.fromEnvironment(System.getenv());
        FunctionSettingsCheck.check(secrets, System.getenv());
        ApplicationContext context =
                builder.properties(secrets).banner(false).build().start();
        if (isForSnapshot) {
            SnapStartPreparation.register(context);
        } else {
            // Runs while this thread creates the routes; a failure is reported by the first request that needs the
            // keys.
            Thread.ofPlatform().daemon().start(() -> context.findBean(DataKeys.class));
        }
        return context;
    }
}
