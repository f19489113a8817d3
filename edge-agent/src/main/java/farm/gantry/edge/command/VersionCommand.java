package farm.gantry.edge.command;

import farm.gantry.json.Json;
import farm.gantry.version.ProductVersion;
import io.micronaut.serde.annotation.Serdeable;
import java.io.PrintWriter;
import picocli.CommandLine.IVersionProvider;

/** Prints the version of the agent. */
public record VersionCommand(boolean json) implements IVersionProvider {
    /** Creates the provider of the option {@code --version}. */
    public VersionCommand() {
        this(false);
    }

    @Override
    public String[] getVersion() {
        return new String[] {"gantry-agent " + ProductVersion.CURRENT};
    }

    @Serdeable
    record VersionInfo(String version, String java, String platform) {}

    public int run(PrintWriter out, PrintWriter err) {
        VersionInfo answer =
                new VersionInfo(ProductVersion.CURRENT.text(), Runtime.version().toString(), platform());
        out.println(
                json
                        ? Json.write(answer)
                        : "gantry-agent " + answer.version() + ", Java " + answer.java() + ", " + answer.platform());
        return 0;
    }

    static String platform() {
        return System.getProperty("os.name") + " " + System.getProperty("os.arch");
    }
}
