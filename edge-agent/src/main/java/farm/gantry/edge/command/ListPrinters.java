package farm.gantry.edge.command;

import farm.gantry.edge.link.SavedConfiguration;
import farm.gantry.edge.log.ErrorText;
import farm.gantry.json.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Lists what the agent serves. */
public record ListPrinters(Path data, boolean json) {

    public int run(PrintWriter out, PrintWriter err) throws InterruptedException {
        Optional<StatusReport> report = new RunningAgent(data).report();
        try {
            List<StatusReport.Served> printers =
                    report.isPresent() ? report.get().printers() : servedLast();
            if (report.isEmpty()) {
                err.println("No agent runs on " + data + "; these are the printers it served last.");
            }
            if (json) {
                out.println(Json.write(StatusReport.Served.class, printers));
            } else {
                printers.forEach(printer -> out.println(printer.line()));
            }
            if (printers.isEmpty()) {
                err.println("No printers. Give them this agent's id as proxyClientId.");
            }
            return 0;
        } catch (IOException e) {
            err.println("The list of printers cannot be read: " + ErrorText.of(e));
            return 1;
        }
    }

    private List<StatusReport.Served> servedLast() throws IOException {
        return new SavedConfiguration(data)
                .read().stream()
                        .map(config -> StatusReport.Served.of(config, null))
                        .toList();
    }
}
