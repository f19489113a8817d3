package farm.gantry.api.error;

import java.io.IOException;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** No file is stored, because the remaining disk space is reserved for PostgreSQL. */
public final class DiskFullException extends IOException {
    /** Java's messages for ENOSPC and EDQUOT, for which it has no exception types. */
    private static final String FULL = "No space left on device";

    private static final String QUOTA = "Disk quota exceeded";

    public DiskFullException() {
        super(FULL);
    }

    /** Whether the failure was caused by a full disk or quota. */
    public static boolean isCauseOf(@Nullable Throwable fault) {
        return Stream.iterate(fault, Objects::nonNull, Throwable::getCause)
                .filter(IOException.class::isInstance)
                .map(cause -> String.valueOf(cause.getMessage()))
                .anyMatch(message -> message.contains(FULL) || message.contains(QUOTA));
    }
}
