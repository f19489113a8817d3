package farm.gantry.api;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** One kept connection that sends requests and throws their answers away, at as little cost as can be. */
final class RawClient implements AutoCloseable {
    private static final String LENGTH = "content-length: ";

    private final Socket socket;
    private final InputStream in;
    private final byte[] buffer = new byte[1 << 17];

    RawClient(URI server) throws IOException {
        this.socket = new Socket(server.getHost(), server.getPort());
        this.socket.setTcpNoDelay(true);
        this.in = socket.getInputStream();
    }

    static byte[] request(String method, String target, String key, String json) {
        return request(method, target, Map.of("authorization", "ApiKey " + key), json);
    }

    static byte[] request(String method, String target, Map<String, String> headers, String json) {
        String body = json.isEmpty()
                ? "\r\n"
                : "content-type: application/json\r\ncontent-length: " + Client.utf8(json).length + "\r\n\r\n" + json;
        String named = headers.entrySet().stream()
                .map(header -> header.getKey() + ": " + header.getValue() + "\r\n")
                .collect(Collectors.joining());
        return Client.utf8(method + " " + target + " HTTP/1.1\r\nhost: farm\r\n" + named + body);
    }

    /** Sends it and answers how many bytes the body of the answer had. */
    int exchange(byte[] request) throws IOException {
        socket.getOutputStream().write(request);
        int filled = 0;
        int body = -1;
        while (body < 0) {
            filled += read(filled);
            body = bodyAfter(filled);
        }
        String head = new String(buffer, 0, body, StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT);
        if (!head.startsWith("http/1.1 20")) {
            throw new IOException(new String(buffer, 0, filled, StandardCharsets.UTF_8));
        }
        int at = head.indexOf(LENGTH) + LENGTH.length();
        int length = Integer.parseInt(head.substring(at, head.indexOf('\r', at)));
        for (int left = length - (filled - body); left > 0; ) {
            left -= read(0);
        }
        return length;
    }

    private int read(int from) throws IOException {
        int count = in.read(buffer, from, buffer.length - from);
        if (count < 0) {
            throw new EOFException("the server hung up");
        }
        return count;
    }

    /** Where the body begins, or -1 while the head is not whole. */
    private int bodyAfter(int filled) {
        for (int i = 3; i < filled; i++) {
            if (buffer[i] == '\n' && buffer[i - 1] == '\r' && buffer[i - 2] == '\n' && buffer[i - 3] == '\r') {
                return i + 1;
            }
        }
        return -1;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
