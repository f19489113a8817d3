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

/** {@code gantry-admin database}: what a start sees to where a data folder holds the database. */
@Command(name = "database", description = "The tables of a database, and what follows from its restoring.")
final class DatabaseCommands {
    @ParentCommand
    private final AdminCommand admin = new AdminCommand();

    @Command(
            name = "migrate",
            description = "Brings the tables of --jdbc-url to this version, and gives the API's role its password:"
                    + " GANTRY_OWNER_PASSWORD is the owner's, DATASOURCES_DEFAULT_PASSWORD the API's.")
    int migrate(
            @Option(
                            names = "--owner",
                            defaultValue = "postgres",
                            description = "the role that owns the database and may make roles (${DEFAULT-VALUE})")
                    String owner)
            throws IOException {
        if (admin.jdbcUrl == null) {
            throw new IllegalArgumentException("--jdbc-url is needed");
        }
        InstallSecretsCheck.checkEnvironment(System.getenv());
        Schema.migrate(
                admin.jdbcUrl,
                owner,
                environment("GANTRY_OWNER_PASSWORD"),
                environment("DATASOURCES_DEFAULT_PASSWORD"));
        if (System.getenv().containsKey(InstallSecretsCheck.SECRET_KEY)) {
            admin.with(context -> context); // checks that it is the database's
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
            return database.findStores("all_stores").stream()
                    .mapToInt(store -> database.in(store, RestoredDatabase::markRestored))
                    .sum();
        });
        System.out.println("printers " + printers);
        return 0;
    }

    private static String environment(String name) {
        return Optional.ofNullable(System.getenv(name))
                .orElseThrow(() -> new IllegalArgumentException(name + " is not set in the environment"));
    }
}
