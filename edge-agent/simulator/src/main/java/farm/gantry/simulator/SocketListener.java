package farm.gantry.simulator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.function.BooleanSupplier;

/** A port at which a simulated printer talks with each visitor on a thread of his own. */
final class SocketListener implements AutoCloseable {
    private static final int BACKLOG = 16;

    private final ServerSocket server;
    private final BooleanSupplier open;
    private final Talk talk;

    /** Whoever comes while it is not {@code open} finds nobody. */
    SocketListener(int port, BooleanSupplier open, Talk talk) throws IOException {
        this.open = open;
        this.talk = talk;
        this.server = new ServerSocket(port, BACKLOG, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::serve);
    }

    /** Until the visitor goes. */
    interface Talk {
        void with(Socket visitor) throws IOException;
    }

    private void serve() {
        try {
            while (true) {
                Socket accepted = server.accept();
                Thread.ofVirtual().start(() -> talk(accepted));
            }
        } catch (IOException e) {
            // Closed: the printer is gone.
        }
    }

    private void talk(Socket accepted) {
        try (accepted) {
            if (open.getAsBoolean()) {
                talk.with(accepted);
            }
        } catch (IOException e) {
            // The other side has gone, or was never welcome.
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
