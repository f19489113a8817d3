package farm.gantry.ingest.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.Id;
import farm.gantry.file.FileUri;
import farm.gantry.ingest.file.PartFileStorage;
import farm.gantry.ingest.file.PartFileStorageContract;
import farm.gantry.ingest.function.emulator.Buckets;
import farm.gantry.ingest.worker.IngestedPart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class BucketFileStorageTest implements PartFileStorageContract {
    private Buckets buckets;
    private String bucket;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        buckets = new Buckets(folder);
        bucket = buckets.newBucket();
    }

    @AfterAll
    void stop() throws Exception {
        buckets.stop();
    }

    @Override
    public PartFileStorage files() {
        return buckets.files(bucket);
    }

    private static FileUri uri() {
        return FileUri.file(IngestedPart.STORE, Id.next(), "part.stl");
    }

    @Test
    void objectKeyEqualsThePathOfTheFile(@TempDir Path folder) throws IOException {
        FileUri uri = uri();
        files().put(uri, Files.writeString(folder.resolve("abc"), "abc"));
        assertThat(buckets.keys(bucket)).contains("files/" + uri.storeId() + "/" + uri.id() + "/part.stl");
    }

    @Test
    void missingBucketIsNotReportedAsAMissingFile(@TempDir Path folder) throws IOException {
        var lost = buckets.files(Id.next());
        assertThatThrownBy(() -> lost.fetchIfExists(uri(), folder.resolve("to")))
                .isInstanceOf(IOException.class)
                .isNotInstanceOf(NoSuchFileException.class);
        Path file = Files.writeString(folder.resolve("file"), "x");
        assertThatThrownBy(() -> lost.put(uri(), file)).isInstanceOf(IOException.class);
    }
}
