package farm.gantry.api.main;

import farm.gantry.api.store.Schema;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** {@code gantry-admin database}: a database that no data folder holds; that of a folder is brought up at each start. */
@Command(name = "database", description = "A database that no data folder holds.")
final class DatabaseCommands {
    @ParentCommand
    private final Admin admin = new Admin();

    @Command(
            name = "migrate",
            description = "Brings the tables of --jdbc-url to this version, and gives the API's role its password:"
                    + " GANTRY_OWNER_PASSWORD is the owner's, DATASOURCES_DEFAULT_PASSWORD the API's.")
    int migrate(
            @Option(
                            names = "--owner",
                            defaultValue = "postgres",
                            description = "the role that owns the database and may make roles (${DEFAULT-VALUE})")
                    String owner) {
        if (admin.jdbcUrl == null) {
            throw new IllegalArgumentException("--jdbc-url is needed");
        }
        Schema.migrate(
                admin.jdbcUrl,
                owner,
                environment("GANTRY_OWNER_PASSWORD"),
                environment("DATASOURCES_DEFAULT_PASSWORD"));
        return 0;
    }

    private static String environment(String name) {
        return Optional.ofNullable(System.getenv(name))
                .orElseThrow(() -> new IllegalArgumentException(name + " is not set in the environment"));
    }
}
