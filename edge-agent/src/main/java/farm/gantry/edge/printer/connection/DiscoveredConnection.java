package farm.gantry.edge.printer.connection;

import farm.gantry.edge.camera.CameraImage;
import farm.gantry.edge.discovery.DiscoveredPrinter;
import farm.gantry.edge.discovery.DiscoveryCache;
import farm.gantry.edge.printer.connection.Provider.Listener;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.edge.time.Uptime;
import farm.gantry.printer.PrinterMetadata;
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
final class DiscoveredConnection implements PrinterConnection {
    private final Provider make;
    private final PrinterConfig config;
    private final DiscoveryCache discoveryCache;
    private final Duration again;
    private final Listener listener;
    private final Thread thread = Thread.ofVirtual().unstarted(this::run);
    private final Semaphore left = new Semaphore(0);
    private volatile @Nullable CurrentConnection place;
    /** The uptime of the last disconnect. Since then, the last address may belong to another printer. */
    private volatile Duration lostAt = Duration.ZERO;

    private volatile boolean found;
    private volatile boolean closed;

    private DiscoveredConnection(
            Provider make, PrinterConfig config, DiscoveryCache search, Duration again, Listener listener) {
        this.make = make;
        this.config = config;
        this.discoveryCache = search;
        this.again = again;
        this.listener = listener;
    }

    static DiscoveredConnection open(
            Provider make, PrinterConfig config, DiscoveryCache search, Duration again, Listener listener) {
        DiscoveredConnection connection = new DiscoveredConnection(make, config, search, again, listener);
        connection.thread.start();
        return connection;
    }

    /** The connection to the address that was discovered last, and the listener that receives its events. */
    private record CurrentConnection(FilteredListener listener, PrinterConnection connection) {}

    /**
     * Forwards the events of one connection until it is lost. Later events may come from another printer and are
     * dropped.
     */
    private final class FilteredListener implements Listener {
        private volatile @Nullable Duration leftAt;

        @Override
        public void onStatus(PrinterStatus reading, boolean afterGap) {
            if (leftAt == null) {
                listener.onStatus(reading, afterGap);
            }
        }

        /**
         * Keeps the connection: an OctoPrint server whose printer is not ready still accepts the command to reconnect
         * to it.
         */
        @Override
        public void onNotReady(String reason) {
            if (leftAt == null) {
                listener.onNotReady(reason);
            }
        }

        @Override
        public void onDisconnect(String reason) {
            if (leftAt == null) {
                leftAt = Uptime.now();
                listener.onDisconnect(reason);
                left.release();
            }
        }
    }

    private void run() {
        try {
            while (!closed) {
                Duration searched = Uptime.now();
                searchUntilFound();
                CurrentConnection known = place;
                if (known != null) {
                    left.acquire();
                    disconnectFrom(known);
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

    private void searchUntilFound() throws InterruptedException {
        Optional<String> host = discoveryCache.findPrinters(lostAt).stream()
                .filter(this::isThisPrinter)
                .map(DiscoveredPrinter::host)
                .findFirst();
        if (host.isPresent()) {
            connectTo(host.get());
        } else if (!found) {
            listener.onDisconnect("no printer on this network reports the serial number " + serialNumber(config)
                    + ": check that it is switched on, or register it with its host");
        }
    }

    private synchronized void connectTo(String host) {
        if (!closed) {
            found = true;
            FilteredListener filtered = new FilteredListener();
            place = new CurrentConnection(filtered, make.connect(config, host, filtered));
        }
    }

    private synchronized void disconnectFrom(CurrentConnection known) {
        if (known.equals(place)) {
            known.connection().close();
            lostAt = Objects.requireNonNullElse(known.listener().leftAt, lostAt);
            place = null;
        }
    }

    private boolean isThisPrinter(DiscoveredPrinter found) {
        return found.deviceId().equals(serialNumber(config)) || found.deviceId().equals(config.deviceId());
    }

    private PrinterConnection currentConnection() throws Refusal {
        CurrentConnection known = place;
        if (known == null || known.listener().leftAt != null) {
            throw new Refusal(
                    found
                            ? "the printer is offline; searching this network for it"
                            : "the printer was not found on this network yet; still searching");
        }
        return known.connection();
    }

    @Override
    public void upload(Path file, String sha256, String fileName) throws IOException, Refusal, InterruptedException {
        currentConnection().upload(file, sha256, fileName);
    }

    @Override
    public void start(String fileName, Command.@Nullable Print wanted, StatusCheck check)
            throws IOException, Refusal, InterruptedException {
        currentConnection().start(fileName, wanted, check);
    }

    @Override
    public @Nullable String farmPrintCounter(String fileName) {
        CurrentConnection known = place;
        return known == null ? null : known.connection().farmPrintCounter(fileName);
    }

    @Override
    public void awaitQueuedCommands() throws IOException, Refusal, InterruptedException {
        currentConnection().awaitQueuedCommands();
    }

    @Override
    public void control(Control control, StatusCheck check) throws IOException, Refusal, InterruptedException {
        currentConnection().control(control, check);
    }

    @Override
    public void sendProviderCommand(Command.Send send) throws IOException, Refusal, InterruptedException {
        currentConnection().sendProviderCommand(send);
    }

    @Override
    public void removeFile(String fileName) throws IOException, Refusal, InterruptedException {
        currentConnection().removeFile(fileName);
    }

    @Override
    public CameraImage takeSnapshot() throws IOException, Refusal, InterruptedException {
        return currentConnection().takeSnapshot();
    }

    @Override
    public Optional<RecordedEnding> findRecordedEnding(String fileName)
            throws IOException, Refusal, InterruptedException {
        return currentConnection().findRecordedEnding(fileName);
    }

    @Override
    public synchronized void close() {
        closed = true;
        thread.interrupt();
        CurrentConnection known = place;
        if (known != null) {
            disconnectFrom(known);
        }
    }

    /** Returns the serial number that the printer announces. */
    static String serialNumber(PrinterConfig config) {
        PrinterMetadata metadata = config.metadata();
        String serial = metadata == null ? null : metadata.serial();
        return serial == null || serial.isBlank() ? config.deviceId() : serial;
    }
}
