package farm.gantry.wire;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Address of an MQTT broker, and whether it uses TLS. */
public record BrokerAddress(String host, int port, boolean isSecure) {
    private static final String TLS = "mqtts";
    private static final String PLAIN = "mqtt";
    private static final int TLS_PORT = 8883;
    private static final int PLAIN_PORT = 1883;

    /**
     * Parses {@code mqtts://HOST:PORT}, or {@code mqtt://HOST:PORT} without TLS; a port that is not positive means 8883
     * or 1883.
     *
     * @throws IllegalArgumentException naming {@code setting} if the address is invalid
     */
    public static BrokerAddress parse(String setting, @Nullable String scheme, @Nullable String host, int port) {
        String lower = scheme == null ? "" : scheme.toLowerCase(Locale.ROOT);
        boolean isSecure = lower.equals(TLS);
        if (!(isSecure || lower.equals(PLAIN)) || host == null) {
            throw new IllegalArgumentException(setting + " must be mqtts://HOST:PORT, or mqtt://HOST:PORT without TLS");
        }
        int standard = isSecure ? TLS_PORT : PLAIN_PORT;
        return new BrokerAddress(host, port > 0 ? port : standard, isSecure);
    }

    @Override
    public String toString() {
        return (isSecure ? TLS : PLAIN) + "://" + host + ":" + port;
    }
}
