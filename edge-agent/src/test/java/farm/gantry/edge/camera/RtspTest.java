package farm.gantry.edge.camera;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import farm.gantry.Id;
import farm.gantry.edge.PrinterFixture;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.edge.trust.PrinterTrust;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RtspTest {
    private static final String PATH = "/streaming/live/1";

    private final String serial = Id.next();
    private final PrinterFixture fixture = PrinterFixture.vendorA(PrinterFixture.QUICK, serial);

    @TempDir
    Path folder;

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void wrongAccessCodeIsReported() throws Exception {
        Ffmpeg ffmpeg = new Ffmpeg(Ffmpeg.NAME);
        assumeThat(ffmpeg.isInstalled()).as("ffmpeg is installed").isTrue();
        try (Socket camera = connect()) {
            assertThatThrownBy(() -> ffmpeg.extractFirstImage(camera, PATH, "bblp", "wrong"))
                    .isInstanceOf(Refusal.class)
                    .hasMessageContaining("access code");
        }
    }

    @Test
    void rtspErrorStatusIsReported() throws Exception {
        Ffmpeg ffmpeg = new Ffmpeg(Ffmpeg.NAME);
        assumeThat(ffmpeg.isInstalled()).as("ffmpeg is installed").isTrue();
        try (ServerSocket server = new ServerSocket(0);
                Socket camera = new Socket(InetAddress.getLoopbackAddress(), server.getLocalPort());
                Socket program = server.accept()) {
            program.getOutputStream()
                    .write("RTSP/1.0 404 Not Found\r\nCSeq: 1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThatThrownBy(() -> ffmpeg.extractFirstImage(camera, PATH, "bblp", PrinterFixture.KEY))
                    .isInstanceOf(Refusal.class)
                    .hasMessageContaining("status 404");
        }
    }

    @Test
    void accessCodeIsEscapedAndNotOnTheCommandLine() throws Exception {
        Path script = folder.resolve("ffmpeg");
        Files.writeString(script, "#!/bin/sh\ncd " + folder + "\necho \"$@\" > arguments\ncat > input\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
        try (Socket camera = connect()) {
            assertThatThrownBy(() -> new Ffmpeg(script.toString()).extractFirstImage(camera, PATH, "bblp", "a'b c"))
                    .isInstanceOf(IOException.class);
        }
        assertThat(folder.resolve("arguments")).content().doesNotContain("bblp", "127.0.0.1");
        assertThat(folder.resolve("input")).content().contains("rtsp://bblp:a%27b%20c@127.0.0.1:", PATH + "'");
    }

    @Test
    void tooOldFfmpegIsReportedWithTheRequiredVersion() throws Exception {
        Path script = folder.resolve("ffmpeg");
        Files.writeString(script, "#!/bin/sh\necho \"Line 3: unknown keyword 'option'\" >&2\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
        try (Socket camera = connect()) {
            assertThatThrownBy(() ->
                            new Ffmpeg(script.toString()).extractFirstImage(camera, PATH, "bblp", PrinterFixture.KEY))
                    .isInstanceOf(Refusal.class)
                    .hasMessageContaining("version 5");
        }
    }

    private Socket connect() throws IOException {
        return new PrinterTrust(null, serial)
                .sslContext()
                .getSocketFactory()
                .createSocket(PrinterFixture.HOST, fixture.port() + 3);
    }
}
