package farm.gantry.edge.file;

import java.io.IOException;

/** A print file that is not what it should be, or not there, in words for the person who waits for it. */
public final class PrintFileException extends IOException {
    public PrintFileException(String message) {
        super(message);
    }
}
