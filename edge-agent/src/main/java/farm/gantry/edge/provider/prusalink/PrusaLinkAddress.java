package farm.gantry.edge.provider.prusalink;

import farm.gantry.printer.PrinterMetadata;
import farm.gantry.wire.LinkResponse.PrinterConfig;
import java.net.URI;
import java.time.Duration;

/** The address of a PrusaLink, its password, and the poll interval. */
record PrusaLinkAddress(String host, int port, String password, Duration pollInterval) {
    private static final int HTTP = 80;
    private static final int USUAL_INTERVAL = 1_500;
    private static final int MIN_INTERVAL = 250;

    static PrusaLinkAddress of(PrinterConfig config, String host) {
        if (!(config.metadata() instanceof PrinterMetadata.VendorP metadata)) {
            return new PrusaLinkAddress(host, HTTP, "", Duration.ofMillis(USUAL_INTERVAL));
        }
        Integer interval = metadata.pollIntervalMs();
        return new PrusaLinkAddress(
                host,
                metadata.port() == null ? HTTP : metadata.port(),
                metadata.password(),
                Duration.ofMillis(interval == null ? USUAL_INTERVAL : Math.max(interval, MIN_INTERVAL)));
    }

    URI http(String path) {
        return URI.create("http://" + host + ":" + port + path);
    }

    /** Omits the password. */
    @Override
    public String toString() {
        return host + ":" + port;
    }
}
