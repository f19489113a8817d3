package farm.gantry.edge.provider.bambu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.Id;
import farm.gantry.edge.PrintFile;
import farm.gantry.edge.PrinterFixture;
import farm.gantry.edge.trust.PrinterTrust;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BambuLabFilesTest {
    /** The timeout of a reply that never arrives, longer than a slow machine stalls. */
    private static final Duration UNANSWERED = Duration.ofSeconds(2);

    /** Bytes, more than the socket buffers hold. */
    private static final int MORE_THAN_SOCKETS_HOLD = 32 << 20;

    @TempDir
    Path folder;

    private Path file = Path.of("");

    @BeforeEach
    void write() throws IOException {
        file = Files.write(folder.resolve("cube.gcode"), PrintFile.cube().content());
    }

    @ParameterizedTest
    @CsvSource({"030,clear-files", "039,clear-files", "039,lost-files"})
    void smallPrinterWithoutTlsReceivesFilesUnencrypted(String model, String fault) throws Exception {
        try (PrinterFixture fixture = fixture(model)) {
            fixture.log().fail(fault);
            BambuLabFiles upload = upload(fixture, UNANSWERED);
            upload.upload(file, "a.gcode.3mf");
            upload.upload(file, "b.gcode.3mf");
            assertThat(fixture.log().uploads()).isEqualTo(List.of("a.gcode", "b.gcode"));
        }
    }

    @Test
    void smallPrinterWithTlsReceivesFilesEncrypted() throws Exception {
        try (PrinterFixture fixture = fixture("039")) {
            upload(fixture, BambuLabFiles.DEFAULT_TIMEOUT).upload(file, "a.gcode.3mf");
            assertThat(fixture.log().uploads()).isEqualTo(List.of("a.gcode"));
        }
    }

    @Test
    void otherPrinterWithoutTlsReceivesNoFile() {
        try (PrinterFixture fixture = fixture("01S")) {
            fixture.log().fail("clear-files");
            assertThatThrownBy(
                            () -> upload(fixture, BambuLabFiles.DEFAULT_TIMEOUT).upload(file, "a.gcode.3mf"))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("does not support TLS");
            assertThat(fixture.log().uploads()).isEmpty();
        }
    }

    @Test
    void unconfirmedUploadIsVerifiedByItsSize() throws Exception {
        try (PrinterFixture fixture = fixture("094")) {
            fixture.log().fail("upload-unanswered");
            upload(fixture, UNANSWERED).upload(file, "a.gcode.3mf");
            assertThat(fixture.log().uploads()).isEqualTo(List.of("a.gcode"));
        }
    }

    @Test
    void stalledUploadTimesOut() throws Exception {
        byte[] archive = new byte[MORE_THAN_SOCKETS_HOLD];
        System.arraycopy(new byte[] {'P', 'K', 3, 4}, 0, archive, 0, 4);
        Path large = Files.write(folder.resolve("large.3mf"), archive);
        try (PrinterFixture fixture = fixture("094")) {
            fixture.log().fail("upload-stalled");
            BambuLabFiles upload = upload(fixture, UNANSWERED);
            assertThatThrownBy(() -> upload.upload(large, "a.gcode.3mf")).isInstanceOf(IOException.class);
            assertThat(fixture.log().uploads()).isEmpty();
        }
    }

    @Test
    void fileRemovalFailsIfTheFileStays() throws Exception {
        try (PrinterFixture fixture = fixture("094")) {
            BambuLabFiles files = upload(fixture, UNANSWERED);
            files.upload(file, "a.gcode.3mf");
            files.remove("b.gcode.3mf");
            fixture.log().fail("card-locked");
            assertThatThrownBy(() -> files.remove("a.gcode.3mf")).isInstanceOf(IOException.class);
            fixture.log().recover();
            files.remove("a.gcode.3mf");
            assertThat(fixture.log().files()).isEmpty();
        }
    }

    /** The agent has 256 MB of memory for all of its printers. */
    @Test
    void endlessReplyStopsAtTheSizeLimit() {
        try (PrinterFixture fixture = fixture("094")) {
            fixture.log().fail("endless-reply");
            assertThatThrownBy(
                            () -> upload(fixture, BambuLabFiles.DEFAULT_TIMEOUT).upload(file, "a.gcode.3mf"))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("exceed the size limit");
        }
    }

    private static PrinterFixture fixture(String model) {
        return PrinterFixture.vendorA(PrinterFixture.QUICK, model + Id.next());
    }

    private static BambuLabFiles upload(PrinterFixture fixture, Duration timeout) {
        BambuLabAddress address = BambuLabAddress.of(fixture.printer(), PrinterFixture.HOST);
        return new BambuLabFiles(address, new PrinterTrust(null, address.serial()), timeout);
    }
}
