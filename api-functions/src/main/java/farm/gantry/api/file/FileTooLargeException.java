package farm.gantry.api.file;

import java.io.IOException;

/** A file exceeds its size limit. */
public final class FileTooLargeException extends IOException {
    public FileTooLargeException(long maxBytes) {
        super("a file may have at most " + maxBytes + " bytes");
    }
}
