package farm.gantry.api.aws;

import farm.gantry.Sha256;
import farm.gantry.api.file.FileTooLargeException;
import farm.gantry.api.file.KeptFiles;
import farm.gantry.api.file.StoredFile;
import farm.gantry.file.FileUri;
import farm.gantry.ingest.function.BucketFiles;
import farm.gantry.ingest.reading.FileHash;
import io.micronaut.context.annotation.Value;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ChecksumAlgorithm;
import software.amazon.awssdk.services.s3.model.ChecksumMode;
import software.amazon.awssdk.services.s3.model.CopyObjectResponse;
import software.amazon.awssdk.services.s3.model.EncodingType;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;
import software.amazon.awssdk.services.s3.paginators.ListObjectsV2Iterable;

/**
 * Kept files in a bucket, each at {@link FileUri#path}. Its hash is the SHA-256 that S3 took of it when it was put or
 * copied; of an upload, of which it took none, it is taken by reading.
 */
@Singleton
final class S3Files implements KeptFiles {
    private static final int NOT_FOUND = 404;
    private static final int SHA256_BYTES = 32;

    private final S3Client s3;
    private final String bucket;
    private final BucketFiles files;
    private final LargeObjects large;
    private final long maxBytes;

    S3Files(S3Client s3, AwsSettings settings, @Value("${gantry.files.max-upload-bytes}") long maxBytes) {
        this.s3 = s3;
        this.bucket = settings.bucket();
        this.files = new BucketFiles(s3, bucket);
        this.large = new LargeObjects(s3, bucket);
        this.maxBytes = maxBytes;
    }

    @Override
    public void fetch(FileUri uri, Path to) throws IOException {
        files.fetch(uri, to);
    }

    @Override
    public boolean isFull() {
        return false;
    }

    /** By way of a file beside, so that too many bytes are noticed before any is kept. */
    @Override
    public StoredFile write(FileUri uri, InputStream bytes, long most) throws IOException {
        Path draft = Files.createTempFile("draft-", "");
        try {
            MessageDigest digest = Sha256.digest();
            try (InputStream some = new DigestInputStream(bytes, digest);
                    OutputStream out = Files.newOutputStream(draft)) {
                byte[] buffer = new byte[1 << 16];
                long size = 0;
                for (int read = some.read(buffer); read >= 0; read = some.read(buffer)) {
                    size += read;
                    if (size > most) {
                        throw new FileTooLargeException(most);
                    }
                    out.write(buffer, 0, read);
                }
            }
            StoredFile file = new StoredFile(uri, HexFormat.of().formatHex(digest.digest()), Files.size(draft));
            if (file.size() > LargeObjects.PART_BYTES) {
                large.put(uri.path(), draft, file.sha256());
            } else {
                files.put(uri, draft);
            }
            return file;
        } finally {
            Files.deleteIfExists(draft);
        }
    }

    @Override
    public Optional<StoredFile> find(FileUri uri) {
        return head(uri).map(found -> {
            String known = found.metadata().get(LargeObjects.SHA256);
            String sha256 = known != null ? known : hex(found.checksumSHA256()).orElseGet(() -> read(uri));
            return new StoredFile(uri, sha256, found.contentLength());
        });
    }

    @Override
    public boolean exists(FileUri uri) {
        return head(uri).isPresent();
    }

    /** Empty for an upload that is larger than one may be, too: a signed URL cannot bound it. */
    private Optional<HeadObjectResponse> head(FileUri uri) {
        try {
            HeadObjectResponse found =
                    s3.headObject(head -> head.bucket(bucket).key(uri.path()).checksumMode(ChecksumMode.ENABLED));
            return Optional.of(found)
                    .filter(each -> uri.area() == FileUri.Area.files || each.contentLength() <= maxBytes);
        } catch (S3Exception absent) {
            if (absent.statusCode() == NOT_FOUND) {
                return Optional.empty();
            }
            throw absent;
        }
    }

