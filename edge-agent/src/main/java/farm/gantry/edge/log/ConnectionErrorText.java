package farm.gantry.edge.log;

import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Predicate;

/** Describes why the connection to a printer failed, and says what a person can do about it. */
public final class ConnectionErrorText {
    private static final String UNKNOWN_HOST =
            "the printer's host name is unknown: check its address, or enter its IP address instead";
    private static final String NO_RESPONSE =
            "the printer does not respond: check that it is switched on and connected to"
                    + " the network, and that its address is right";
    private static final String REFUSED = "the printer refuses the connection: check that network access is on in its"
            + " settings, and that its address and port are right";

    private ConnectionErrorText() {}

    /** Returns a sentence and the message for a failure of the network, and the message alone for any other. */
    public static String of(Exception fault) {
        if (hasCause(fault, at -> at instanceof UnknownHostException || at instanceof UnresolvedAddressException)) {
            return sentence(UNKNOWN_HOST, fault);
        }
        if (hasCause(fault, ConnectionErrorText::isTimeout)) {
            return sentence(NO_RESPONSE, fault);
        }
        if (hasCause(fault, ConnectException.class::isInstance)) {
            return sentence(REFUSED, fault);
        }
        return Objects.requireNonNullElse(fault.getMessage(), fault.toString());
    }

    /** Keeps the message, because it may have the address. */
    private static String sentence(String sentence, Exception fault) {
        return fault.getMessage() == null ? sentence : sentence + " (" + fault.getMessage() + ")";
    }

    /** The system reports an elapsed time and an unreachable network as a failed connection, with other words. */
    private static boolean isTimeout(Throwable fault) {
        if (fault instanceof ConnectException) {
            String words = String.valueOf(fault.getMessage()).toLowerCase(Locale.ROOT);
            return words.contains("timed out") || words.contains("unreachable") || words.contains("no route");
        }
        return fault instanceof HttpTimeoutException
                || fault instanceof SocketTimeoutException
                || fault instanceof NoRouteToHostException;
    }

    private static boolean hasCause(Throwable fault, Predicate<Throwable> condition) {
        for (Throwable at = fault; at != null; at = at.getCause()) {
            if (condition.test(at)) {
                return true;
            }
        }
        return false;
    }
}
