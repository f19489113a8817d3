package farm.gantry.edge.file;

import java.io.IOException;

/** A print file is missing or invalid; the message is for the person who waits for the print. */
public final class PrintFileException extends IOException {
    public PrintFileException(String message) {
        super(message);
    }
}
