package farm.gantry.edge.provider.vendora;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.Id;
import farm.gantry.edge.Bench;
import farm.gantry.edge.PrintFile;
import farm.gantry.edge.trust.Trust;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VendorAFileUploadTest {
    @TempDir
    Path folder;

    private Path file = Path.of("");

    @BeforeEach
    void write() throws IOException {
        file = Files.write(folder.resolve("cube.gcode"), PrintFile.cube().content());
    }

    @ParameterizedTest
    @CsvSource({"030,clear-files", "039,clear-files", "039,lost-files"})
    void aSmallPrinterThatTakesNoFilesInTlsTakesThemInTheClear(String model, String trouble) throws Exception {
        try (Bench bench = bench(model)) {
            bench.log().fail(trouble);
            VendorAFileUpload upload = upload(bench, Duration.ofMillis(500));
            upload.send(file, "a.gcode.3mf");
            upload.send(file, "b.gcode.3mf");
            assertThat(bench.log().uploads()).isEqualTo(List.of("a.gcode", "b.gcode"));
        }
    }

    @Test
    void aSmallPrinterThatDoesTlsTakesNothingInTheClear() throws Exception {
        try (Bench bench = bench("039")) {
            upload(bench, VendorAFileUpload.DEFAULT_TIMEOUT).send(file, "a.gcode.3mf");
            assertThat(bench.log().uploads()).isEqualTo(List.of("a.gcode"));
        }
    }

    @Test
    void noOtherPrinterIsGivenAFileInTheClear() {
        try (Bench bench = bench("01S")) {
            bench.log().fail("clear-files");
            assertThatThrownBy(() ->
                            upload(bench, VendorAFileUpload.DEFAULT_TIMEOUT).send(file, "a.gcode.3mf"))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("no TLS");
            assertThat(bench.log().uploads()).isEmpty();
        }
    }

    @Test
    void aFileThatAPrinterSaysNothingOfIsLookedFor() throws Exception {
        try (Bench bench = bench("094")) {
            bench.log().fail("upload-unanswered");
            upload(bench, Duration.ofMillis(200)).send(file, "a.gcode.3mf");
            assertThat(bench.log().uploads()).isEqualTo(List.of("a.gcode"));
        }
    }

    private static Bench bench(String model) {
        return Bench.vendorA(Bench.QUICK, model + Id.next());
    }

    private static VendorAFileUpload upload(Bench bench, Duration patience) {
        VendorAAddress address = VendorAAddress.of(bench.printer(), Bench.HOST);
        return new VendorAFileUpload(address, new Trust(null, address.serial()), patience);
    }
}
