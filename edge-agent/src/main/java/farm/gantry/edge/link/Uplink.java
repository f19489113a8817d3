package farm.gantry.edge.link;

import farm.gantry.wire.LinkResponse;
import farm.gantry.wire.LinkRequest;
import java.io.IOException;
import java.time.Duration;

/** The transport of the link's messages. */
public interface Uplink extends AutoCloseable {
    /** Begins a session, to which all requests belong until the next one. */
    void begin(String session) throws IOException, InterruptedException;

    /** Sends a request; the API may hold a response without commands for {@code wait}. */
    LinkResponse exchange(LinkRequest request, Duration wait) throws IOException, InterruptedException;

    @Override
    void close();
}
