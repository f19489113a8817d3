package farm.gantry.edge.printer;

import farm.gantry.edge.camera.CameraPicture;
import farm.gantry.edge.discovery.DiscoveredPrinter;
import farm.gantry.edge.discovery.DiscoveryCache;
import farm.gantry.edge.printer.Provider.Listener;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.printer.PrinterMetadata;
import farm.gantry.wire.Command;
import farm.gantry.wire.LinkAnswer.PrinterConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A connection to a printer without a configured address: it is discovered by its serial number, again after its address changed. */
final class DiscoveredConnection implements Connection {
    private final Provider make;
    private final PrinterConfig config;
    private final DiscoveryCache search;
    private final Duration again;
    private final Listener listener;
    private final Thread thread = Thread.ofVirtual().unstarted(this::run);
    private volatile @Nullable Place place;
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

    /** The address that it was discovered at last, and the connection to it. */
    private record Place(String host, FilteredListener listener, Connection line) {}

    /** Passes on what comes from one address until the printer has another. */
    private static final class FilteredListener implements Listener {
        private final Listener listener;
        private volatile boolean inSight;
        private volatile boolean left;

        FilteredListener(Listener listener) {
            this.listener = listener;
        }

        @Override
        public void saw(Reading reading, boolean afterGap) {
            if (!left) {
                inSight = true;
                listener.saw(reading, afterGap);
            }
        }

        @Override
        public void lost(String reason) {
            if (!left) {
                inSight = false;
                listener.lost(reason);
            }
        }
    }

    private void run() {
        try {
            while (!closed) {
                Place known = place;
                if (known == null || !known.listener().inSight) {
                    search(known);
                }
                Thread.sleep(again);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void search(@Nullable Place known) throws InterruptedException {
        Optional<String> host = search.printers().stream()
                .filter(this::isThisPrinter)
                .map(DiscoveredPrinter::host)
                .findFirst();
        if (host.isPresent()) {
            if (known == null || !known.host().equals(host.get())) {
                connectTo(host.get());
            }
        } else if (known == null) {
            listener.lost("no printer in this network says that it is " + name()
                    + ": check that it is on, or register it with its host");
        }
    }

    private synchronized void connectTo(String host) {
        leave();
        if (!closed) {
            FilteredListener filtered = new FilteredListener(listener);
            place = new Place(host, filtered, make.connect(config, host, filtered));
        }
    }

    private void leave() {
        Place known = place;
        if (known != null) {
            known.listener().left = true;
            known.line().close();
        }
    }

    private boolean isThisPrinter(DiscoveredPrinter found) {
        return found.deviceId().equals(name()) || found.deviceId().equals(config.deviceId());
    }

    private String name() {
        PrinterMetadata metadata = config.metadata();
        String serial = metadata == null ? null : metadata.serial();
        return serial == null || serial.isBlank() ? config.deviceId() : serial;
    }

    private Connection line() throws Refusal {
        Place known = place;
        if (known == null) {
            throw new Refusal("the printer was not found in this network yet");
        }
        return known.line();
    }

    @Override
    public void upload(Path file, String sha256, String fileName) throws IOException, Refusal, InterruptedException {
        line().upload(file, sha256, fileName);
    }

    @Override
    public void start(String fileName, Command.@Nullable Print wanted)
            throws IOException, Refusal, InterruptedException {
        line().start(fileName, wanted);
    }

    @Override
    public void control(Control control) throws IOException, Refusal, InterruptedException {
        line().control(control);
    }

    @Override
    public void order(Command.Send send) throws IOException, Refusal, InterruptedException {
        line().order(send);
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
        leave();
    }
}
