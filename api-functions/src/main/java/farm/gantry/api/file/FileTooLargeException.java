package farm.gantry.api.file;

import java.io.IOException;

/** A file exceeds its size limit. */
public final class FileTooLargeException extends IOException {
    public FileTooLargeException(long most) {
        super("a file may have at most " + most + " bytes");
    }
}
