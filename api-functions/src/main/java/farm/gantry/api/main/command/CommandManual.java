package farm.gantry.api.main.command;

import farm.gantry.version.ProductVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Writes the manual page and the Bash completion of {@code gantry}, for its package. */
public final class CommandManual {
    private final StringBuilder page = new StringBuilder();

    private CommandManual() {}

    /** Writes {@code gantry.1} and {@code gantry.bash} to the folder that is the only argument. */
    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[0]);
        CommandLine line = GantryCommand.commandLine();
        Files.writeString(folder.resolve("gantry.1"), page(line));
        Files.writeString(folder.resolve("gantry.bash"), completion(line));
    }

    static String completion(CommandLine line) {
        return AutoComplete.bash(line.getCommandName(), line);
    }

    /** Returns the manual page in the macros of man(7). */
    static String page(CommandLine line) {
        CommandManual manual = new CommandManual();
        CommandSpec gantry = line.getCommandSpec();
        String name = line.getCommandName();
        manual.macro("TH", name.toUpperCase(Locale.ROOT) + " 1 \"\" \"" + name + " " + ProductVersion.CURRENT + "\"");
        manual.macro("SH", "NAME");
        manual.text(name + " - " + text(gantry.usageMessage().description()));
        manual.macro("SH", "SYNOPSIS");
        manual.macro("B", name);
        manual.text("COMMAND [OPTION ...]");
        manual.macro("SH", "COMMANDS");
        manual.commands(line);
        manual.macro("SH", "FILES");
        manual.text(text(gantry.usageMessage().footer()));
        return manual.page.toString();
    }

    private void commands(CommandLine parent) {
        for (CommandLine command : new LinkedHashSet<>(parent.getSubcommands().values())) {
            CommandSpec spec = command.getCommandSpec();
            macro("SS", "\"" + escape(spec.qualifiedName()) + "\"");
            text(text(spec.usageMessage().description()));
            spec.positionalParameters().forEach(parameter -> argument(parameter.paramLabel(), parameter));
            for (OptionSpec option : spec.options()) {
                if (!option.hidden()) {
                    String value = option.arity().max() == 0 ? "" : " " + option.paramLabel();
                    argument(String.join(", ", option.names()) + value, option);
                }
            }
            commands(command);
        }
    }

    private void argument(String label, ArgSpec argument) {
        page.append(".TP\n");
        macro("B", escape(label));
        text(text(argument.description()));
    }

    private void macro(String name, String value) {
        page.append('.').append(name).append(' ').append(value).append('\n');
    }

    private void text(String text) {
        page.append(escape(text)).append('\n');
    }

    /** Returns the lines as one, without picocli's markup. */
    private static String text(String... lines) {
        List<String> words =
                Arrays.stream(lines).filter(line -> !line.isBlank()).toList();
        return Ansi.OFF.string(String.join(" ", words));
    }

    private static String escape(String text) {
        String escaped = text.replace("\\", "\\e").replace("-", "\\-");
        return escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" + escaped : escaped;
    }
}
