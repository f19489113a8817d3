package farm.gantry.api.file;

import farm.gantry.file.FileUri;
import io.micronaut.http.HttpRequest;
import java.time.Duration;

/** Creates URLs that permit one method on one file until they expire. */
public interface FileUrls {

    /** Returns the base URL of files as the request's sender reaches it. */
    String base(HttpRequest<?> request);

    /** Returns the configured base URL of files, outside of a request. */
    String base();

    String download(String base, FileUri uri, Duration life);

    String upload(String base, FileUri uri, Duration life);
}
