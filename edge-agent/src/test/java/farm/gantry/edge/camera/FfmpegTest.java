package farm.gantry.edge.camera;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import farm.gantry.edge.refusal.Refusal;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FfmpegTest {
    private static final InputStream ENDLESS = new InputStream() {
        @Override
        public int read() {
            return 1;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) {
            Arrays.fill(buffer, offset, offset + length, (byte) 1);
            return length;
        }
    };

    @TempDir
    Path folder;

    @Test
    void invalidVideoYieldsNoImage() {
        Ffmpeg ffmpeg = new Ffmpeg(Ffmpeg.NAME, Duration.ofSeconds(2));
        assumeThat(ffmpeg.isInstalled()).as("ffmpeg is installed").isTrue();
        assertThatThrownBy(() -> ffmpeg.extractFirstImage("h264", ENDLESS)).hasMessageContaining("contains no image");
    }

    @Test
    void missingFfmpegIsReportedWithAnInstallationHint() {
        assertThatThrownBy(() -> new Ffmpeg("no-such-program").extractFirstImage("flv", ENDLESS))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("install ffmpeg");
    }

    @Test
    void ffmpegIsKilledAfterItsTimeout() throws Exception {
        Ffmpeg ffmpeg = new Ffmpeg(script("exec sleep 60"), Duration.ofSeconds(5));
        assertThatThrownBy(() -> ffmpeg.extractFirstImage("flv", ENDLESS)).isInstanceOf(IOException.class);
        assertThat(ProcessHandle.of(program())).isEmpty();
    }

    @Test
    void ffmpegIsKilledIfItsOutputExceedsTheLimit() throws Exception {
        Ffmpeg ffmpeg = new Ffmpeg(script("exec cat /dev/zero"));
        assertThatThrownBy(() -> ffmpeg.extractFirstImage("flv", ENDLESS)).hasMessageContaining("too large");
        assertThat(ProcessHandle.of(program())).isEmpty();
    }

    @Test
    void brokenVideoStreamClosesTheInputOfFfmpeg() throws Exception {
        Ffmpeg ffmpeg = new Ffmpeg(script("cat > film; printf '\\377\\330\\377'"));
        CameraImage picture = ffmpeg.extractFirstImage("flv", new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("the camera is gone");
            }

            @Override
            public int read(byte[] buffer, int offset, int length) throws IOException {
                return read();
            }
        });
        assertThat(picture.type()).isEqualTo("image/jpeg");
    }

    /** Creates a shell script that writes its process ID to a file and then runs {@code does}. */
    private String script(String does) throws IOException {
        Path script = folder.resolve("ffmpeg");
        Files.writeString(script, "#!/bin/sh\ncd " + folder + "\necho $$ > number\n" + does + "\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
        return script.toString();
    }

    private long program() throws IOException {
        return Long.parseLong(Files.readString(folder.resolve("number")).strip());
    }
}
