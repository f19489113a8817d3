package farm.gantry.simulator;

/** A call that Moonraker answers with an error. */
final class RpcFault extends Exception {
    private final int code;

    RpcFault(int code, String message) {
        super(message);
        this.code = code;
    }

    int code() {
        return code;
    }

    static RpcFault refused(String message) {
        return new RpcFault(400, message);
    }
}
