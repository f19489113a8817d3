package farm.gantry.api.main.admin;

import farm.gantry.Id;
import farm.gantry.api.apikey.ApiKeys;
import farm.gantry.api.apikey.Pepper;
import farm.gantry.api.database.DataKeys;
import farm.gantry.api.database.SecretReencryption;
import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.main.InstallSecretsCheck;
import farm.gantry.api.main.StandaloneServer;
import farm.gantry.api.main.StartFailureMessage;
import farm.gantry.api.main.postgres.LocalPostgres;
import farm.gantry.api.main.process.DataFolderLock;
import farm.gantry.api.main.process.SecretFile;
import farm.gantry.api.store.StoreRows;
import io.micronaut.context.ApplicationContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine;

/**
 * {@code gantry-admin}: administration commands. They work on the database of a data folder, whether its farm is
 * running or not, or on the database of {@code --jdbc-url} with the settings of the environment.
 */
@Command(
        name = "admin",
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            DatabaseCommands.class,
            AdminCommand.StoreCommands.class,
            AdminCommand.KeyCommands.class,
            AdminCommand.SecretCommands.class,
            AdminCommand.PepperCommands.class,
            QueueCommands.class
        },
        description = "Creates stores and API keys, and rotates encryption keys and the pepper.")
public final class AdminCommand {
    @Option(
            names = "--data",
            scope = ScopeType.INHERIT,
            defaultValue = "${env:GANTRY_LOCAL_DATA:-.gantry}/api",
            description = "data folder of the API (default: ${DEFAULT-VALUE})")
    Path data = Path.of(".gantry/api");

    @Option(
            names = "--jdbc-url",
            scope = ScopeType.INHERIT,
            description = "JDBC URL of an external database; set GANTRY_PEPPER, GANTRY_SECRET_KEY and"
                    + " DATASOURCES_DEFAULT_PASSWORD as for its API")
    @Nullable
    String jdbcUrl;

    public static void main(String[] arguments) {
        System.exit(execute(arguments));
    }

    static int execute(String... arguments) {
        return new CommandLine(new AdminCommand())
                .setExecutionExceptionHandler((failure, command, _) -> {
                    command.getErr().println(message(failure));
                    return 1;
                })
                .execute(arguments);
    }

    private static String message(Exception failure) {
        return failure instanceof ProblemException refused && refused.problem() instanceof Problem.Invalid invalid
                ? String.join(
                        "\n",
                        invalid.faults().stream()
                                .map(fault -> fault.path() + ": " + fault.message())
                                .toList())
                : StartFailureMessage.findMessage(failure).orElseGet(() -> String.valueOf(failure.getMessage()));
    }

    @Command(name = "store", description = "Manages stores (tenants).")
    static final class StoreCommands {
        @ParentCommand
        private final AdminCommand admin = new AdminCommand();

        @Command(
                name = "create",
                description = "Creates a store; prints its id and its owner's API key, which cannot be shown again.")
        int create(@Option(names = "--name", required = true, description = "name of the store") String name)
                throws IOException {
            ApiKeys.CreatedKey owner = admin.with(context ->
                    context.getBean(StoreRows.class).create(name, context.getBean(ApiKeys.class)::createOwner));
            System.out.println("store " + owner.storeId());
            System.out.println("key " + owner.key());
            return 0;
        }
    }

    @Command(name = "key", description = "Manages API keys.")
    static final class KeyCommands {
        @ParentCommand
        private final AdminCommand admin = new AdminCommand();

        @Command(
                name = "create",
                description =
                        "Creates an API key of a store, for example to replace a lost one; prints it. It cannot be shown again.")
        int create(
                @Option(names = "--store", required = true, description = "id of the store") String store,
                @Option(
                                names = "--name",
                                defaultValue = "made by gantry-admin",
                                description = "name of the key (default: ${DEFAULT-VALUE})")
                        String name,
                @Option(
                                names = "--permissions",
                                split = ",",
                                description = "permissions of the key, such as part.view,printer.view")
                        @Nullable
                        List<String> permissions,
                @Option(names = "--full-access", description = "grant all permissions") boolean fullAccess)
                throws IOException {
            if (fullAccess == (permissions != null)) {
                throw new IllegalArgumentException("either --permissions or --full-access is required");
            }
            Map<String, Object> body = Map.of(
                    "name",
                    name,
                    "fullAccess",
                    fullAccess,
                    "permissions",
                    permissions == null ? List.of() : permissions);
            Optional<ApiKeys.CreatedKey> made = admin.with(context -> context.getBean(StoreRows.class)
                    .inStore(store, tx -> context.getBean(ApiKeys.class).createForOperator(tx, body)));
            System.out.println("key "
                    + made.orElseThrow(() -> new IllegalArgumentException("there is no store " + store))
                            .key());
            return 0;
        }
    }

