package farm.gantry.api.main.function;

import farm.gantry.api.aws.SecretSettings;
import farm.gantry.api.database.DataKeys;
import farm.gantry.api.database.SnapStartConnections;
import farm.gantry.api.settings.SettingKeys;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.ApplicationContextBuilder;
import io.micronaut.context.env.Environment;
import io.micronaut.function.aws.LambdaApplicationContextBuilder;
import io.micronaut.function.aws.MicronautLambdaContext;
import java.util.Map;

/**
 * The beans of a function, configured by its environment and the secrets that this names. For a snapshot all are made, as copies
 * find them there; else somebody waits for the start, and each is made when it is first needed.
 */
final class FunctionContext {
    private FunctionContext() {}

    static ApplicationContext start() {
        boolean isForSnapshot = "snap-start".equals(System.getenv("AWS_LAMBDA_INITIALIZATION_TYPE"));
        // The first of these has all beans made, and cannot be told otherwise.
        ApplicationContextBuilder builder = isForSnapshot
                ? new LambdaApplicationContextBuilder()
                : ApplicationContext.builder(Environment.FUNCTION, MicronautLambdaContext.ENVIRONMENT_LAMBDA);
        Map<String, Object> secrets = SecretSettings.of(System.getenv());
        SettingKeys.check(secrets.keySet(), System.getenv());
        ApplicationContext context =
                builder.properties(secrets).banner(false).build().start();
        if (isForSnapshot) {
            SnapStartConnections.register(context);
        } else {
            // This thread goes on to make the routes meanwhile; a failure here is told by the first request that needs
            // them.
            Thread.ofPlatform().daemon().start(() -> context.findBean(DataKeys.class));
        }
        return context;
    }
}
