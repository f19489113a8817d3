package farm.gantry.api.file;

import java.io.IOException;

/** More bytes came than a file may have. */
public final class FileTooLargeException extends IOException {
    FileTooLargeException(long most) {
        super("a file may have at most " + most + " bytes");
    }
}
