package farm.gantry.api.main;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Explains why the server cannot listen at its address. */
final class ListenFailure {
    private static final int UNPRIVILEGED = 1024;

    private ListenFailure() {}

    /** Returns what to do, if the failure was caused by the address. */
    static Optional<IOException> explain(Throwable failure, InetSocketAddress address) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                .filter(ListenFailure::isBinding)
                .findFirst()
                .map(cause -> new IOException(
                        "cannot listen at %s port %d: %s"
                                .formatted(address.getHostString(), address.getPort(), remedy(cause, address)),
                        failure));
    }

    /** The native transport of Netty has its own type of exception. */
    private static boolean isBinding(Throwable failure) {
        return failure instanceof BindException
                || (failure instanceof IOException
                        && String.valueOf(failure.getMessage()).startsWith("bind(..) failed"));
    }

    private static String remedy(Throwable cause, InetSocketAddress address) {
        String message = String.valueOf(cause.getMessage());
        if (message.contains("in use")) {
            return "another program uses the port; stop it, or choose another one with --port, or port= in gantry.properties";
        } else if (message.contains("ermission denied") && address.getPort() < UNPRIVILEGED) {
            return "ports below 1024 are for root; choose another one, and let a proxy serve this one";
        } else if (message.contains("assign requested address")) {
            return "it is not an address of this machine; choose one with --host, or host= in gantry.properties";
        }
        return message;
    }
}
