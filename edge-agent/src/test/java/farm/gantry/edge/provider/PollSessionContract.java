package farm.gantry.edge.provider;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.edge.Eventually;
import farm.gantry.edge.printer.connection.PrinterConnection;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The additional contract of providers that poll their printers. */
interface PollSessionContract extends ProviderContract {

    @Test
    default void printerIsPolledDuringAnUpload(@TempDir Path folder) throws Exception {
        RecordingListener recording = new RecordingListener();
        try (PrinterConnection connection = connect(recording)) {
            log().fail("slow-upload");
            Path file = ProviderContract.file(folder);
            Thread upload = Thread.ofVirtual().start(() -> upload(connection, file));
            Eventually.until("it has the file", () -> log().uploads().size() == 1);
            int looks = recording.statusCount();
            Eventually.until("it is looked at", () -> recording.statusCount() > looks + 3);
            assertThat(upload.isAlive()).isTrue();
            assertThat(log().connections()).isLessThanOrEqualTo(3);
            log().recover();
            upload.join();
            connection.start(FILE, null, _ -> {});
            assertThat(log().starts()).isEqualTo(List.of(FILE));
        }
    }

    private static void upload(PrinterConnection connection, Path file) {
        try {
            connection.upload(file, "", FILE);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
