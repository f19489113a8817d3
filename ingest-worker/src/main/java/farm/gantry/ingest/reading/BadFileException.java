package farm.gantry.ingest.reading;

import java.io.IOException;

/** The part file itself is faulty, so a retry is no use; the message is for the user who uploaded it. */
public final class BadFileException extends IOException {
    public BadFileException(String message) {
        super(message);
    }

    public BadFileException(String message, Throwable cause) {
        super(message, cause);
    }
}
