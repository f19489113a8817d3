package farm.gantry.edge.log;

import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.AccessDeniedException;
import org.jspecify.annotations.Nullable;

/** Converts exceptions to error messages that people can read. */
public final class ErrorText {
    private ErrorText() {}

    public static String of(IOException fault) {
        return switch (fault) {
            case AccessDeniedException denied -> "no permission to write " + denied.getMessage();
            case HttpTimeoutException _ -> "timeout, no response";
            case ConnectException refused
            when refused.getCause() instanceof UnresolvedAddressException -> "unknown host name";
            case ConnectException refused -> of(refused.getMessage(), "connection refused");
            default -> of(fault.getMessage(), fault.getClass().getSimpleName());
        };
    }

    private static String of(@Nullable String message, String otherwise) {
        return message == null ? otherwise : message;
    }
}
