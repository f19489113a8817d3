package farm.gantry.api.aws;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ChecksumAlgorithm;
import software.amazon.awssdk.services.s3.model.CompletedPart;

/**
 * Uploads large files in parts, which are retried separately. S3 then computes no SHA-256 of the whole, so it is stored
 * as metadata.
 */
record MultipartUploader(S3Client s3, String bucket) {
    static final int PART_BYTES = 16 << 20;
    /** Metadata key of the SHA-256 in hex. */
    static final String SHA256 = "sha256";

    void upload(String key, Path from, String sha256) throws IOException {
        String upload = s3.createMultipartUpload(create -> create.bucket(bucket)
                        .key(key)
                        .metadata(Map.of(SHA256, sha256))
                        .checksumAlgorithm(ChecksumAlgorithm.SHA256))
                .uploadId();
        try (InputStream bytes = Files.newInputStream(from)) {
            List<CompletedPart> parts = new ArrayList<>();
            for (byte[] part = bytes.readNBytes(PART_BYTES); part.length > 0; part = bytes.readNBytes(PART_BYTES)) {
                parts.add(uploadPart(key, upload, parts.size() + 1, part));
            }
            s3.completeMultipartUpload(complete ->
                    complete.bucket(bucket).key(key).uploadId(upload).multipartUpload(whole -> whole.parts(parts)));
        } catch (SdkException | IOException e) {
            s3.abortMultipartUpload(abort -> abort.bucket(bucket).key(key).uploadId(upload));
            throw new IOException("cannot put " + key + " into bucket " + bucket, e);
        }
    }

    private CompletedPart uploadPart(String key, String upload, int number, byte[] bytes) {
        var answer = s3.uploadPart(
                part -> part.bucket(bucket)
                        .key(key)
                        .uploadId(upload)
                        .partNumber(number)
                        .checksumAlgorithm(ChecksumAlgorithm.SHA256),
                RequestBody.fromBytes(bytes));
        return CompletedPart.builder()
                .partNumber(number)
                .eTag(answer.eTag())
                .checksumSHA256(answer.checksumSHA256())
                .build();
    }
}
