package farm.gantry.local;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The network between agent and API, which can be cut. */
final class Wire implements AutoCloseable {
    private static final int BACKLOG = 50;

    private final ServerSocket near;
    private final int target;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile boolean isCut;

    Wire(int target) throws IOException {
        this.target = target;
        this.near = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    String url() {
        return "http://127.0.0.1:" + near.getLocalPort();
    }

    void cut() {
        isCut = true;
        open.forEach(Wire::drop);
    }

    void mend() {
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
                Socket api = new Socket(InetAddress.getLoopbackAddress(), target)) {
            open.add(api);
            if (isCut) {
                return;
            }
            Thread down = Thread.ofVirtual().start(() -> pour(api, agent));
            pour(agent, api);
            down.join();
            open.remove(api);
        } catch (IOException e) {
            drop(agent);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            open.remove(agent);
        }
    }

    private static void pour(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException e) {
            drop(from);
        }
        drop(to);
    }

    private static void drop(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // it is of no use any more in any case
        }
    }

    @Override
    public void close() throws IOException {
        cut();
        near.close();
    }
}
