package farm.gantry.edge.mqtt;

import farm.gantry.edge.trust.Trust;
import org.jspecify.annotations.Nullable;

/** Where a printer's broker is, and how one comes in to it; without {@code trust} it speaks in the clear. */
public record Broker(
        String host,
        int port,
        String clientId,
        String user,
        String password,
        @Nullable Trust trust) {

    /** Without the password. */
    @Override
    public String toString() {
        return host + ":" + port;
    }
}
