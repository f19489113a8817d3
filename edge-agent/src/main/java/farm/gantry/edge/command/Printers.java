package farm.gantry.edge.command;

import farm.gantry.edge.link.Configuration;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Lists what the agent serves. */
public record Printers(Path data) {

    public int run(PrintWriter out, PrintWriter err) throws InterruptedException {
        Optional<StatusReport> report = new RunningAgent(data).report();
        try {
            List<StatusReport.Served> printers = report.isPresent()
                    ? report.get().printers()
                    : new Configuration(data)
                            .read().stream()
                                    .map(config -> new StatusReport.Served(
                                            config.name(), config.deviceId(), config.provider(), null))
                                    .toList();
            if (report.isEmpty()) {
                err.println("No agent runs on " + data + "; these are the printers it served last.");
            }
            printers.forEach(printer -> out.println(printer.line()));
            if (printers.isEmpty()) {
                out.println("No printers. Give them this agent's id as proxyClientId.");
            }
            return 0;
        } catch (IOException e) {
            err.println("The list of printers cannot be read: " + Words.of(e));
            return 1;
        }
    }
}
