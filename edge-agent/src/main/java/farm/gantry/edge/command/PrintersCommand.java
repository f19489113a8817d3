package farm.gantry.edge.command;

import farm.gantry.edge.link.SavedPrinterList;
import farm.gantry.edge.log.ErrorText;
import farm.gantry.json.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The {@code printers} command: lists the printers that the agent serves. */
public record PrintersCommand(Path data, boolean json) {

    public int run(PrintWriter out, PrintWriter err) throws InterruptedException {
        Optional<StatusReport> report = new RunningAgentClient(data).fetchReport();
        try {
            List<StatusReport.ServedPrinter> printers =
                    report.isPresent() ? report.get().printers() : readLastPrinters();
            if (report.isEmpty()) {
                err.println("No agent runs on " + data + "; listing the printers that it served last.");
            }
            if (json) {
                out.println(Json.write(StatusReport.ServedPrinter.class, printers));
            } else {
                printers.forEach(printer -> out.println(printer.line()));
            }
            if (printers.isEmpty()) {
                err.println("This agent has no printers. Register printers with this agent's id as proxyClientId.");
            }
            return 0;
        } catch (IOException e) {
            err.println("Cannot read the list of printers: " + ErrorText.of(e));
            return 1;
        }
    }

    private List<StatusReport.ServedPrinter> readLastPrinters() throws IOException {
        return new SavedPrinterList(data)
                .read().stream()
                        .map(config -> StatusReport.ServedPrinter.of(config, null))
                        .toList();
    }
}
