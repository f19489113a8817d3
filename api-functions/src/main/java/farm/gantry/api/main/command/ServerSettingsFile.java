package farm.gantry.api.main.command;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeSet;
import picocli.CommandLine;
import picocli.CommandLine.PropertiesDefaultProvider;

/**
 * The properties file of an installed server. It contains options of the commands, such as {@code port=8080}, and
 * settings, such as {@code gantry.public-url=https://farm.example}. The command line overrides it.
 */
record ServerSettingsFile(Path file) {
    static final String VARIABLE = "GANTRY_CONFIG";
    private static final Path SYSTEM = Path.of("/etc/gantry/gantry.properties");
    private static final List<String> PREFIXES = List.of("gantry.", "micronaut.", "datasources.");

    /** Returns the file that {@code GANTRY_CONFIG} names, by default {@code /etc/gantry/gantry.properties}. */
    static ServerSettingsFile of(Map<String, String> environment) {
        String named = environment.get(VARIABLE);
        return new ServerSettingsFile(named == null ? SYSTEM : Path.of(named));
    }

    /**
     * Sets the file's options as defaults of the commands, and returns the arguments with the file's settings added.
     *
     * @throws IllegalArgumentException if a key is neither an option of a command nor a setting
     */
    List<String> apply(CommandLine line, List<String> arguments) throws IOException {
        if (arguments.isEmpty() || !Files.exists(file)) {
            return arguments;
        }
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        }
        CommandLine command = line.getSubcommands().get(arguments.getFirst());
        boolean takesSettings = command != null && command.getCommandSpec().findOption("--set") != null;
        List<String> all = new ArrayList<>(arguments.subList(0, 1));
        Properties options = new Properties();
        for (String key : new TreeSet<>(properties.stringPropertyNames())) {
            if (PREFIXES.stream().anyMatch(key::startsWith)) {
                if (takesSettings) {
                    all.addAll(List.of("--set", key + "=" + properties.getProperty(key)));
                }
            } else if (isOption(line, key)) {
                options.setProperty(key, properties.getProperty(key));
            } else {
                throw new IllegalArgumentException(
                        file + ": " + key + " is neither a setting (gantry.…) nor an option of a command");
            }
        }
        line.setDefaultValueProvider(new PropertiesDefaultProvider(options));
        all.addAll(arguments.subList(1, arguments.size()));
        return all;
    }

    private static boolean isOption(CommandLine line, String key) {
        return line.getSubcommands().values().stream()
                .anyMatch(command -> command.getCommandSpec().findOption("--" + key) != null);
    }
}
