package farm.gantry.local;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.TimeUnit;

/** TCP ports of this machine. */
final class TcpPorts {
    private static final int TRIES = 50;
    private static final long PAUSE_MILLIS = 200;

    private TcpPorts() {}

    /** Waits until the port is free, because the processes of a killed farm may still use it for a moment. */
    static void awaitFree(int port) throws IOException, InterruptedException {
        for (int tried = 1; !isFree(port); tried++) {
            if (tried == TRIES) {
                throw new IOException(
                        "port " + port + " is in use by another program: stop it, or choose another --port");
            }
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
