package farm.gantry.api.main;

import farm.gantry.api.apikey.Pepper;
import farm.gantry.api.database.DataKeys;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.schema.PostgresVersion;
import io.micronaut.context.ApplicationContext;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Checks the secrets that an operator sets for all processes of an install, in every command and at every start: otherwise one
 * would store what the others cannot read, and only the next would fail.
 */
public final class InstallSecretsCheck {
    static final String PEPPER = "GANTRY_PEPPER";
    public static final String SECRET_KEY = "GANTRY_SECRET_KEY";

    private static final int MIN_PEPPER_LENGTH = 32;

    private InstallSecretsCheck() {}

    /** Checks the form of the pepper, if it is set. */
    public static void checkEnvironment(Map<String, String> environment) {
        checkPepper(environment.get(PEPPER));
    }

    static void checkPepper(@Nullable String pepper) {
        if (pepper != null && new Pepper(pepper).current().length() < MIN_PEPPER_LENGTH) {
            throw new IllegalArgumentException(PEPPER + " must have at least " + MIN_PEPPER_LENGTH
                    + " characters, because it signs the addresses of files: make one by 'openssl rand -hex 32'; an install that has"
                    + " keys already sets '2:NEW 1:OLD'");
        }
    }

    /** Checks that the database can be used with the secrets of this process. */
    public static void checkDatabase(ApplicationContext context) {
        PostgresVersion.check(context.getBean(Database.class));
        context.getBean(DataKeys.class);
    }
}
