package farm.gantry.edge.log;

import farm.gantry.printer.PrinterMetadata;
import farm.gantry.wire.LinkAnswer.PrinterConfig;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The agent's token and the printers' codes: known here as soon as the agent knows them, so that nobody else reads them. */
public final class Secrets {
    private static final String HIDDEN = "********";
    /** What is shorter occurs everywhere, and protects nothing. */
    private static final int LENGTH = 4;

    private static final Set<String> KNOWN = ConcurrentHashMap.newKeySet();

    private Secrets() {}

    public static void know(@Nullable String secret) {
        if (secret != null && secret.length() >= LENGTH) {
            KNOWN.add(secret);
        }
    }

    public static void know(PrinterConfig config) {
        know(
                switch (config.metadata()) {
                    case null -> null;
                    case PrinterMetadata.VendorA vendorA -> vendorA.devAccessCode();
                    case PrinterMetadata.VendorB vendorB -> vendorB.apiKey();
                    case PrinterMetadata.VendorP vendorP -> vendorP.password();
                    case PrinterMetadata.FirmwareK firmwareK -> firmwareK.apiKey();
                    case PrinterMetadata.ElegooMqtt elegooMqtt -> elegooMqtt.accessCode();
                    case PrinterMetadata.Sdcp _, PrinterMetadata.Anycubic _ -> null;
                });
    }

    /** The text as others may read it. */
    public static String hide(String text) {
        return KNOWN.stream().reduce(text, (left, secret) -> left.replace(secret, HIDDEN));
    }
}