    @Command(name = "secrets", description = "Manages the data key that encrypts secrets in the database.")
    static final class SecretCommands {
        @ParentCommand
        private final AdminCommand admin = new AdminCommand();

        @Command(
                name = "rotate",
                description = "Creates a new version of the data key, which encrypts secrets from now on.")
        int rotate() throws IOException {
            int version = admin.with(context -> context.getBean(DataKeys.class).rotate());
            System.out.println("version " + version);
            return 0;
        }

        @Command(
                name = "reseal",
                description = "Re-encrypts all secrets with the newest version. Run it again if it was interrupted.")
        int reseal() throws IOException {
            SecretReencryption.Result result = admin.with(
                    context -> context.getBean(SecretReencryption.class).reencryptAll());
            System.out.println("resealed " + result.reencrypted());
            if (result.unreadable() > 0) {
                System.err.println(result.unreadable()
                        + " rows contain a secret that was encrypted with an unknown key; they were not changed");
                return 1;
            }
            return 0;
        }
    }

    @Command(
            name = "pepper",
            description = "Manages the pepper, the part of all API key hashes that is stored outside the database.")
    static final class PepperCommands {
        @ParentCommand
        private final AdminCommand admin = new AdminCommand();

        @Command(
                name = "rotate",
                description =
                        "Adds a new version. After a restart of the API, new keys are hashed with it, and existing keys"
                                + " when they are next used. With --jdbc-url, prints the new values of GANTRY_PEPPER.")
        int rotate() throws IOException {
            if (admin.jdbcUrl != null) {
                String configured = Optional.ofNullable(System.getenv("GANTRY_PEPPER"))
                        .orElseThrow(() -> new IllegalArgumentException("GANTRY_PEPPER is not set in the environment"));
                Pepper.Rotation rotation = new Pepper(configured).rotate(Id.random(32));
                System.out.println("first, for every process: GANTRY_PEPPER='" + rotation.announced() + "'");
                System.out.println("then, for every process: GANTRY_PEPPER='" + rotation.active() + "'");
                return 0;
            }
            Path file = admin.data.toAbsolutePath().resolve("pepper");
            if (!Files.exists(file)) {
                throw new IOException("there is no farm in " + file.getParent());
            }
            SecretFile.write(
                    file,
                    new Pepper(Files.readString(file).strip())
                            .rotate(Id.random(32))
                            .active());
            System.out.println("the pepper has a new version; restart the API to use it");
            return 0;
        }
    }

    /** Runs the action with the beans of the selected installation. */
    <T> T with(Function<ApplicationContext, T> work) throws IOException {
        if (jdbcUrl != null) {
            InstallSecretsCheck.checkEnvironment(System.getenv());
            return with(Map.of("datasources.default.url", jdbcUrl), context -> {
                InstallSecretsCheck.checkDatabase(context);
                return work.apply(context);
            });
        }
        Path folder = data.toAbsolutePath();
        if (!Files.isDirectory(folder.resolve("postgres"))) {
            throw new IOException("there is no farm in " + folder);
        }
        Optional<DataFolderLock> lock = DataFolderLock.tryAcquire(folder, "gantry-admin");
        if (lock.isEmpty()) {
            String url = LocalPostgres.findRunningUrl(folder.resolve("postgres"), LocalPostgres.DATABASE)
                    .orElseThrow(
                            () -> new IOException("the farm of " + folder + " is starting or stopping; try again"));
            return with(StandaloneServer.createSettings(folder, url), work);
        }
        try (DataFolderLock _ = lock.get();
                LocalPostgres postgres = LocalPostgres.start(folder.resolve("postgres"))) {
            postgres.prepareDatabase(LocalPostgres.DATABASE);
            return with(StandaloneServer.createSettings(folder, postgres.url(LocalPostgres.DATABASE)), work);
        }
    }

    private static <T> T with(Map<String, Object> settings, Function<ApplicationContext, T> work) {
        try (ApplicationContext context = ApplicationContext.builder()
                .properties(settings)
                .deduceEnvironment(false)
                .banner(false)
                .start()) {
            return work.apply(context);
        }
    }
}
