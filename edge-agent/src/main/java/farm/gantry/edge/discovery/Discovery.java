package farm.gantry.edge.discovery;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Looks for the printers of one make in this network. */
public interface Discovery {

    /** Those that answer within this time, each once. */
    List<Found> look(Duration patience) throws IOException;
}
