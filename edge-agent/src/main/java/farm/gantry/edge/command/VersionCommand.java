package farm.gantry.edge.command;

import farm.gantry.json.Json;
import io.micronaut.serde.annotation.Serdeable;
import java.io.PrintWriter;

/** Prints the version of the agent. */
public record VersionCommand(boolean json) {
    public static final String NUMBER = "0.1";

    @Serdeable
    record VersionInfo(String version, String java, String platform) {}

    public int run(PrintWriter out, PrintWriter err) {
        VersionInfo answer = new VersionInfo(NUMBER, Runtime.version().toString(), platform());
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
