package farm.gantry.api.main.admin;

import farm.gantry.api.database.Database;
import farm.gantry.api.database.schema.RestoredDatabase;
import farm.gantry.api.database.schema.Schema;
import farm.gantry.api.main.InstallSecretsCheck;
import java.io.IOException;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/**
 * {@code gantry-admin database}: migrations and restores of an external database. A farm with its own data folder does
 * both when it starts.
 */
@Command(name = "database", description = "Migrates a database, and prepares a restored one.")
final class DatabaseCommands {
    @ParentCommand
    private final AdminCommand admin = new AdminCommand();

    @Command(
            name = "migrate",
            description =
                    "Migrates the tables of --jdbc-url to this version, and sets the password of the API's role."
                            + " Set GANTRY_OWNER_PASSWORD to the owner's password and DATASOURCES_DEFAULT_PASSWORD to the API's.")
    int migrate(
            @Option(
                            names = "--owner",
                            defaultValue = "postgres",
                            description =
                                    "role that owns the database and may create roles (default: ${DEFAULT-VALUE})")
                    String owner)
            throws IOException {
        if (admin.isForInstallationOfCaller()) {
            throw new IllegalArgumentException(
                    "each deployment of this stage migrates the database; run infra/aws/deploy instead");
        }
        if (admin.jdbcUrl == null) {
            throw new IllegalArgumentException("--jdbc-url is required");
        }
        InstallSecretsCheck.checkEnvironment(System.getenv());
        Schema.migrate(
                admin.jdbcUrl,
                owner,
                environment("GANTRY_OWNER_PASSWORD"),
                environment("DATASOURCES_DEFAULT_PASSWORD"));
        if (System.getenv().containsKey(InstallSecretsCheck.SECRET_KEY)) {
            admin.with(context -> context); // verifies that the password is that of the database
        }
        return 0;
    }

    @Command(
            name = "restored",
            description =
                    "After the database was restored from a backup, before a process uses it: all queues are paused, and no"
                            + " bed counts as clear until a person has confirmed it, for the database does not know what"
                            + " was printed since.")
    int restored() throws IOException {
        int printers = admin.with(context -> {
            Database database = context.getBean(Database.class);
            RestoredDatabase.expireStreamPositions(database);
            return database.findStores("all_stores").stream()
                    .mapToInt(store -> database.in(store, RestoredDatabase::markRestored))
                    .sum();
        });
        admin.out().println("printers " + printers);
        return 0;
    }

    private static String environment(String name) {
        return Optional.ofNullable(System.getenv(name))
                .orElseThrow(() -> new IllegalArgumentException(name + " is not set in the environment"));
    }
}
