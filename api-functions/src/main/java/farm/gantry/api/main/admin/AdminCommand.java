package farm.gantry.api.main.admin;

import farm.gantry.api.apikey.ApiKeys;
import farm.gantry.api.database.DataKeys;
import farm.gantry.api.database.SecretReencryption;
import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.main.InstallSecretsCheck;
import farm.gantry.api.main.StandaloneServer;
import farm.gantry.api.main.StartFailureMessage;
import farm.gantry.api.main.postgres.LocalPostgres;
import farm.gantry.api.main.process.DataFolderLock;
import farm.gantry.api.store.StoreRows;
import io.micronaut.context.ApplicationContext;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/**
 * {@code gantry-admin}: administration commands. They work on the database of a data folder, whether its farm is
 * running or not, on the database of {@code --jdbc-url} with the settings of the environment, or on the installation of
 * the caller, which is that of a stage on AWS.
 */
@Command(
        name = "admin",
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            DatabaseCommands.class,
            StoreCommands.class,
            AdminCommand.KeyCommands.class,
            AdminCommand.SecretCommands.class,
            PepperCommands.class,
            QueueCommands.class,
            ServerDoctorCommand.class
        },
        description = "Creates stores and API keys, and rotates encryption keys and the pepper.")
public final class AdminCommand {
    private static final List<String> INSTALLATION_OPTIONS = List.of("--data", "--jdbc-url");

    @Nullable
    private final Supplier<ApplicationContext> installation;

    @Spec
    private CommandSpec spec = CommandSpec.create();

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

    AdminCommand() {
        this(null);
    }

    private AdminCommand(@Nullable Supplier<ApplicationContext> installation) {
        this.installation = installation;
    }

    public static void main(String[] arguments) {
        System.exit(execute(arguments));
    }

    static int execute(String... arguments) {
        return commandLine(new AdminCommand()).execute(arguments);
    }

    /**
     * Returns the command line for the installation of the caller. Each command that needs the installation's beans
     * starts them and closes them. The options that select another installation are rejected.
     */
    public static CommandLine commandLine(Supplier<ApplicationContext> installation) {
        return commandLine(new AdminCommand(installation)).setExecutionStrategy(parsed -> {
            for (ParseResult each = parsed; each != null; each = each.subcommand()) {
                for (String option : INSTALLATION_OPTIONS) {
                    if (each.hasMatchedOption(option)) {
                        throw new ParameterException(
                                each.commandSpec().commandLine(),
                                option + " is not available here: the commands work on the database of this stage");
                    }
                }
            }
            return new RunLast().execute(parsed);
        });
    }

    private static CommandLine commandLine(AdminCommand admin) {
        return new CommandLine(admin).setExecutionExceptionHandler((failure, command, _) -> {
            command.getErr().println(message(failure));
            return 1;
        });
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
            admin.out()
                    .println("key "
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
            admin.out().println("version " + version);
            return 0;
        }

        @Command(
                name = "reseal",
                description = "Re-encrypts all secrets with the newest version. Run it again if it was interrupted.")
        int reseal() throws IOException {
            SecretReencryption.Result result = admin.with(
                    context -> context.getBean(SecretReencryption.class).reencryptAll());
            admin.out().println("resealed " + result.reencrypted());
            if (result.unreadable() > 0) {
                admin.err()
                        .println(
                                result.unreadable()
                                        + " rows contain a secret that was encrypted with an unknown key; they were not changed");
                return 1;
            }
            return 0;
        }
    }

    PrintWriter out() {
        return spec.commandLine().getOut();
    }

    PrintWriter err() {
        return spec.commandLine().getErr();
    }

    /** Whether the commands work on the installation of the caller. */
    boolean isForInstallationOfCaller() {
        return installation != null;
    }

    /** Returns the pepper of an installation that is configured from outside; empty if it is in the data folder. */
    Optional<String> configuredPepper() throws IOException {
        if (installation != null) {
            return Optional.of(with(context -> context.getRequiredProperty("gantry.pepper", String.class)));
        }
        return jdbcUrl == null
                ? Optional.empty()
                : Optional.of(Optional.ofNullable(System.getenv("GANTRY_PEPPER"))
                        .orElseThrow(
                                () -> new IllegalArgumentException("GANTRY_PEPPER is not set in the environment")));
    }

    /** Runs the action with the beans of the selected installation. */
    <T> T with(Function<ApplicationContext, T> work) throws IOException {
        if (installation != null) {
            try (ApplicationContext context = installation.get()) {
                InstallSecretsCheck.checkDatabase(context);
                return work.apply(context);
            }
        }
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
