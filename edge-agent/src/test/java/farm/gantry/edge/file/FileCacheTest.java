package farm.gantry.edge.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.edge.FakeApi;
import farm.gantry.edge.PrintFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileCacheTest {
    private static final Duration SHORT = Duration.ofMillis(2);

    @TempDir
    Path folder;

    private final HttpClient http = HttpClient.newHttpClient();
    private final FileDownload download = new FileDownload(http, SHORT, Duration.ofSeconds(5));
    private final FakeApi api;

    FileCacheTest() throws IOException {
        this.api = new FakeApi();
    }

    @BeforeEach
    void serveACube() {
        api.files().put("/files/cube", PrintFile.cube().content());
    }

    @AfterEach
    void close() {
        api.close();
    }

    @Test
    void interruptedDownloadResumesWhereItStopped() throws Exception {
        PrintFile large = new PrintFile("large", PrintFile.cube().text().repeat(5_000));
        api.files().breakOff(2);
        FileCache cache = new FileCache(folder, 1 << 24, download, InstantSource.system());
        try (FileCache.Lease lease = fetch(cache, large)) {
            assertThat(lease.path()).hasBinaryContent(large.content());
        }
        assertThat(api.files().ranges()).hasSize(3).first().isEqualTo("");
        assertThat(api.files().ranges()).last().asString().startsWith("bytes=");
    }

    @Test
    void cachedFileIsNotDownloadedAgain() throws Exception {
        FileCache cache = new FileCache(folder, 1 << 20, download, InstantSource.system());
        fetch(cache, PrintFile.cube()).close();
        fetch(new FileCache(folder, 1 << 20, download, InstantSource.system()), PrintFile.cube())
                .close();
        assertThat(api.files().ranges()).hasSize(1);
    }

    @Test
    void fileWithWrongHashIsRetriedAndThenRejected() throws Exception {
        String announced = PrintFile.cube().sha256();
        api.files().put("/files/cube", PrintFile.cube().text().replace('1', '2').getBytes(StandardCharsets.UTF_8));
        FileCache cache = new FileCache(folder, 1 << 20, download, InstantSource.system());
        assertThatThrownBy(() -> cache.fetch(address(), PrintFile.cube().content().length, announced))
                .isInstanceOf(PrintFileException.class)
                .hasMessageContaining("SHA-256");
        assertThat(api.files().ranges()).hasSizeGreaterThan(1);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void oldestUnusedFileIsEvictedFirst() throws Exception {
        long size = PrintFile.cube().content().length;
        FileCache cache = new FileCache(folder, 2 * size + 10, download, InstantSource.system());
        try (FileCache.Lease held = fetch(cache, cube("a"))) {
            fetch(cache, cube("b")).close();
            fetch(cache, cube("c")).close();
            assertThat(held.path()).exists();
            assertThat(folder.resolve(cube("b").sha256())).doesNotExist();
            assertThat(folder.resolve(cube("c").sha256())).exists();
        }
    }

    /** The cache limit may exceed the disk, which the cache shares with the journal. */
    @Test
    void filesAreEvictedWhenTheDiskIsNearlyFull() throws Exception {
        long size = PrintFile.cube().content().length;
        FileCache cache = new FileCache(
                folder,
                1L << 40,
                () -> FileCache.RESERVED_BYTES + 2 * size + 10 - held(),
                download,
                InstantSource.system());
        fetch(cache, cube("a")).close();
        fetch(cache, cube("b")).close();
        fetch(cache, cube("c")).close();
        assertThat(folder.resolve(cube("a").sha256())).doesNotExist();
        assertThat(folder.resolve(cube("b").sha256())).exists();
        assertThat(folder.resolve(cube("c").sha256())).exists();
    }

    @Test
    void fileLargerThanTheFreeDiskSpaceIsNotDownloaded() throws Exception {
        FileCache cache = new FileCache(
                folder, 1L << 40, () -> FileCache.RESERVED_BYTES + 10 - held(), download, InstantSource.system());
        assertThatThrownBy(() -> fetch(cache, cube("a")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no space");
        assertThat(api.files().ranges()).isEmpty();
        assertThat(folder).isEmptyDirectory();
    }

    private long held() {
        try (Stream<Path> files = Files.list(folder)) {
            return files.mapToLong(file -> file.toFile().length()).sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void plateIsExtractedFromItsArchive() throws Exception {
        FileCache cache = new FileCache(folder.resolve("cache"), 1 << 20, download, InstantSource.system());
        try (FileCache.Lease whole = archive(cache);
                FileCache.Lease plate = cache.extract(whole, "Metadata/plate_1.gcode")) {
            assertThat(plate.path()).hasBinaryContent(PrintFile.cube().content());
            assertThat(plate.sha256()).isEqualTo(PrintFile.cube().sha256());
            assertThatThrownBy(() -> cache.extract(whole, "Metadata/plate_2.gcode"))
                    .hasMessageContaining("plate_2");
        }
    }

    @Test
    void incompletePlateIsExtractedAgain() throws Exception {
        FileCache cache = new FileCache(folder.resolve("cache"), 1 << 20, download, InstantSource.system());
        try (FileCache.Lease whole = archive(cache)) {
            FileCache.Lease plate = cache.extract(whole, "Metadata/plate_1.gcode");
            plate.close();
            Files.write(plate.path(), new byte[10]);
            try (FileCache.Lease again = cache.extract(whole, "Metadata/plate_1.gcode")) {
                assertThat(again.path()).hasBinaryContent(PrintFile.cube().content());
            }
        }
    }

    @Test
    void platesAreExtractedConcurrently() throws Exception {
        FileCache cache = new FileCache(folder.resolve("cache"), 1 << 20, download, InstantSource.system());
        try (FileCache.Lease whole = archive(cache);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<byte[]>> printers = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                String entry = "Metadata/plate_" + (1 + i % 2 * 2) + ".gcode";
                printers.add(() -> {
                    try (FileCache.Lease plate = cache.extract(whole, entry)) {
                        return Files.readAllBytes(plate.path());
                    }
                });
            }
            assertThat(threads.invokeAll(printers))
                    .allSatisfy(plate ->
                            assertThat(plate.get()).isEqualTo(PrintFile.cube().content()));
        }
    }

    private FileCache.Lease archive(FileCache cache) throws Exception {
        Path archive = folder.resolve("archive.3mf");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(archive))) {
            for (int plate : List.of(1, 3)) {
                zip.putNextEntry(new ZipEntry("Metadata/plate_" + plate + ".gcode"));
                zip.write(PrintFile.cube().content());
            }
        }
        byte[] content = Files.readAllBytes(archive);
        api.files().put("/files/cube", content);
        return cache.fetch(address(), content.length, PrintFile.sha256(content));
    }

    private FileCache.Lease fetch(FileCache cache, PrintFile file) throws Exception {
        api.files().put("/files/cube", file.content());
        return cache.fetch(address(), file.content().length, file.sha256());
    }

    private static PrintFile cube(String mark) {
        return new PrintFile("cube", PrintFile.cube().text().replace("G28", "G2" + mark));
    }

    private URI address() {
        return URI.create(api.address() + "/files/cube");
    }
}
