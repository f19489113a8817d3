package farm.gantry.edge.provider.octoprint;

import farm.gantry.printer.PrinterMetadata;
import farm.gantry.wire.LinkResponse.PrinterConfig;
import java.net.URI;
import java.time.Duration;

/**
 * The address of an OctoPrint, its API key, and the poll intervals; the one for idle printers is longer, unless
 * configured.
 */
record OctoPrintAddress(String scheme, String host, int port, String apiKey, Duration busy, Duration idle) {
    static final int HTTP = 80;
    private static final Duration USUAL = Duration.ofMillis(1_500);
    private static final Duration USUAL_IDLE = Duration.ofSeconds(5);
    private static final int MIN_MILLIS = 250;

    static OctoPrintAddress of(PrinterConfig config, String host) {
        if (!(config.metadata() instanceof PrinterMetadata.VendorB metadata)) {
            return new OctoPrintAddress("http", host, HTTP, "", USUAL, USUAL_IDLE);
        }
        Integer millis = metadata.pollIntervalMs();
        Duration reported = millis == null ? null : Duration.ofMillis(Math.max(millis, MIN_MILLIS));
        return new OctoPrintAddress(
                Boolean.TRUE.equals(metadata.useHttps()) ? "https" : "http",
                host,
                metadata.port(),
                metadata.apiKey(),
                reported == null ? USUAL : reported,
                reported == null ? USUAL_IDLE : reported);
    }

    boolean isSecure() {
        return scheme.equals("https");
    }

    URI http(String path) {
        return URI.create(scheme + "://" + host + ":" + port + path);
    }

    /** Omits the API key. */
    @Override
    public String toString() {
        return host + ":" + port;
    }
}
