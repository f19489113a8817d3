package farm.gantry.edge.provider.octoprint;

import farm.gantry.edge.refusal.Refusal;
import farm.gantry.json.Tree;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * OctoPrint's serial connection to its printer. A printer that is switched on after OctoPrint stays offline until a
 * client requests the connection, which the agent does if OctoPrint is set to connect automatically. Opening the
 * connection resets most printers, and people close it to flash one or to print from its SD card. So the agent requests
 * a port only once, when it appears while the agent watches, and never after the printer has worked.
 */
final class OctoPrintSerialPort {
    private static final Logger LOG = LoggerFactory.getLogger(OctoPrintSerialPort.class);

    private final OctoPrintClient client;
    private volatile boolean leftAlone;
    private volatile @Nullable Set<String> known;

    OctoPrintSerialPort(OctoPrintClient client) {
        this.client = client;
    }

    /** Handles a polled status; {@code printer} is empty while OctoPrint has no working printer. */
    void onPoll(Map<String, Object> printer, Map<String, Object> job)
            throws IOException, Refusal, InterruptedException {
        if (!printer.isEmpty()) {
            leftAlone = true;
        }
        if (leftAlone || !OctoPrintStatusParser.isClosed(job)) {
            return;
        }
        Map<String, Object> options = client.connection();
        Set<String> ports = new HashSet<>();
        Tree.list(options, "ports").forEach(port -> ports.add(String.valueOf(port)));
        Set<String> before = known;
        known = ports;
        if (before != null
                && isNewPort(Tree.text(options, "portPreference"), before, ports)
                && client.connectsAutomatically()) {
            leftAlone = true;
            LOG.info("{}: a printer was switched on, requesting that OctoPrint connects to it", client.address());
            client.connect();
        }
    }

    private static boolean isNewPort(@Nullable String preferred, Set<String> before, Set<String> now) {
        boolean any = preferred == null || List.of("", "AUTO").contains(preferred);
        return now.stream().anyMatch(port -> !before.contains(port) && (any || port.equals(preferred)));
    }

    /** Records that OctoPrint itself is unreachable, so that it may come back with another printer or none. */
    void onUnreachable() {
        leftAlone = false;
        known = null;
    }
}
