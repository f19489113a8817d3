package farm.gantry.api.file;

import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import farm.gantry.file.FileUri;
import io.micronaut.context.annotation.Value;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stores the bodies of uploads, a limited number at a time, and rejects slow and large ones. */
@Singleton
public final class UploadReceiver {
    private static final Logger LOG = LoggerFactory.getLogger(UploadReceiver.class);
    private static final Duration RETRY_DELAY = Duration.ofSeconds(5);

    private final FileStorage files;
    private final long maxBytes;
    private final UploadSettings pace;
    private final Semaphore slots;

    UploadReceiver(FileStorage files, @Value("${gantry.files.max-upload-bytes}") long maxBytes, UploadSettings pace) {
        this.files = files;
        this.maxBytes = maxBytes;
        this.pace = pace;
        this.slots = new Semaphore(pace.maxConcurrent());
    }

    /** Reads a body; {@code files} stores streams within it. */
    public interface BodyReader<T> {
        T read(InputStream body) throws IOException;
    }

    /** Reads a body at the pace that uploads must keep; 503 if too many are received now. */
    public <T> T receive(InputStream body, BodyReader<T> reader) throws IOException {
        if (!slots.tryAcquire()) {
            throw new ProblemException(new Problem.Unavailable("too many concurrent uploads; retry", RETRY_DELAY));
        }
        long minBytes = pace.throughputMinBytes();
        try (InputStream content = new MinimumRateStream(body, pace.throughputInterval(), minBytes)) {
            return reader.read(content);
        } catch (FileTooLargeException e) {
            throw UploadCheck.tooLarge(maxBytes);
        } catch (MinimumRateStream.TooSlowException e) {
            throw new ProblemException(new Problem.TooSlow("an upload must send " + minBytes + " bytes every "
                    + pace.throughputInterval().toSeconds() + " s"));
        } finally {
            slots.release();
        }
    }

    /** Stores a file; nothing of it remains if it is too large or ends early. */
    public StoredFile store(FileUri uri, InputStream bytes) throws IOException {
        return files.write(uri, bytes, maxBytes);
    }

    /** Deletes an upload that is no longer needed; one that cannot be deleted expires after a day. */
    public void delete(StoredFile upload) {
        try {
            files.deleteUpload(upload.uri());
        } catch (RuntimeException e) {
            LOG.warn("cannot delete the upload {}; it expires after a day", upload.uri(), e);
        }
    }

    /** Rejects a body that declares more bytes than a file may have. */
    public void checkLength(long declaredBytes) {
        if (declaredBytes > maxBytes) {
            throw UploadCheck.tooLarge(maxBytes);
        }
    }
}
