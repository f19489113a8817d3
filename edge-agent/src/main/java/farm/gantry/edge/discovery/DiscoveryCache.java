package farm.gantry.edge.discovery;

import farm.gantry.edge.time.Uptime;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Shares one discovery among all printers of a make that look for their addresses. */
public final class DiscoveryCache {
    private final List<Discovery> ways;
    private final Duration look;
    private final Duration fresh;
    private volatile List<DiscoveredPrinter> found = List.of();
    private volatile @Nullable Look last;

    /** The uptimes at which it began and ended. */
    private record Look(Duration began, Duration ended) {}

    /** {@code look} is how long answers are waited for, {@code fresh} how long they count. */
    public DiscoveryCache(List<Discovery> ways, Duration look, Duration fresh) {
        this.ways = ways;
        this.look = look;
        this.fresh = fresh;
    }

    /** The printers of the last discovery, which is repeated when it is no longer fresh, or began before this uptime. */
    public synchronized List<DiscoveredPrinter> printers(Duration since) throws InterruptedException {
        Look known = last;
        if (known == null
                || known.began().compareTo(since) < 0
                || Uptime.now().minus(known.ended()).compareTo(fresh) >= 0) {
            Duration began = Uptime.now();
            found = DiscoveryResult.in(ways, look).found();
            last = new Look(began, Uptime.now());
        }
        return found;
    }
}
