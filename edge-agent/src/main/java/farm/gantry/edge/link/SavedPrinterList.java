package farm.gantry.edge.link;

import farm.gantry.edge.file.PrivateFile;
import farm.gantry.edge.log.SecretMask;
import farm.gantry.json.Json;
import farm.gantry.wire.LinkResponse.PrinterConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The file with the latest list of printers from the API, so that a restarted agent serves them even if the API is
 * unreachable.
 */
public record SavedPrinterList(Path data) {
    private static final String FILE = "printers.json";

    public List<PrinterConfig> read() throws IOException {
        Path file = data.resolve(FILE);
        return Files.exists(file) ? registerSecrets(Json.list(Files.readString(file), PrinterConfig.class)) : List.of();
    }

    /**
     * Writes the printers. Does nothing if they are unchanged, so that a full disk does not prevent a session with the
     * API.
     */
    void write(List<PrinterConfig> printers) throws IOException {
        Path file = data.resolve(FILE);
        String text = Json.write(PrinterConfig.class, registerSecrets(printers));
        if (!Files.exists(file) || !Files.readString(file).equals(text)) {
            PrivateFile.write(file, text);
        }
    }

    private static List<PrinterConfig> registerSecrets(List<PrinterConfig> printers) {
        printers.forEach(SecretMask::register);
        return printers;
    }
}