    /** S3 takes the hash of what it copies; where a compatible store does not, the copy is read. */
    @Override
    public Optional<StoredFile> copy(FileUri from, FileUri to) {
        Optional<HeadObjectResponse> found = head(from);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        CopyObjectResponse copied = s3.copyObject(copy -> copy.sourceBucket(bucket)
                .sourceKey(from.path())
                .copySourceIfMatch(found.get().eTag())
                .destinationBucket(bucket)
                .destinationKey(to.path())
                .checksumAlgorithm(ChecksumAlgorithm.SHA256));
        String known = found.get().metadata().get(LargeObjects.SHA256);
        String sha256 = known != null
                ? known
                : hex(copied.copyObjectResult().checksumSHA256()).orElseGet(() -> read(to));
        return Optional.of(new StoredFile(to, sha256, found.get().contentLength()));
    }

    /** Empty where the checksum is none, or one of the checksums of parts. */
    private static Optional<String> hex(@Nullable String base64) {
        return Optional.ofNullable(base64)
                .filter(text -> !text.contains("-"))
                .map(Base64.getDecoder()::decode)
                .filter(bytes -> bytes.length == SHA256_BYTES)
                .map(HexFormat.of()::formatHex);
    }

    private String read(FileUri uri) {
        try (InputStream bytes = s3.getObject(get -> get.bucket(bucket).key(uri.path()))) {
            return FileHash.of(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public List<String> owners(String storeId) {
        return names(home(storeId));
    }

    @Override
    public List<String> entries(String storeId, String id, String prefix) {
        return names(home(storeId) + id + "/" + prefix);
    }

    @Override
    public List<String> entriesBefore(String storeId, String id, String prefix, Instant time) {
        String parent = home(storeId) + id + "/" + prefix;
        Map<String, Boolean> older = new LinkedHashMap<>();
        for (ListObjectsV2Response page : pages(list -> list.prefix(parent))) {
            page.contents()
                    .forEach(file -> older.merge(
                            file.key().substring(parent.length()).replaceFirst("/.*", ""),
                            file.lastModified().isBefore(time),
                            Boolean::logicalAnd));
        }
        older.values().removeIf(each -> !each);
        return List.copyOf(older.keySet());
    }

    private static String home(String storeId) {
        return FileUri.Area.files + "/" + storeId + "/";
    }

    private List<String> names(String prefix) {
        return pages(list -> list.prefix(prefix).delimiter("/")).stream()
                .flatMap(page -> Stream.concat(
                        page.commonPrefixes().stream().map(folder -> folder.prefix()),
                        page.contents().stream().map(file -> file.key())))
                .map(path -> path.substring(prefix.length()).replaceFirst("/$", ""))
                .toList();
    }

    /** Keys come encoded, and are decoded by the client: a list with one that XML cannot carry could not be read. */
    private ListObjectsV2Iterable pages(Consumer<ListObjectsV2Request.Builder> asked) {
        return s3.listObjectsV2Paginator(
                list -> list.bucket(bucket).encodingType(EncodingType.URL).applyMutation(asked));
    }

    @Override
    public void delete(String storeId, String id, String name) {
        String path = home(storeId) + id + "/" + name;
        s3.deleteObject(delete -> delete.bucket(bucket).key(path));
        deleteBelow(path + "/");
    }

    @Override
    public void deleteAll(String storeId, String id) {
        deleteBelow(home(storeId) + id + "/");
    }

    private void deleteBelow(String prefix) {
        for (ListObjectsV2Response page : pages(list -> list.prefix(prefix))) {
            List<String> keys = page.contents().stream().map(S3Object::key).toList();
            deleteTogether(keys.stream().filter(S3Files::isOfXml).toList());
            keys.stream()
                    .filter(key -> !isOfXml(key))
                    .forEach(key ->
                            s3.deleteObject(delete -> delete.bucket(bucket).key(key)));
        }
    }

    /** Whether the XML by which keys are deleted together carries the key as it is. */
    private static boolean isOfXml(String key) {
        return key.chars().allMatch(each -> each >= ' ' && each != 0xFFFE && each != 0xFFFF);
    }

    private void deleteTogether(List<String> keys) {
        if (keys.isEmpty()) {
            return;
        }
        List<ObjectIdentifier> objects = keys.stream()
                .map(key -> ObjectIdentifier.builder().key(key).build())
                .toList();
        var answer = s3.deleteObjects(delete ->
                delete.bucket(bucket).delete(each -> each.objects(objects).quiet(true)));
        if (answer.hasErrors()) {
            throw new UncheckedIOException(new IOException("cannot be deleted: " + answer.errors()));
        }
    }
}
