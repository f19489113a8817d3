package farm.gantry.api.main.command;

import farm.gantry.api.main.Backup;
import farm.gantry.api.main.Restore;
import farm.gantry.api.main.Serve;
import farm.gantry.api.main.StartFailure;
import farm.gantry.api.main.Work;
import farm.gantry.api.main.admin.Admin;
import farm.gantry.version.ProductVersion;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.IVersionProvider;

/** {@code gantry}: all commands of an installed server. */
@Command(
        name = "gantry",
        mixinStandardHelpOptions = true,
        versionProvider = Gantry.Version.class,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            Serve.class,
            Work.class,
            SignInLink.class,
            Health.class,
            Backup.class,
            Restore.class,
            Admin.class,
            HelpCommand.class
        },
        description = "Runs a 3D-print farm.",
        footer = {
            "",
            "Options and settings may be in a file, as port=8080 or gantry.public-url=https://farm.example:",
            "the one that GANTRY_CONFIG names, or else /etc/gantry/gantry.properties."
        })
public final class Gantry {
    /** The exit status after which a service manager need not try again. */
    private static final int WRONG_SETTINGS = 2;

    private Gantry() {}

    public static void main(String[] arguments) {
        System.exit(execute(line(), ServerSettings.of(System.getenv()), List.of(arguments)));
    }

    static CommandLine line() {
        return new CommandLine(new Gantry());
    }

    static int execute(CommandLine line, ServerSettings settings, List<String> arguments) {
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setExecutionExceptionHandler((failure, command, _) -> {
            StartFailure.print(failure, command.getCommandName() + ": ", command.getErr());
            return failure instanceof IllegalArgumentException ? WRONG_SETTINGS : 1;
        });
        try {
            return line.execute(settings.apply(line, arguments).toArray(String[]::new));
        } catch (IOException | IllegalArgumentException e) {
            StartFailure.print(e, "gantry: ", line.getErr());
            return WRONG_SETTINGS;
        }
    }

    @Command(name = "version", description = "Prints the version.")
    int version() {
        System.out.println(new Version().getVersion()[0]);
        return 0;
    }

    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"gantry " + ProductVersion.CURRENT};
        }
    }
}
