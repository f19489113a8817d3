package farm.gantry.edge.simulator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** A simulated printer's file server: FTP within TLS from the first byte on. */
final class BambuFiles implements AutoCloseable {
    private static final int BACKLOG = 16;

    private final BambuSimulator simulator;
    private final ServerSocket server;

    BambuFiles(BambuSimulator simulator, int port) throws IOException {
        this.simulator = simulator;
        this.server = new ServerSocket(port, BACKLOG, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::serve);
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
            if (simulator.isReachable()) {
                new BambuFtp(simulator, accepted).talk();
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
