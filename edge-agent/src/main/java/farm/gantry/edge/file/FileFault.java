package farm.gantry.edge.file;

import java.io.IOException;

/** A print file that cannot be had, in words for the person who waits for it. */
public final class FileFault extends IOException {
    public FileFault(String message) {
        super(message);
    }
}
