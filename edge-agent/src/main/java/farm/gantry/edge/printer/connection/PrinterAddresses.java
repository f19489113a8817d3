package farm.gantry.edge.printer.connection;

import farm.gantry.edge.discovery.DiscoveryCache;
import farm.gantry.edge.printer.connection.Provider.Listener;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterMetadata;
import farm.gantry.wire.LinkResponse.PrinterConfig;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Connects to printers at their configured addresses, and discovers those without one. */
public final class PrinterAddresses {
    private static final Duration POLL_INTERVAL = Duration.ofSeconds(5);
    private static final Duration RETRY_INTERVAL = Duration.ofSeconds(20);

    private final Duration timeout;
    private final Duration interval;
    private final ConcurrentMap<Printer.Provider, DiscoveryCache> searches = new ConcurrentHashMap<>();

    public PrinterAddresses() {
        this(POLL_INTERVAL, RETRY_INTERVAL);
    }

    /**
     * Creates the addresses with other limits: {@code timeout} is how long a discovery waits for responses, {@code
     * interval} the time between two discoveries.
     */
    PrinterAddresses(Duration timeout, Duration interval) {
        this.timeout = timeout;
        this.interval = interval;
    }

    public PrinterConnection connect(Provider make, PrinterConfig config, Listener listener) {
        String configuredHost = configuredHost(config);
        return configuredHost == null
                ? DiscoveredConnection.open(make, config, discoveryCache(make), interval, listener)
                : make.connect(config, configuredHost, listener);
    }

    /** Returns the configured host; a {@code deviceId} may be an address itself. */
    private static @Nullable String configuredHost(PrinterConfig config) {
        PrinterMetadata metadata = config.metadata();
        String address = metadata == null ? null : metadata.address();
        if (address != null && !address.isBlank()) {
            return address;
        }
        return config.deviceId().contains(".") ? config.deviceId() : null;
    }

    /**
     * Returns whether both entries are the same machine, which has only one bed: by their address, whatever provider is
     * configured, or by their serial number.
     */
    public static boolean isSameMachine(
            PrinterConfig one, PrinterConfig other, Function<PrinterConfig, Provider> providers) {
        String place = configuredHost(one);
        boolean isSamePlace = place != null
                && place.equalsIgnoreCase(configuredHost(other))
                && providers.apply(one).port(one) == providers.apply(other).port(other);
        return isSamePlace
                || (one.provider() == other.provider()
                        && DiscoveredConnection.serialNumber(one).equals(DiscoveredConnection.serialNumber(other)));
    }

    private DiscoveryCache discoveryCache(Provider make) {
        return searches.computeIfAbsent(make.name(), _ -> new DiscoveryCache(make.discoveries(), timeout, interval));
    }
}
