package farm.gantry.api.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.Id;
import farm.gantry.Sha256;
import farm.gantry.file.FileUri;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests what the API expects of its file storage, on disk and in S3. */
public interface KeptFilesContract {
    String STORE = Id.next();
    Duration HOUR = Duration.ofHours(1);

    FileStorage files();

    FileUrls urls();

    /** Returns the base of the signed URLs. */
    String base();

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static FileUri file(String owner, String name) {
        return FileUri.file(STORE, owner, name);
    }

    private StoredFile written(FileUri uri, String text) throws IOException {
        return files().write(uri, new ByteArrayInputStream(bytes(text)), 100);
    }

    private HttpResponse<byte[]> put(FileUri uri, byte[] bytes) throws IOException, InterruptedException {
        return sent(HttpRequest.newBuilder(URI.create(urls().upload(base(), uri, HOUR)))
                .PUT(BodyPublishers.ofByteArray(bytes)));
    }

    private HttpRequest.Builder get(FileUri uri) {
        return HttpRequest.newBuilder(URI.create(urls().download(base(), uri, HOUR)));
    }

    private static HttpResponse<byte[]> sent(HttpRequest.Builder request) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request.build(), BodyHandlers.ofByteArray());
        }
    }

    @Test
    default void uploadIsDeletedBeforeItExpires() throws IOException {
        FileUri upload = FileUri.upload(STORE, "a.gcode");
        FileUri other = FileUri.upload(STORE, "a.gcode");
        written(upload, "G28");
        written(other, "G28");
        files().deleteUpload(upload);
        assertThat(files().list(STORE)).doesNotContain(upload).contains(other);
        files().deleteUpload(upload);
    }

    @Test
    default void uploadedFileIsFoundWithItsHash() throws Exception {
        FileUri upload = FileUri.upload(STORE, "Zahnrad (1) ä+b.gcode");
        assertThat(put(upload, bytes("G28")).statusCode()).isEqualTo(200);
        assertThat(files().find(upload)).contains(new StoredFile(upload, Sha256.of("G28"), 3));
    }

    @Test
    default void signedUrlReturnsTheFileAndRanges() throws Exception {
        FileUri uri = file(Id.next(), "runs/1/model.stl");
        written(uri, "0123456789");
        HttpResponse<byte[]> whole = sent(get(uri));
        assertThat(whole.body()).asString().isEqualTo("0123456789");
        assertThat(whole.headers().firstValue("content-type")).contains("application/octet-stream");
        HttpResponse<byte[]> part = sent(get(uri).header("range", "bytes=2-4"));
        assertThat(part.statusCode()).isEqualTo(206);
        assertThat(part.body()).asString().isEqualTo("234");
        assertThat(part.headers().firstValue("content-range")).contains("bytes 2-4/10");
        assertThat(sent(get(uri).header("range", "bytes=10-")).statusCode()).isEqualTo(416);
    }

    @Test
    default void imageIsServedInlineAndScriptableTypesAreNot() throws Exception {
        String owner = Id.next();
        written(file(owner, "a.png"), "png");
        written(file(owner, "a.svg"), "svg");
        assertThat(sent(get(file(owner, "a.png"))).headers().firstValue("content-type"))
                .contains("image/png");
        assertThat(sent(get(file(owner, "a.svg"))).headers().firstValue("content-type"))
                .contains("application/octet-stream");
    }

    @Test
    default void signedUrlIsForOneFileAndMethod() throws Exception {
        FileUri uri = file(Id.next(), "a.gcode");
        written(uri, "G28");
        String url = urls().download(base(), uri, HOUR);
        String other = url.replace(uri.id(), Id.next());
        assertThat(sent(HttpRequest.newBuilder(URI.create(other))).statusCode()).isEqualTo(403);
        assertThat(sent(HttpRequest.newBuilder(URI.create(url)).PUT(BodyPublishers.ofString("G29")))
                        .statusCode())
                .isEqualTo(403);
        assertThat(files().find(uri)).map(StoredFile::sha256).contains(Sha256.of("G28"));
    }

    @Test
    default void missingFileIsNotFound(@TempDir Path folder) throws Exception {
        FileUri uri = file(Id.next(), "a.gcode");
        assertThat(files().find(uri)).isEmpty();
        assertThat(files().exists(uri)).isFalse();
        assertThat(files().copy(uri, file(Id.next(), "a.gcode"))).isEmpty();
        assertThat(sent(get(uri)).statusCode()).isEqualTo(404);
        assertThatThrownBy(() -> files().fetch(uri, folder.resolve("a"))).isInstanceOf(NoSuchFileException.class);
    }

    @Test
    default void copyOutlivesItsOriginal() throws Exception {
        FileUri upload = FileUri.upload(STORE, "a.gcode");
        put(upload, bytes("G28"));
        String first = Id.next();
        FileUri copied = file(first, "1/a.gcode");
        assertThat(files().copy(upload, copied)).contains(new StoredFile(copied, Sha256.of("G28"), 3));
        FileUri again = file(Id.next(), "2/a.gcode");
        assertThat(files().copy(copied, again)).contains(new StoredFile(again, Sha256.of("G28"), 3));
        files().deleteAll(STORE, first);
        assertThat(files().find(copied)).isEmpty();
        assertThat(files().find(again)).contains(new StoredFile(again, Sha256.of("G28"), 3));
        assertThat(files().find(upload)).isPresent();
        assertThat(files().exists(upload)).isTrue();
    }

    @Test
    default void oversizedFileIsNotStored() {
        FileUri uri = file(Id.next(), "a.gcode");
        assertThatThrownBy(() -> files().write(uri, new ByteArrayInputStream(new byte[101]), 100))
                .isInstanceOf(FileTooLargeException.class);
        assertThat(files().find(uri)).isEmpty();
    }

    @Test
    default void largeFileIsStoredByteForByte(@TempDir Path folder) throws Exception {
        byte[] bytes = new byte[(16 << 20) + 7];
        new Random(1).nextBytes(bytes);
        FileUri uri = file(Id.next(), "large.stl");
        StoredFile stored = files().write(uri, new ByteArrayInputStream(bytes), bytes.length);
        assertThat(stored).isEqualTo(new StoredFile(uri, Sha256.of(bytes), bytes.length));
        assertThat(files().find(uri)).contains(stored);
        FileUri copied = file(Id.next(), "large.stl");
        assertThat(files().copy(uri, copied)).map(StoredFile::sha256).contains(stored.sha256());
        assertThat(files().find(copied)).map(StoredFile::sha256).contains(stored.sha256());
        files().fetch(copied, folder.resolve("large"));
        assertThat(Files.mismatch(folder.resolve("large"), Files.write(folder.resolve("sent"), bytes)))
                .isEqualTo(-1);
    }

    @Test
    default void foldersAndSingleFilesOfAnOwnerAreDeleted() throws IOException {
        String owner = Id.next();
        String neighbour = owner.substring(0, 23) + (owner.endsWith("0") ? "1" : "0");
        written(file(owner, "runs/1/a.png"), "a");
        written(file(owner, "runs/2/b.png"), "b");
        written(file(owner, "runs/2/c/d.png"), "d");
        written(file(owner, "log.txt"), "log");
        written(file(neighbour, "log.txt"), "log");
        assertThat(files().listOwners(STORE)).contains(owner, neighbour);
        assertThat(files().listEntries(STORE, owner, "")).containsExactlyInAnyOrder("runs", "log.txt");
        assertThat(files().listEntries(STORE, owner, "runs/")).containsExactlyInAnyOrder("1", "2");
        files().delete(STORE, owner, "runs/2");
        assertThat(files().listEntries(STORE, owner, "runs/")).containsExactly("1");
        assertThat(files().find(file(owner, "runs/2/c/d.png"))).isEmpty();
        files().delete(STORE, owner, "log.txt");
        files().delete(STORE, owner, "never.txt");
        assertThat(files().listEntries(STORE, owner, "")).containsExactly("runs");
        files().deleteAll(STORE, owner);
        assertThat(files().listEntries(STORE, owner, "")).isEmpty();
        assertThat(files().listOwners(STORE)).contains(neighbour).doesNotContain(owner);
    }

    @Test
    default void foldersWithoutRecentFilesAreListed() throws IOException {
        String owner = Id.next();
        written(file(owner, "made/1/a.png"), "a");
        written(file(owner, "made/2/b/c.png"), "c");
        written(file(owner, "made/d.png"), "d");
        written(file(owner, "log.txt"), "log");
        assertThat(files().listEntriesUnchangedSince(
                                STORE, owner, "made/", Instant.now().plus(HOUR)))
                .containsExactlyInAnyOrder("1", "2", "d.png");
        assertThat(files().listEntriesUnchangedSince(
                                STORE, owner, "made/", Instant.now().minus(HOUR)))
                .isEmpty();
        assertThat(files().listEntriesUnchangedSince(STORE, Id.next(), "made/", Instant.now()))
                .isEmpty();
    }

    @Test
    default void fileWrittenDuringDeletionIsCompleteOrMissing() throws Exception {
        String owner = Id.next();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> writing = threads.submit(() -> writeAsOftenAs(30, owner));
            while (!writing.isDone()) {
                files().deleteAll(STORE, owner);
            }
            writing.get();
        }
        written(file(owner, "last.gcode"), "G28");
        assertThat(files().listEntries(STORE, owner, ""))
                .allSatisfy(name -> assertThat(files().find(file(owner, name))).isPresent());
    }

    private Object writeAsOftenAs(int times, String owner) throws IOException {
        for (int i = 0; i < times; i++) {
            try {
                written(file(owner, i + ".gcode"), "G28");
            } catch (FileSystemException _) {
                // Its folder was deleted.
            }
        }
        return owner;
    }
}
