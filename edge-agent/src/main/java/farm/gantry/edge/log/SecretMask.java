package farm.gantry.edge.log;

import farm.gantry.wire.LinkAnswer.PrinterConfig;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The agent's token and the printers' codes: known here as soon as the agent knows them, so that nobody else reads them. */
public final class SecretMask {
    private static final String HIDDEN = "********";
    /** Shorter values are not masked: they occur in ordinary text. */
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

    /** The text as others may read it. */
    public static String hide(String text) {
        return KNOWN.stream().reduce(text, (left, secret) -> left.replace(secret, HIDDEN));
    }
}
