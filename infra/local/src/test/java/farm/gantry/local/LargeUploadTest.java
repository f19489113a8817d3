package farm.gantry.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.api.main.ServeCommand;
import farm.gantry.api.main.postgres.FreePorts;
import farm.gantry.api.main.process.ChildProcess;
import io.micronaut.json.tree.JsonNode;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Tests that a server with a heap of 256 MB stores a file of 1 GB from a slicer, and nothing of one that breaks off. */
@Tag("long")
@ResourceLock(OwnFarm.FIRST)
class LargeUploadTest {
    private static final long BYTES = 1L << 30;
    private static final byte[] LINE = "G1 X10 Y10 E1 ; 01\n".getBytes(StandardCharsets.US_ASCII);

    @TempDir
    static Path folder;

    /** Bytes of G-code that no memory holds. */
    private static final class GeneratedGcode extends InputStream {
        private final long fails;
        private long position;

        /** @param fails position at which reading fails */
        GeneratedGcode(long fails) {
            this.fails = fails;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0];
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            if (position >= fails) {
                throw new IOException("the slicer broke off");
            } else if (position == BYTES) {
                return -1;
            }
            int count = (int) Math.min(length, BYTES - position);
            for (int i = 0; i < count; i++) {
                buffer[offset + i] = LINE[(int) ((position + i) % LINE.length)];
            }
            position += count;
            return count;
        }
    }

    private static InputStream form(long fails) {
        byte[] head = """
                --limit
                Content-Disposition: form-data; name="print"

                false
                --limit
                Content-Disposition: form-data; name="file"; filename="large.gcode"

                """.replace("\n", "\r\n").getBytes(StandardCharsets.US_ASCII);
        byte[] tail = "\r\n--limit--\r\n".getBytes(StandardCharsets.US_ASCII);
        return new SequenceInputStream(
                new SequenceInputStream(new ByteArrayInputStream(head), new GeneratedGcode(fails)),
                new ByteArrayInputStream(tail));
    }

    private static HttpResponse<String> upload(URI farm, String key, InputStream form)
            throws IOException, InterruptedException {
        try (HttpClient slicer = HttpClient.newHttpClient()) {
            return slicer.send(
                    HttpRequest.newBuilder(farm.resolve("/print-hosts/any/api/files/local"))
                            .header("X-Api-Key", key)
                            .header("Content-Type", "multipart/form-data; boundary=limit")
                            .POST(HttpRequest.BodyPublishers.ofInputStream(() -> form))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }

    private static long bytesOfFiles(Path data) {
        try (Stream<Path> files = Files.walk(data.resolve("files"))) {
            return files.map(Path::toFile)
                    .filter(File::isFile)
                    .mapToLong(File::length)
                    .sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void gigabyteIsStoredByAServerWithASmallHeapAndABrokenUploadLeavesNothing() throws Exception {
        Path data = folder.resolve("data");
        int port = FreePorts.choose();
        List<String> options = Stream.concat(ChildProcess.SMALL_JVM_OPTIONS.stream(), Stream.of("-Xmx256m"))
                .toList();
        try (ChildProcess server = ChildProcess.start(
                "api",
                folder.resolve("logs"),
                options,
                ServeCommand.class.getName(),
                List.of(
                        "--data=" + data,
                        "--port=" + port,
                        "--set=gantry.monitoring.port=" + FreePorts.choose(),
                        "--set=gantry.files.max-upload-bytes=" + 2 * BYTES))) {
            String key = server.awaitLine("key ");
            server.awaitLine("url ");
            URI farm = URI.create("http://127.0.0.1:" + port);
            assertThatThrownBy(() -> upload(farm, key, form(BYTES / 2))).isInstanceOf(IOException.class);
            Eventually.until(
                    "the half file is deleted",
                    () -> bytesOfFiles(data) == 0,
                    () -> bytesOfFiles(data) + " bytes are left");
            HttpResponse<String> stored = upload(farm, key, form(Long.MAX_VALUE));
            assertThat(stored.statusCode()).as(stored.body()).isEqualTo(201);
            JsonNode parts = new FarmApiClient(farm.toString(), key).get("/v1/parts");
            assertThat(parts.size()).isEqualTo(1);
            assertThat(FarmRequests.text(parts.get(0), "name")).isEqualTo("large.gcode");
            assertThat(bytesOfFiles(data)).isGreaterThanOrEqualTo(BYTES);
        }
    }
}
