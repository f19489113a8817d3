package farm.gantry.api.aws;

import farm.gantry.Sha256;
import farm.gantry.api.file.FileStorage;
import farm.gantry.api.file.FileTooLargeException;
import farm.gantry.api.file.StoredFile;
import farm.gantry.file.FileUri;
import farm.gantry.ingest.function.BucketFileStorage;
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
 * Stores files in a bucket, each at {@link FileUri#path}. The hash is the SHA-256 that S3 computed when the file was
 * put or copied; uploads have none and are read to compute it.
 */
@Singleton
final class S3Files implements FileStorage {
    private static final int NOT_FOUND = 404;
    private static final int SHA256_BYTES = 32;

    private final S3Client s3;
    private final String bucket;
    private final BucketFileStorage files;
    private final MultipartUploader large;
    private final long maxBytes;

    S3Files(S3Client s3, AwsSettings settings, @Value("${gantry.files.max-upload-bytes}") long maxBytes) {
        this.s3 = s3;
        this.bucket = settings.bucket();
        this.files = new BucketFileStorage(s3, bucket);
        this.large = new MultipartUploader(s3, bucket);
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

    /** Writes to a temporary file first, so that a file that is too large is rejected before anything is stored. */
    @Override
    public StoredFile write(FileUri uri, InputStream bytes, long maxBytes) throws IOException {
        Path draft = Files.createTempFile("draft-", "");
        try {
            MessageDigest digest = Sha256.digest();
            try (InputStream some = new DigestInputStream(bytes, digest);
                    OutputStream out = Files.newOutputStream(draft)) {
                byte[] buffer = new byte[1 << 16];
                long size = 0;
                for (int read = some.read(buffer); read >= 0; read = some.read(buffer)) {
                    size += read;
                    if (size > maxBytes) {
                        throw new FileTooLargeException(maxBytes);
                    }
                    out.write(buffer, 0, read);
                }
            }
            StoredFile file = new StoredFile(uri, HexFormat.of().formatHex(digest.digest()), Files.size(draft));
            if (file.size() > MultipartUploader.PART_BYTES) {
                large.upload(uri.path(), draft, file.sha256());
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
            String known = found.metadata().get(MultipartUploader.SHA256);
            String sha256 = known != null
                    ? known
                    : decodeChecksum(found.checksumSHA256()).orElseGet(() -> read(uri));
            return new StoredFile(uri, sha256, found.contentLength());
        });
    }

    @Override
    public boolean exists(FileUri uri) {
        return head(uri).isPresent();
    }

    /** Also empty for an upload above the maximum size, which a signed URL cannot enforce. */
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

    /** S3 computes the hash of the copy; for a compatible service that does not, the copy is read. */
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
        String known = found.get().metadata().get(MultipartUploader.SHA256);
        String sha256 = known != null
                ? known
                : decodeChecksum(copied.copyObjectResult().checksumSHA256()).orElseGet(() -> read(to));
        return Optional.of(new StoredFile(to, sha256, found.get().contentLength()));
    }

    /** Empty if there is no checksum, or if it is one of part checksums. */
    private static Optional<String> decodeChecksum(@Nullable String base64) {
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
    public InputStream open(FileUri uri) {
        return s3.getObject(get -> get.bucket(bucket).key(uri.path()));
    }

    @Override
    public List<FileUri> list(String storeId) {
        return Stream.of(FileUri.Area.values())
                .flatMap(area -> pages(list -> list.prefix(area + "/" + storeId + "/")).stream()
                        .flatMap(page -> page.contents().stream())
                        .flatMap(file -> FileUri.parse(file.key().replaceFirst("/", ":")).stream()))
                .toList();
    }

    @Override
    public List<String> listOwners(String storeId) {
        return listNames(storePrefix(storeId));
    }

    @Override
    public List<String> listEntries(String storeId, String id, String prefix) {
        return listNames(storePrefix(storeId) + id + "/" + prefix);
    }

    @Override
    public List<String> listEntriesUnchangedSince(String storeId, String id, String prefix, Instant time) {
        String parent = storePrefix(storeId) + id + "/" + prefix;
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

    private static String storePrefix(String storeId) {
        return FileUri.Area.files + "/" + storeId + "/";
    }

    private List<String> listNames(String prefix) {
        return pages(list -> list.prefix(prefix).delimiter("/")).stream()
                .flatMap(page -> Stream.concat(
                        page.commonPrefixes().stream().map(folder -> folder.prefix()),
                        page.contents().stream().map(file -> file.key())))
                .map(path -> path.substring(prefix.length()).replaceFirst("/$", ""))
                .toList();
    }

    /** Requests URL-encoded keys, which the client decodes: XML cannot represent every key. */
    private ListObjectsV2Iterable pages(Consumer<ListObjectsV2Request.Builder> request) {
        return s3.listObjectsV2Paginator(
                list -> list.bucket(bucket).encodingType(EncodingType.URL).applyMutation(request));
    }

    @Override
    public void deleteUpload(FileUri upload) {
        s3.deleteObject(delete -> delete.bucket(bucket).key(upload.path()));
    }

    @Override
    public void delete(String storeId, String id, String name) {
        String path = storePrefix(storeId) + id + "/" + name;
        s3.deleteObject(delete -> delete.bucket(bucket).key(path));
        deleteBelow(path + "/");
    }

    @Override
    public void deleteAll(String storeId, String id) {
        deleteBelow(storePrefix(storeId) + id + "/");
    }

    private void deleteBelow(String prefix) {
        for (ListObjectsV2Response page : pages(list -> list.prefix(prefix))) {
            List<String> keys = page.contents().stream().map(S3Object::key).toList();
            deleteBatch(keys.stream().filter(S3Files::isXmlSafe).toList());
            keys.stream()
                    .filter(key -> !isXmlSafe(key))
                    .forEach(key ->
                            s3.deleteObject(delete -> delete.bucket(bucket).key(key)));
        }
    }

    /** Whether XML can represent the key unchanged, as the bulk deletion requires. */
    private static boolean isXmlSafe(String key) {
        return key.chars().allMatch(each -> each >= ' ' && each != 0xFFFE && each != 0xFFFF);
    }

    private void deleteBatch(List<String> keys) {
        if (keys.isEmpty()) {
            return;
        }
        List<ObjectIdentifier> objects = keys.stream()
                .map(key -> ObjectIdentifier.builder().key(key).build())
                .toList();
        var answer = s3.deleteObjects(delete ->
                delete.bucket(bucket).delete(each -> each.objects(objects).quiet(true)));
        if (answer.hasErrors()) {
            throw new UncheckedIOException(new IOException("S3 did not delete some files: " + answer.errors()));
        }
    }
}
