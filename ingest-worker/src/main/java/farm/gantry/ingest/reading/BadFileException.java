package farm.gantry.ingest.reading;

import java.io.IOException;

/** The part file itself is at fault, so trying again is no use; the message is for the person who sent it. */
public final class BadFileException extends IOException {
    public BadFileException(String message) {
        super(message);
    }

    public BadFileException(String message, Throwable cause) {
        super(message, cause);
    }
}
