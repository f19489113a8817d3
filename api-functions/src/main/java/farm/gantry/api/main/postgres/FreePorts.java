package farm.gantry.api.main.postgres;

import java.io.IOException;
import java.net.BindException;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Ports for servers that bind them later. */
public final class FreePorts {
    /** Below the ports that systems give to connections, and to servers that ask for any: nobody gets one of these by chance. */
    private static final int FIRST = 20_000;

    private static final int END = 32_000;
    private static final int TRIES = 100;

    private FreePorts() {}

    /** A port at which nobody listens on this machine. */
    public static int choose() throws IOException {
        return choose(1);
    }

    /** The first of so many ports in a row at which nobody listens. */
    public static int choose(int count) throws IOException {
        for (int tries = 1; ; tries++) {
            int first = ThreadLocalRandom.current().nextInt(FIRST, END - count);
            try {
                for (int port = first; port < first + count; port++) {
                    new ServerSocket(port).close();
                }
                return first;
            } catch (BindException taken) {
                if (tries == TRIES) {
                    throw taken;
                }
            }
        }
    }
}
