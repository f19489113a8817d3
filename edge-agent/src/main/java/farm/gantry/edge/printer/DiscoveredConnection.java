package farm.gantry.edge.printer;

import farm.gantry.edge.camera.CameraPicture;
import farm.gantry.edge.discovery.DiscoveredPrinter;
import farm.gantry.edge.discovery.DiscoveryCache;
import farm.gantry.edge.printer.Provider.Listener;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.edge.time.Uptime;
import farm.gantry.wire.Command;
import farm.gantry.wire.LinkResponse.PrinterConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a printer without a configured address. The printer is discovered by its serial number, and again
 * after every disconnect, because another printer may have its address by then.
 */
final class DiscoveredConnection implements Connection {
    private final Provider make;
    private final PrinterConfig config;
    private final DiscoveryCache search;
    private final Duration again;
    private final Listener listener;
    private final Thread thread = Thread.ofVirtual().unstarted(this::run);
    private final Semaphore left = new Semaphore(0);
    private volatile @Nullable Place place;
    /** The uptime of the last disconnect. From then on its address may belong to another printer. */
    private volatile Duration lostAt = Duration.ZERO;

    private volatile boolean found;
    private volatile boolean closed;

    private DiscoveredConnection(
            Provider make, PrinterConfig config, DiscoveryCache search, Duration again, Listener listener) {
        this.make = make;
        this.config = config;
        this.search = search;
        this.again = again;
        this.listener = listener;
    }

    static DiscoveredConnection begin(
            Provider make, PrinterConfig config, DiscoveryCache search, Duration again, Listener listener) {
        DiscoveredConnection connection = new DiscoveredConnection(make, config, search, again, listener);
        connection.thread.start();
        return connection;
    }

    /** The connection to the address that was discovered last. */
    private record Place(FilteredListener listener, Connection line) {}

    /** Passes on events from one address until its connection is lost; later answers may come from another printer. */
    private final class FilteredListener implements Listener {
        private volatile @Nullable Duration leftAt;

        @Override
        public void saw(PrinterStatus reading, boolean afterGap) {
            if (leftAt == null) {
                listener.saw(reading, afterGap);
            }
        }

        /** An OctoPrint server without its printer can still be ordered to reconnect to it. */
        @Override
        public void notReady(String reason) {
            if (leftAt == null) {
                listener.notReady(reason);
            }
        }

        @Override
        public void lost(String reason) {
            if (leftAt == null) {
                leftAt = Uptime.now();
                listener.lost(reason);
                left.release();
            }
        }
    }

    private void run() {
        try {
            while (!closed) {
                Duration searched = Uptime.now();
                search();
                Place known = place;
                if (known != null) {
                    left.acquire();
                    leave(known);
                }
                Duration rest = again.minus(Uptime.now().minus(searched));
                if (rest.isPositive()) {
                    Thread.sleep(rest);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void search() throws InterruptedException {
        Optional<String> host = search.printers(lostAt).stream()
                .filter(this::isThisPrinter)
                .map(DiscoveredPrinter::host)
                .findFirst();
        if (host.isPresent()) {
            connectTo(host.get());
        } else if (!found) {
            listener.lost(
                    "no printer on this network reports the serial number " + PrinterAddresses.serialNumber(config)
                            + ": check that it is switched on, or register it with its host");
        }
    }

    private synchronized void connectTo(String host) {
        if (!closed) {
            found = true;
            FilteredListener filtered = new FilteredListener();
            place = new Place(filtered, make.connect(config, host, filtered));
        }
    }

    private synchronized void leave(Place known) {
        if (known.equals(place)) {
            known.line().close();
            lostAt = Objects.requireNonNullElse(known.listener().leftAt, lostAt);
            place = null;
        }
    }

    private boolean isThisPrinter(DiscoveredPrinter found) {
        return found.deviceId().equals(PrinterAddresses.serialNumber(config))
                || found.deviceId().equals(config.deviceId());
    }

    private Connection line() throws Refusal {
        Place known = place;
        if (known == null || known.listener().leftAt != null) {
            throw new Refusal(
                    found
                            ? "the printer is offline; searching this network for it"
                            : "the printer was not found on this network yet; still searching");
        }
        return known.line();
    }

    @Override
    public void upload(Path file, String sha256, String fileName) throws IOException, Refusal, InterruptedException {
        line().upload(file, sha256, fileName);
    }

    @Override
    public void start(String fileName, Command.@Nullable Print wanted, StatusCheck check)
            throws IOException, Refusal, InterruptedException {
        line().start(fileName, wanted, check);
    }

    @Override
    public @Nullable String startNumber(String fileName) {
        Place known = place;
        return known == null ? null : known.line().startNumber(fileName);
    }

    @Override
    public void awaitQueue() throws IOException, Refusal, InterruptedException {
        line().awaitQueue();
    }

    @Override
    public void control(Control control, StatusCheck check) throws IOException, Refusal, InterruptedException {
        line().control(control, check);
    }

    @Override
    public void order(Command.Send send) throws IOException, Refusal, InterruptedException {
        line().order(send);
    }

    @Override
    public void remove(String fileName) throws IOException, Refusal, InterruptedException {
        line().remove(fileName);
    }

    @Override
    public CameraPicture snapshot() throws IOException, Refusal, InterruptedException {
        return line().snapshot();
    }

    @Override
    public Optional<Remembered> recall(String fileName) throws IOException, Refusal, InterruptedException {
        return line().recall(fileName);
    }

    @Override
    public synchronized void close() {
        closed = true;
        thread.interrupt();
        Place known = place;
        if (known != null) {
            leave(known);
        }
    }
}
