package farm.gantry.edge.camera;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * Lets one local program, such as ffmpeg, use a connection that the agent has opened: it connects to a loopback port
 * whose data is relayed.
 */
final class LoopbackRelay implements AutoCloseable {
    private final ServerSocket server;
    private final Socket remote;

    private LoopbackRelay(ServerSocket server, Socket remote) {
        this.server = server;
        this.remote = remote;
    }

    /**
     * Opens a port and relays between the first program that connects and {@code remote}, until either side or this
     * relay is closed.
     */
    static LoopbackRelay to(Socket remote) throws IOException {
        LoopbackRelay relay = new LoopbackRelay(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()), remote);
        Thread.ofVirtual().start(relay::relay);
        return relay;
    }

    int port() {
        return server.getLocalPort();
    }

    private void relay() {
        try (Socket local = server.accept()) {
            server.close();
            Thread.ofVirtual().start(() -> copy(local, remote));
            copy(remote, local);
        } catch (IOException e) {
            // No program has connected, or it is gone.
        }
    }

    private static void copy(Socket from, Socket to) {
        try (OutputStream out = to.getOutputStream()) {
            from.getInputStream().transferTo(out);
        } catch (IOException e) {
            // One side has ended the connection, and closing the stream tells the other one.
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        remote.close();
    }
}
