package farm.gantry.wire;

import java.net.URI;
import java.util.Locale;

/** Where an MQTT broker is, and whether it is spoken to by TLS. */
public record BrokerAddress(String host, int port, boolean isSecure) {
    private static final String TLS = "mqtts";
    private static final String PLAIN = "mqtt";
    private static final int TLS_PORT = 8883;
    private static final int PLAIN_PORT = 1883;

    /**
     * Reads {@code mqtts://HOST:PORT}, or {@code mqtt://HOST:PORT} without TLS; without a port it is 8883 or 1883.
     *
     * @throws IllegalArgumentException if it is no such address; it names {@code setting}
     */
    public static BrokerAddress of(String setting, URI url) {
        String scheme = url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
        boolean isSecure = scheme.equals(TLS);
        if ((!isSecure && !scheme.equals(PLAIN)) || url.getHost() == null) {
            throw new IllegalArgumentException(setting + " must be mqtts://HOST:PORT, or mqtt://HOST:PORT without TLS");
        }
        int standard = isSecure ? TLS_PORT : PLAIN_PORT;
        return new BrokerAddress(url.getHost(), url.getPort() > 0 ? url.getPort() : standard, isSecure);
    }

    @Override
    public String toString() {
        return (isSecure ? TLS : PLAIN) + "://" + host + ":" + port;
    }
}
