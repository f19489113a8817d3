package farm.gantry.edge.link;

import farm.gantry.edge.file.PrivateFile;
import farm.gantry.edge.log.SecretMask;
import farm.gantry.json.Json;
import farm.gantry.wire.LinkResponse.PrinterConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The latest printers from the API, stored so that a restarted agent serves them without the API. */
public record SavedConfiguration(Path data) {
    private static final String FILE = "printers.json";

    public List<PrinterConfig> read() throws IOException {
        Path file = data.resolve(FILE);
        return Files.exists(file) ? known(Json.list(Files.readString(file), PrinterConfig.class)) : List.of();
    }

    /** Writes the printers if they have changed, so that a full disk does not prevent a session with the API. */
    void keep(List<PrinterConfig> printers) throws IOException {
        Path file = data.resolve(FILE);
        String text = Json.write(PrinterConfig.class, known(printers));
        if (!Files.exists(file) || !Files.readString(file).equals(text)) {
            PrivateFile.write(file, text);
        }
    }

    private static List<PrinterConfig> known(List<PrinterConfig> printers) {
        printers.forEach(SecretMask::know);
        return printers;
    }
}
