package farm.gantry.local;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A TCP proxy between agent and API that can be cut, to simulate a network failure. With several APIs, connections
 * alternate between them.
 */
final class CuttableNetwork implements AutoCloseable {
    private static final int BACKLOG = 50;

    private final ServerSocket near;
    private final List<Integer> targets = new CopyOnWriteArrayList<>();
    private final AtomicInteger turn = new AtomicInteger();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile boolean isCut;

    CuttableNetwork(int target) throws IOException {
        this.targets.add(target);
        this.near = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    String url() {
        return "http://127.0.0.1:" + near.getLocalPort();
    }

    /** Adds a target for new connections. */
    void add(int target) {
        targets.add(target);
    }

    void cut() {
        isCut = true;
        open.forEach(CuttableNetwork::resetConnection);
    }

    void restore() {
        isCut = false;
    }

    private void accept() {
        while (!near.isClosed()) {
            try {
                Socket agent = near.accept();
                Thread.ofVirtual().start(() -> connect(agent));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void connect(Socket agent) {
        open.add(agent);
        try (agent;
                Socket api = connectToNextTarget()) {
            open.add(api);
            if (isCut) {
                return;
            }
            Thread down = Thread.ofVirtual().start(() -> copy(api, agent));
            copy(agent, api);
            down.join();
            open.remove(api);
        } catch (IOException e) {
            resetConnection(agent);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            open.remove(agent);
        }
    }

    /** Returns a connection to the next target that accepts one. */
    private Socket connectToNextTarget() throws IOException {
        IOException refused = new IOException("no API accepts connections at the ports " + targets);
        for (int i = 0; i < targets.size(); i++) {
            int target = targets.get(Math.floorMod(turn.getAndIncrement(), targets.size()));
            try {
                return new Socket(InetAddress.getLoopbackAddress(), target);
            } catch (IOException e) {
                refused.addSuppressed(e);
            }
        }
        throw refused;
    }

    private static void copy(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException e) {
            resetConnection(from);
        }
        resetConnection(to);
    }

    private static void resetConnection(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // the connection is unusable anyway
        }
    }

    @Override
    public void close() throws IOException {
        cut();
        near.close();
    }
}
