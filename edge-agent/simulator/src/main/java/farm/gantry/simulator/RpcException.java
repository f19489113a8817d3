package farm.gantry.simulator;

/** A call that Moonraker answers with an error. */
final class RpcException extends Exception {
    private final int code;

    RpcException(int code, String message) {
        super(message);
        this.code = code;
    }

    int code() {
        return code;
    }

    static RpcException refused(String message) {
        return new RpcException(400, message);
    }
}
