package farm.gantry.edge.command;

import java.io.PrintWriter;
import java.nio.file.Path;

/** Says whether an agent runs on the data folder, for the health check of a container. */
public record HealthCommand(Path data) {

    public int run(PrintWriter out, PrintWriter err) throws InterruptedException {
        if (new RunningAgentClient(data).fetchReport().isEmpty()) {
            err.println("No agent runs on " + data + ".");
            return 1;
        }
        out.println("The agent runs.");
        return 0;
    }
}
