package farm.gantry.edge.link;

import farm.gantry.wire.LinkAnswer;
import farm.gantry.wire.LinkRequest;
import java.io.IOException;
import java.time.Duration;

/** The way by which the link's messages go. */
public interface Uplink extends AutoCloseable {
    /** What is asked from here on belongs to this session, until the next is begun. */
    void begin(String session) throws IOException, InterruptedException;

    /** An answer without commands may be held back for {@code wait}. */
    LinkAnswer exchange(LinkRequest request, Duration wait) throws IOException, InterruptedException;

    @Override
    void close();
}
