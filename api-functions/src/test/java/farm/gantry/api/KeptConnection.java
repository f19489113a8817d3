package farm.gantry.api;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** One connection to the API, on which requests are written byte by byte as a test wants them. */
public final class KeptConnection implements AutoCloseable {
    private static final int MILLIS = 60_000;

    private final Socket socket;
    private final InputStream in;

    public KeptConnection() throws IOException {
        this(SharedApi.url(), "127.0.0.1");
    }

    /** To that server, from one of this machine's own addresses. */
    public KeptConnection(String url, String from) throws IOException {
        URI server = URI.create(url);
        this.socket = new Socket(server.getHost(), server.getPort(), InetAddress.ofLiteral(from), 0);
        this.socket.setSoTimeout(MILLIS);
        this.in = socket.getInputStream();
    }

    /** Sends a request whose head is these lines. */
    public Answer send(byte[] body, String... head) throws IOException {
        String text = String.join("\r\n", head) + "\r\ncontent-length: " + body.length + "\r\n\r\n";
        write(Client.utf8(text));
        write(body);
        return answer();
    }

    public void write(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    public Answer answer() throws IOException {
        String status = line();
        Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (String line = line(); !line.isEmpty(); line = line()) {
            String[] parts = line.split(": ", 2);
            headers.put(parts[0].toLowerCase(Locale.ROOT), List.of(parts[1]));
        }
        int length = Integer.parseInt(
                headers.getOrDefault("content-length", List.of("0")).getFirst());
        return new Answer(Integer.parseInt(status.substring(9, 12)), headers, in.readNBytes(length));
    }

    /** Whether the server closes the connection. */
    public boolean isClosed() throws IOException {
        return in.read() < 0;
    }

    private String line() throws IOException {
        byte[] line = new byte[1 << 16];
        for (int length = 0; ; length++) {
            int each = in.read();
            if (each < 0) {
                throw new EOFException("the server closed the connection");
            } else if (each == '\n') {
                return new String(Arrays.copyOf(line, length), StandardCharsets.ISO_8859_1).strip();
            }
            line[length] = (byte) each;
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
