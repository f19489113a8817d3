package farm.gantry.edge.printer;

import farm.gantry.edge.discovery.DiscoveryCache;
import farm.gantry.edge.printer.Provider.Listener;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterMetadata;
import farm.gantry.wire.LinkAnswer.PrinterConfig;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Connects to printers at their configured addresses, and discovers those that have none. */
public final class PrinterAddresses {
    private static final Duration POLL_INTERVAL = Duration.ofSeconds(5);
    private static final Duration RETRY_INTERVAL = Duration.ofSeconds(20);

    private final Duration look;
    private final Duration again;
    private final ConcurrentMap<Printer.Provider, DiscoveryCache> searches = new ConcurrentHashMap<>();

    public PrinterAddresses() {
        this(POLL_INTERVAL, RETRY_INTERVAL);
    }

    /** {@code look} is how long answers are waited for, {@code again} how long it is until they are asked for anew. */
    PrinterAddresses(Duration look, Duration again) {
        this.look = look;
        this.again = again;
    }

    public Connection connect(Provider make, PrinterConfig config, Listener listener) {
        String told = told(config);
        return told == null
                ? DiscoveredConnection.begin(make, config, search(make), again, listener)
                : make.connect(config, told, listener);
    }

    /** A {@code deviceId} may be an address itself. */
    private static @Nullable String told(PrinterConfig config) {
        PrinterMetadata metadata = config.metadata();
        String address = metadata == null ? null : metadata.address();
        if (address != null && !address.isBlank()) {
            return address;
        }
        return config.deviceId().contains(".") ? config.deviceId() : null;
    }

    /** What the printer calls itself. */
    static String nameOf(PrinterConfig config) {
        PrinterMetadata metadata = config.metadata();
        String serial = metadata == null ? null : metadata.serial();
        return serial == null || serial.isBlank() ? config.deviceId() : serial;
    }

    /**
     * Whether both printers are one machine, which has one bed: by where they are spoken to, whatever make they are taken for, or
     * by what they call themselves.
     */
    static boolean isSameMachine(PrinterConfig one, PrinterConfig other, Function<PrinterConfig, Provider> providers) {
        String place = told(one);
        boolean isSamePlace = place != null
                && place.equalsIgnoreCase(told(other))
                && providers.apply(one).port(one) == providers.apply(other).port(other);
        return isSamePlace || (one.provider() == other.provider() && nameOf(one).equals(nameOf(other)));
    }

    private DiscoveryCache search(Provider make) {
        return searches.computeIfAbsent(make.name(), _ -> new DiscoveryCache(make.discoveries(), look, again));
    }
}
