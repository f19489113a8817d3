package farm.gantry.ingest.function;

import farm.gantry.file.FileUri;
import farm.gantry.ingest.file.PartFileStorage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ChecksumAlgorithm;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;

/** Stores files in a bucket, by their path; content is streamed, and stored with its SHA-256. */
public record BucketFileStorage(S3Client s3, String bucket) implements PartFileStorage {

    @Override
    public void fetch(FileUri uri, Path to) throws IOException {
        Files.deleteIfExists(to); // the client writes new files only
        try {
            s3.getObject(request -> request.bucket(bucket).key(uri.path()), to);
        } catch (NoSuchKeyException absent) {
            throw (IOException) new NoSuchFileException(uri.toString()).initCause(absent);
        } catch (SdkException transientFault) {
            throw new IOException("cannot fetch " + uri + " from bucket " + bucket, transientFault);
        }
    }

    @Override
    public void put(FileUri uri, Path from) throws IOException {
        try {
            s3.putObject(
                    request -> request.bucket(bucket).key(uri.path()).checksumAlgorithm(ChecksumAlgorithm.SHA256),
                    from);
        } catch (SdkException transientFault) {
            throw new IOException("cannot put " + uri + " into bucket " + bucket, transientFault);
        }
    }
}
