package farm.gantry.edge.discovery;

import farm.gantry.edge.time.Uptime;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Shares one discovery among all printers of a provider whose addresses are unknown. */
public final class DiscoveryCache {
    private final List<Discovery> ways;
    private final Duration timeout;
    private final Duration fresh;
    private volatile List<DiscoveredPrinter> found = List.of();
    private volatile @Nullable DiscoveryInterval last;

    /** The uptimes at which a discovery began and ended. */
    private record DiscoveryInterval(Duration began, Duration ended) {}

    /**
     * Creates an empty cache. {@code timeout} is how long a discovery waits for responses, {@code fresh} how long its
     * result is reused.
     */
    public DiscoveryCache(List<Discovery> ways, Duration timeout, Duration fresh) {
        this.ways = ways;
        this.timeout = timeout;
        this.fresh = fresh;
    }

    /**
     * Returns the printers of the last discovery, which is repeated if it is older than {@code fresh}, or began before
     * this uptime.
     */
    public synchronized List<DiscoveredPrinter> findPrinters(Duration since) throws InterruptedException {
        DiscoveryInterval known = last;
        if (known == null
                || known.began().compareTo(since) < 0
                || Uptime.now().minus(known.ended()).compareTo(fresh) >= 0) {
            Duration began = Uptime.now();
            found = DiscoveryResult.discover(ways, timeout).found();
            last = new DiscoveryInterval(began, Uptime.now());
        }
        return found;
    }
}
