package farm.gantry.edge.mqtt;

import farm.gantry.edge.trust.PrinterTrust;
import org.jspecify.annotations.Nullable;

/** The address and login of a printer's MQTT broker; without {@code trust} the connection is not encrypted. */
public record PrinterBroker(
        String host,
        int port,
        String clientId,
        String user,
        String password,
        @Nullable PrinterTrust trust) {

    /** Omits the password. */
    @Override
    public String toString() {
        return host + ":" + port;
    }
}
