package farm.gantry.api.mcp;

import java.util.Map;

/** Ends a JSON-RPC request with an error. */
final class McpException extends RuntimeException {
    static final int INVALID_REQUEST = -32600;
    static final int METHOD_NOT_FOUND = -32601;
    static final int INVALID_PARAMS = -32602;
    static final int HEADER_MISMATCH = -32020;
    static final int UNSUPPORTED_VERSION = -32022;

    private final int status;
    private final int code;
    private final transient Map<String, Object> data;

    McpException(int status, int code, String message) {
        this(status, code, message, Map.of());
    }

    /** @param status status of the HTTP response */
    McpException(int status, int code, String message, Map<String, Object> data) {
        super(message, null, false, false);
        this.status = status;
        this.code = code;
        this.data = data;
    }

    int status() {
        return status;
    }

    /** Returns the member {@code error} of the response. */
    Map<String, Object> error() {
        return data.isEmpty()
                ? Map.of("code", code, "message", getMessage())
                : Map.of("code", code, "message", getMessage(), "data", data);
    }
}
