package farm.gantry.api.main.command;

import farm.gantry.api.main.BackupCommand;
import farm.gantry.api.main.RestoreCommand;
import farm.gantry.api.main.ServeCommand;
import farm.gantry.api.main.StartFailureMessage;
import farm.gantry.api.main.WorkCommand;
import farm.gantry.api.main.admin.AdminCommand;
import farm.gantry.version.ProductVersion;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.IVersionProvider;

/** {@code gantry}: the main command of an installed server, with its subcommands. */
@Command(
        name = "gantry",
        mixinStandardHelpOptions = true,
        versionProvider = GantryCommand.Version.class,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            ServeCommand.class,
            WorkCommand.class,
            SignInLinkCommand.class,
            Health.class,
            MachineDoctorCommand.class,
            SupportBundleCommand.class,
            BackupCommand.class,
            RestoreCommand.class,
            AdminCommand.class,
            HelpCommand.class
        },
        description = "Runs a 3D-print farm.",
        footer = {
            "",
            "Options and settings may be in a file, as port=8080 or gantry.public-url=https://farm.example:",
            "the one that GANTRY_CONFIG names, or else /etc/gantry/gantry.properties."
        })
public final class GantryCommand {
    /** Exit status for invalid settings; the service manager must not restart the process. */
    private static final int INVALID_SETTINGS_STATUS = 2;

    private GantryCommand() {}

    public static void main(String[] arguments) {
        System.exit(execute(commandLine(), ServerSettingsFile.of(System.getenv()), List.of(arguments)));
    }

    static CommandLine commandLine() {
        return new CommandLine(new GantryCommand());
    }

    static int execute(CommandLine line, ServerSettingsFile settings, List<String> arguments) {
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setExecutionExceptionHandler((failure, command, _) -> {
            StartFailureMessage.print(failure, command.getCommandName() + ": ", command.getErr());
            return failure instanceof IllegalArgumentException ? INVALID_SETTINGS_STATUS : 1;
        });
        try {
            return line.execute(settings.apply(line, arguments).toArray(String[]::new));
        } catch (IOException | IllegalArgumentException e) {
            StartFailureMessage.print(e, "gantry: ", line.getErr());
            return INVALID_SETTINGS_STATUS;
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
