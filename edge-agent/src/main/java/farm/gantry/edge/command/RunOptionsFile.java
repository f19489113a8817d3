package farm.gantry.edge.command;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.PropertiesDefaultProvider;

/** A file with options of the {@code run} command. Options on the command line take precedence. */
public record RunOptionsFile(Path file) {
    private static final String NAME = "agent.properties";
    private static final Path SYSTEM = Path.of("/etc/gantry-agent", NAME);

    /**
     * Returns the file that {@code GANTRY_CONFIG} names, or else the one in {@code /etc/gantry-agent}, or else the one
     * in the data folder.
     */
    public static RunOptionsFile of(Map<String, String> environment) {
        String named = environment.get("GANTRY_CONFIG");
        if (named != null) {
            return new RunOptionsFile(Path.of(named));
        }
        Path home = Path.of(System.getProperty("user.home"), ".gantry-agent");
        String data = environment.getOrDefault("GANTRY_DATA", home.toString());
        return new RunOptionsFile(Files.exists(SYSTEM) ? SYSTEM : Path.of(data, NAME));
    }

    /**
     * Sets the defaults of the command line to the options in the file. Rejects a key that is not an option of {@code
     * run}, so that a mistyped key is noticed.
     */
    public void applyTo(CommandLine line) throws IOException {
        if (!Files.exists(file)) {
            return;
        }
        Properties settings = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            settings.load(reader);
        }
        CommandLine run = Objects.requireNonNull(line.getSubcommands().get("run"));
        for (String key : settings.stringPropertyNames()) {
            if (run.getCommandSpec().findOption("--" + key) == null) {
                throw new ParameterException(run, file + ": unknown option " + key);
            }
        }
        line.setDefaultValueProvider(new PropertiesDefaultProvider(settings));
    }
}
