package farm.gantry.api.main.postgres;

import java.io.IOException;
import java.net.BindException;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Finds unused ports for servers that bind them later. */
public final class FreePorts {
    /**
     * Start of the searched range, below the ephemeral ports of operating systems, so that no other program gets one of
     * these ports by chance.
     */
    private static final int FIRST = 20_000;

    private static final int END = 32_000;
    private static final int TRIES = 100;

    private FreePorts() {}

    /** Returns a port on which no program of this machine listens. */
    public static int choose() throws IOException {
        return choose(1);
    }

    /** Returns the first of {@code count} consecutive ports on which no program listens. */
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
