package farm.gantry.api.main;

import farm.gantry.api.apikey.Pepper;
import farm.gantry.api.database.DataKeys;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.schema.PostgresVersion;
import io.micronaut.context.ApplicationContext;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Checks the secrets that all processes of an installation share, in every command and at every start. Otherwise a
 * process with a wrong secret would store data that the other processes cannot read.
 */
public final class InstallSecretsCheck {
    static final String PEPPER = "GANTRY_PEPPER";
    public static final String SECRET_KEY = "GANTRY_SECRET_KEY";

    private static final int MIN_PEPPER_LENGTH = 32;

    private InstallSecretsCheck() {}

    /** Checks that {@code GANTRY_PEPPER}, if set, is long enough. */
    public static void checkEnvironment(Map<String, String> environment) {
        checkPepper(environment.get(PEPPER));
    }

    static void checkPepper(@Nullable String pepper) {
        if (pepper != null && new Pepper(pepper).current().length() < MIN_PEPPER_LENGTH) {
            throw new IllegalArgumentException(PEPPER + " must have at least " + MIN_PEPPER_LENGTH
                    + " characters, because it signs file URLs. Create one with 'openssl rand -hex 32'. If this installation already has"
                    + " API keys, set '2:NEW 1:OLD'");
        }
    }

    /** Checks that the database can be used with the secrets of this process. */
    public static void checkDatabase(ApplicationContext context) {
        PostgresVersion.check(context.getBean(Database.class));
        ConnectionPooler.checkTimeouts(context);
        context.getBean(DataKeys.class);
    }
}
