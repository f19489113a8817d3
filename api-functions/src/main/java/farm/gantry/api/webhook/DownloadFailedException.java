package farm.gantry.api.webhook;

import java.io.IOException;

/** A download failed; the message does not contain the URL. */
public final class DownloadFailedException extends IOException {
    DownloadFailedException(String message) {
        super(message);
    }
}
