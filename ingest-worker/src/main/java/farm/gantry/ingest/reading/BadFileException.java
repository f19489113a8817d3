package farm.gantry.ingest.reading;

import java.io.IOException;

/** Thrown if a part file is invalid, so that a retry cannot help. The message is shown to the user who uploaded it. */
public final class BadFileException extends IOException {
    public BadFileException(String message) {
        super(message);
    }

    public BadFileException(String message, Throwable cause) {
        super(message, cause);
    }
}
