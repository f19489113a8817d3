package farm.gantry.edge.command;

import farm.gantry.edge.log.ErrorText;
import farm.gantry.edge.log.LogFile;
import farm.gantry.json.Json;
import io.micronaut.serde.annotation.Serdeable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;

/** The {@code logs} command: prints the log in an agent's data folder. */
public record LogsCommand(Path data, int lines, boolean follow, boolean json) {

    @Serdeable
    record LogLine(String line) {}

    public int run(PrintWriter out, PrintWriter err) throws InterruptedException {
        LogFile log = new LogFile(data);
        if (!Files.exists(log.path())) {
            err.println("There is no log " + log.path() + " yet; gantry-agent run writes it.");
            return 1;
        }
        try {
            log.tail(lines).forEach(line -> printLine(line, out));
            if (follow) {
                log.follow(line -> printLine(line, out));
            }
            return 0;
        } catch (IOException e) {
            err.println("Cannot read the log: " + ErrorText.of(e));
            return 1;
        }
    }

    private void printLine(String line, PrintWriter out) {
        out.println(json ? Json.write(new LogLine(line)) : line);
        out.flush();
    }
}
