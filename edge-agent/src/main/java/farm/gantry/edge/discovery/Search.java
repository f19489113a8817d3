package farm.gantry.edge.discovery;

import farm.gantry.edge.time.Uptime;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Looks for printers on behalf of many, so that the network is asked once for all of them. */
public final class Search {
    private final List<Discovery> ways;
    private final Duration look;
    private final Duration fresh;
    private volatile List<Found> found = List.of();
    private volatile @Nullable Duration looked;

    /** {@code look} is how long answers are waited for, {@code fresh} how long they count. */
    public Search(List<Discovery> ways, Duration look, Duration fresh) {
        this.ways = ways;
        this.look = look;
        this.fresh = fresh;
    }

    /** Those that answer now, or did just before. */
    public synchronized List<Found> printers() throws InterruptedException {
        Duration last = looked;
        if (last == null || Uptime.now().minus(last).compareTo(fresh) >= 0) {
            found = Looked.in(ways, look).found();
            looked = Uptime.now();
        }
        return found;
    }
}
