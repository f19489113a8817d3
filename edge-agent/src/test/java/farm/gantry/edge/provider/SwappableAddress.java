package farm.gantry.edge.provider;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A proxy on two consecutive ports that forwards to one printer and, after some pieces of data, to another one. */
final class SwappableAddress implements AutoCloseable {
    private static final int PORTS = 2;
    private static final int PIECE = 1 << 16;
    private static final int TRIES = 100;

    private final List<ServerSocket> servers = bind();
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final int before;
    private final int after;
    private final boolean cutting;
    /** The number of pieces that still go to the first printer; unlimited until a swap is requested. */
    private final AtomicInteger left = new AtomicInteger(Integer.MAX_VALUE);

    /** {@code cutting} closes the connections to the first printer at the swap. */
    SwappableAddress(int before, int after, boolean cutting) {
        this.before = before;
        this.after = after;
        this.cutting = cutting;
        for (int i = 0; i < PORTS; i++) {
            int offset = i;
            Thread.ofVirtual().start(() -> accept(offset));
        }
    }

    private static List<ServerSocket> bind() {
        for (int tried = 0; tried < TRIES; tried++) {
            try {
                ServerSocket first = listen(0);
                try {
                    return List.of(first, listen(first.getLocalPort() + 1));
                } catch (IOException e) {
                    first.close();
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        throw new IllegalStateException("no two ports in a row are free");
    }

    private static ServerSocket listen(int port) throws IOException {
        return new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
    }

    int port() {
        return servers.getFirst().getLocalPort();
    }

    /** Swaps to the second printer after this many more pieces. */
    void swapAfter(int pieces) {
        left.set(pieces);
    }

    boolean isSwapped() {
        return left.get() <= 0;
    }

    private void accept(int offset) {
        while (true) {
            try {
                Socket client = servers.get(offset).accept();
                sockets.add(client);
                Thread.ofVirtual().start(() -> serve(client, offset));
            } catch (IOException e) {
                return; // The server was closed.
            }
        }
    }

    private void serve(Socket client, int offset) {
        Socket printer = null;
        try (client) {
            InputStream in = client.getInputStream();
            byte[] piece = new byte[PIECE];
            for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
                boolean swapped = left.getAndDecrement() <= 0;
                if (printer == null) {
                    printer = connect(client, (swapped ? after : before) + offset);
                } else if (swapped && cutting && printer.getPort() == before + offset) {
                    return;
                }
                printer.getOutputStream().write(piece, 0, read);
            }
        } catch (IOException e) {
            // The client or the printer has closed the connection.
        } finally {
            close(printer);
        }
    }

    private Socket connect(Socket client, int port) throws IOException {
        Socket printer = new Socket();
        sockets.add(printer);
        printer.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        Thread.ofVirtual().start(() -> {
            try (client) {
                printer.getInputStream().transferTo(client.getOutputStream());
            } catch (IOException e) {
                // The client or the printer has closed the connection.
            }
        });
        return printer;
    }

    private static void close(@Nullable Socket socket) {
        try {
            if (socket != null) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        for (ServerSocket server : servers) {
            server.close();
        }
        sockets.forEach(SwappableAddress::close);
    }
}
