package farm.gantry.simulator.printer;

/** Thrown to answer a request with an error response. */
public final class RpcException extends Exception {
    private final int code;

    public RpcException(int code, String message) {
        super(message);
        this.code = code;
    }

    public int code() {
        return code;
    }

    public static RpcException refused(String message) {
        return new RpcException(400, message);
    }
}
