package farm.gantry.api.aws;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.Id;
import farm.gantry.api.file.FileStorage;
import farm.gantry.api.file.FileUrls;
import farm.gantry.api.file.KeptFilesContract;
import farm.gantry.file.FileUri;
import farm.gantry.ingest.function.emulator.Buckets;
import farm.gantry.ingest.function.emulator.SdkSettings;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.sync.RequestBody;

/** Tests files in a bucket of S3Proxy. */
@Tag("install")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class S3FilesTest implements KeptFilesContract {
    private static final int MAX_BYTES = 1000;

    private Buckets buckets;
    private AwsSettings settings;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        buckets = new Buckets(folder);
        settings = new AwsSettings(SdkSettings.REGION, buckets.newBucket(), "", null, null);
    }

    @AfterAll
    void stop() throws Exception {
        buckets.stop();
    }

    @Override
    public FileStorage files() {
        return new S3Files(buckets.client(), settings, MAX_BYTES);
    }

    @Override
    public FileUrls urls() {
        return new PresignedUrls(new AwsClientFactory(settings).presigner(buckets.client()), settings);
    }

    @Override
    public String base() {
        return settings.bucket();
    }

    @Test
    void oversizedUploadIsNotFound() {
        FileUri upload = FileUri.upload(STORE, "huge.stl");
        buckets.client()
                .putObject(
                        put -> put.bucket(settings.bucket()).key(upload.path()),
                        RequestBody.fromBytes(new byte[MAX_BYTES + 1]));
        assertThat(files().find(upload)).isEmpty();
        assertThat(files().copy(upload, FileUri.file(STORE, Id.next(), "huge.stl")))
                .isEmpty();
    }

    @Test
    void signedUploadRequiresNeitherTypeNorChecksum() {
        assertThat(URI.create(urls().upload(base(), FileUri.upload(STORE, "a.stl"), HOUR))
                        .getQuery())
                .contains("X-Amz-SignedHeaders=host&")
                .doesNotContain("checksum");
    }

    @Test
    void filesWithKeysInvalidInXmlAreDeleted() {
        String id = Id.next();
        String folder = "files/" + STORE + "/" + id + "/";
        for (String name : List.of("a+b c%20ü.stl", "b\uFFFE.stl", "c.stl")) {
            buckets.client()
                    .putObject(put -> put.bucket(settings.bucket()).key(folder + name), RequestBody.fromString("x"));
        }
        assertThat(files().listEntries(STORE, id, "")).containsExactlyInAnyOrder("a+b c%20ü.stl", "b\uFFFE.stl", "c.stl");
        files().deleteAll(STORE, id);
        assertThat(files().listEntries(STORE, id, "")).isEmpty();
    }
}
