package farm.gantry.simulator.network;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** A TCP port with a virtual thread per connection. */
public final class SocketListener implements AutoCloseable {
    private static final int BACKLOG = 16;

    private final ServerSocket server;
    private final BooleanSupplier open;
    private final ConnectionHandler handler;

    /** Creates a listener, which closes new connections at once while {@code open} returns false. */
    public SocketListener(int port, BooleanSupplier open, ConnectionHandler handler) throws IOException {
        this.open = open;
        this.handler = handler;
        this.server = new ServerSocket(port, BACKLOG, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::serve);
    }

    /** Serves one connection until it ends. */
    public interface ConnectionHandler {
        void run(Socket client) throws IOException;
    }

    /** Opens consecutive ports, one for each handler; all or none. */
    public static AutoCloseable openAll(int first, BooleanSupplier open, ConnectionHandler... handlers)
            throws IOException {
        List<SocketListener> opened = new ArrayList<>();
        try {
            for (ConnectionHandler handler : handlers) {
                opened.add(new SocketListener(first + opened.size(), open, handler));
            }
        } catch (IOException e) {
            opened.forEach(SocketListener::close);
            throw e;
        }
        return () -> opened.forEach(SocketListener::close);
    }

    private void serve() {
        try {
            while (true) {
                Socket accepted = server.accept();
                Thread.ofVirtual().start(() -> run(accepted));
            }
        } catch (IOException e) {
            // Closed: the printer is gone.
        }
    }

    private void run(Socket accepted) {
        try (accepted) {
            if (open.getAsBoolean()) {
                handler.run(accepted);
            }
        } catch (IOException e) {
            // The client has disconnected, or failed its TLS handshake.
        }
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
