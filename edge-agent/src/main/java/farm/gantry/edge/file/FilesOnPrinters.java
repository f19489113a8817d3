package farm.gantry.edge.file;

import farm.gantry.json.Json;
import io.micronaut.serde.annotation.Serdeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists the files that the agent has uploaded to its printers and not removed yet, so that the printers' storage does
 * not fill. The list survives restarts. A file that could not be recorded, because the disk is full, stays on its
 * printer.
 */
public final class FilesOnPrinters {
    private static final Logger LOG = LoggerFactory.getLogger(FilesOnPrinters.class);
    private static final String FILE = "files-on-printers.json";
    /** The maximum number of listed files per printer. Printers that do not support removal keep theirs. */
    static final int MAX_COUNT = 100;

    private final Path file;
    private final List<UploadedFile> uploads;

    @Serdeable
    record UploadedFile(String deviceId, String fileName) {}

    private FilesOnPrinters(Path file, List<UploadedFile> uploads) {
        this.file = file;
        this.uploads = new CopyOnWriteArrayList<>(uploads);
    }

    /** Reads the list from the agent's data folder. */
    public static FilesOnPrinters load(Path data) {
        Path file = data.resolve(FILE);
        try {
            return new FilesOnPrinters(
                    file, Files.exists(file) ? Json.list(Files.readString(file), UploadedFile.class) : List.of());
        } catch (IOException e) {
            LOG.warn("cannot read {}; the files that it lists stay on their printers: {}", file, e.getMessage());
            return new FilesOnPrinters(file, List.of());
        }
    }

    /** Returns the files of a printer, the oldest first. */
    public List<String> filesOf(String deviceId) {
        return uploads.stream()
                .filter(upload -> upload.deviceId().equals(deviceId))
                .map(UploadedFile::fileName)
                .toList();
    }

    public synchronized void add(String deviceId, String fileName) {
        UploadedFile upload = new UploadedFile(deviceId, fileName);
        if (uploads.contains(upload)) {
            return;
        }
        List<String> known = filesOf(deviceId);
        if (known.size() >= MAX_COUNT) {
            uploads.remove(new UploadedFile(deviceId, known.getFirst()));
        }
        uploads.add(upload);
        write();
    }

    public synchronized void remove(String deviceId, String fileName) {
        if (uploads.remove(new UploadedFile(deviceId, fileName))) {
            write();
        }
    }

    private void write() {
        try {
            PrivateFile.write(file, Json.write(UploadedFile.class, uploads));
        } catch (IOException e) {
            LOG.warn("cannot write {}; new files will stay on their printers: {}", file, e.getMessage());
        }
    }
}
