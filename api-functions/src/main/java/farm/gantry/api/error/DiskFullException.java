package farm.gantry.api.error;

import java.io.IOException;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** No file is stored, so that what is left of the disk stays PostgreSQL's. */
public final class DiskFullException extends IOException {
    /** What Java says of ENOSPC and EDQUOT, for which it has no exceptions. */
    private static final String FULL = "No space left on device";

    private static final String QUOTA = "Disk quota exceeded";

    public DiskFullException() {
        super(FULL);
    }

    /** Whether it failed because the disk, or this user's share of it, is full. */
    public static boolean isCauseOf(@Nullable Throwable fault) {
        return Stream.iterate(fault, Objects::nonNull, Throwable::getCause)
                .filter(IOException.class::isInstance)
                .map(cause -> String.valueOf(cause.getMessage()))
                .anyMatch(message -> message.contains(FULL) || message.contains(QUOTA));
    }
}
