package farm.gantry.api.file;

import farm.gantry.file.FileUri;
import io.micronaut.http.HttpRequest;
import java.time.Duration;

/** URLs that permit one method on one file until a time. */
public interface FileUrls {

    /** Where files are, for whoever made the request. */
    String base(HttpRequest<?> request);

    /** The same outside of a request. */
    String base();

    String download(String base, FileUri uri, Duration life);

    String upload(String base, FileUri uri, Duration life);
}
