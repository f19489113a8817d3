package farm.gantry.edge.provider.elegoo;

import farm.gantry.edge.trust.Pin;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/** A client that a printer registers, and its topics. */
record ElegooClient(String serial, String id) {

    /**
     * Returns the client for this printer. The pin keeps its id across restarts, because a printer reserves the slot of
     * a disconnected client for a minute, and has few slots.
     */
    static ElegooClient of(String serial, Pin pin) throws IOException {
        String known = pin.read();
        if (known != null) {
            return new ElegooClient(serial, known);
        }
        String id = "1_PC_" + ThreadLocalRandom.current().nextInt(1_000, 10_000);
        pin.write(id);
        return new ElegooClient(serial, id);
    }

    private String request() {
        return id + "_req";
    }

    String registrations() {
        return "elegoo/" + serial + "/api_register";
    }

    Map<String, ?> registration() {
        return Map.of("client_id", id, "request_id", request());
    }

    String registered() {
        return "elegoo/" + serial + "/" + request() + "/register_response";
    }

    String status() {
        return "elegoo/" + serial + "/api_status";
    }

    String requests() {
        return "elegoo/" + serial + "/" + id + "/api_request";
    }

    String responses() {
        return "elegoo/" + serial + "/" + id + "/api_response";
    }
}
