package farm.gantry.edge.provider.octoprint;

import farm.gantry.printer.PrinterMetadata;
import farm.gantry.wire.LinkResponse.PrinterConfig;
import java.net.URI;
import java.time.Duration;

/** The address of an OctoPrint, its API key, and the poll intervals for busy and idle printers. */
record OctoPrintAddress(
        String scheme, String host, int port, String apiKey, Duration busyPollInterval, Duration idlePollInterval) {
    static final int HTTP = 80;
    private static final Duration BUSY_POLL_INTERVAL = Duration.ofMillis(1_500);
    private static final Duration IDLE_POLL_INTERVAL = Duration.ofSeconds(5);
    private static final int MIN_MILLIS = 250;

    static OctoPrintAddress of(PrinterConfig config, String host) {
        if (!(config.metadata() instanceof PrinterMetadata.VendorB metadata)) {
            return new OctoPrintAddress("http", host, HTTP, "", BUSY_POLL_INTERVAL, IDLE_POLL_INTERVAL);
        }
        Integer millis = metadata.pollIntervalMs();
        Duration reported = millis == null ? null : Duration.ofMillis(Math.max(millis, MIN_MILLIS));
        return new OctoPrintAddress(
                Boolean.TRUE.equals(metadata.useHttps()) ? "https" : "http",
                host,
                metadata.port(),
                metadata.apiKey(),
                reported == null ? BUSY_POLL_INTERVAL : reported,
                reported == null ? IDLE_POLL_INTERVAL : reported);
    }

    boolean isSecure() {
        return scheme.equals("https");
    }

    URI http(String path) {
        return URI.create(scheme + "://" + host + ":" + port + path);
    }

    URI webSocket(String path) {
        return URI.create("ws://" + host + ":" + port + path);
    }

    /** Omits the API key. */
    @Override
    public String toString() {
        return host + ":" + port;
    }
}
