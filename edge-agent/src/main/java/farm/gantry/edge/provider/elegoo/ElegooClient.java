package farm.gantry.edge.provider.elegoo;

import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/** Who the agent is on one line to a printer, which talks with clients that it has registered, and where they talk. */
record ElegooClient(String serial, String id) {

    static ElegooClient anew(String serial) {
        return new ElegooClient(serial, "1_PC_" + ThreadLocalRandom.current().nextInt(1_000, 10_000));
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
