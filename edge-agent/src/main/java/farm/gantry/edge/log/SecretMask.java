package farm.gantry.edge.log;

import farm.gantry.wire.LinkResponse.PrinterConfig;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Masks the agent's token and the printers' access codes, which are registered here as soon as the agent reads them.
 */
public final class SecretMask {
    private static final String HIDDEN = "********";
    /** The minimum length; shorter values are not masked, because they occur in ordinary text. */
    private static final int LENGTH = 4;

    private static final Set<String> KNOWN = ConcurrentHashMap.newKeySet();

    private SecretMask() {}

    public static void know(@Nullable String secret) {
        if (secret != null && secret.length() >= LENGTH) {
            KNOWN.add(secret);
        }
    }

    public static void know(PrinterConfig config) {
        if (config.metadata() != null) {
            config.metadata().secrets().forEach(SecretMask::know);
        }
    }

    /** Returns the text with masked secrets. */
    public static String hide(String text) {
        return KNOWN.stream().reduce(text, (left, secret) -> left.replace(secret, HIDDEN));
    }
}
