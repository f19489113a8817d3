package farm.gantry.edge;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicLong;

/** A device that answers its first client, and then sends zeros until the client closes the connection. */
public final class BoundlessServer implements AutoCloseable {
    /** Bytes after which the server stops if the client never closes the connection. */
    public static final long MAX_SENT_BYTES = 1L << 26;

    private final ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    private final AtomicLong sent = new AtomicLong();

    /** Handles the exchange before the endless message. */
    public interface Greeting {
        void exchange(InputStream in, OutputStream out) throws IOException;
    }

    public BoundlessServer(Greeting greeting) throws IOException {
        Thread.ofVirtual().start(() -> run(greeting));
    }

    private void run(Greeting greeting) {
        try (Socket caller = server.accept()) {
            OutputStream out = caller.getOutputStream();
            greeting.exchange(caller.getInputStream(), out);
            byte[] more = new byte[1 << 16];
            while (sent.get() < MAX_SENT_BYTES) {
                out.write(more);
                sent.addAndGet(more.length);
            }
        } catch (IOException e) {
            // The client has closed the connection.
        }
    }

    public int port() {
        return server.getLocalPort();
    }

    public long sent() {
        return sent.get();
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
