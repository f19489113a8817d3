package farm.gantry.edge.provider.elegoo;

import farm.gantry.edge.trust.PinnedIdentity;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/** The client that the agent registers at a printer's broker, and the topics of this client. */
record ElegooClient(String serial, String id) {

    /**
     * Returns the client for this printer. Its id is stored across restarts, because a printer has few slots for
     * clients, and reserves that of a disconnected client for a minute.
     */
    static ElegooClient load(String serial, PinnedIdentity pin) throws IOException {
        String known = pin.read();
        if (known != null) {
            return new ElegooClient(serial, known);
        }
        String id = "1_PC_" + ThreadLocalRandom.current().nextInt(1_000, 10_000);
        pin.write(id);
        return new ElegooClient(serial, id);
    }

    private String registrationId() {
        return id + "_req";
    }

    String registrationTopic() {
        return "elegoo/" + serial + "/api_register";
    }

    Map<String, ?> registrationMessage() {
        return Map.of("client_id", id, "request_id", registrationId());
    }

    String registrationResponseTopic() {
        return "elegoo/" + serial + "/" + registrationId() + "/register_response";
    }

    String statusTopic() {
        return "elegoo/" + serial + "/api_status";
    }

    String requestTopic() {
        return "elegoo/" + serial + "/" + id + "/api_request";
    }

    String responseTopic() {
        return "elegoo/" + serial + "/" + id + "/api_response";
    }
}
