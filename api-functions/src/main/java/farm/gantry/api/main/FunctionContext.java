package farm.gantry.api.main;

import farm.gantry.api.aws.SecretSettings;
import io.micronaut.context.ApplicationContext;
import io.micronaut.function.aws.LambdaApplicationContextBuilder;
import java.sql.SQLException;

/** The beans of a function, configured by its environment and the secrets that this names. */
final class FunctionContext {
    private FunctionContext() {}

    static ApplicationContext start() {
        ApplicationContext context = new LambdaApplicationContextBuilder()
                .properties(SecretSettings.of(System.getenv()))
                .banner(false)
                .build()
                .start();
        try {
            Snapshot.register(context);
        } catch (SQLException e) {
            throw new IllegalStateException("the pool of connections is none of Hikari's", e);
        }
        return context;
    }
}
