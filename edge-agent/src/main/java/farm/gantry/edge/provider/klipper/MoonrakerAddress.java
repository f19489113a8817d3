package farm.gantry.edge.provider.klipper;

import farm.gantry.printer.PrinterMetadata;
import farm.gantry.wire.LinkResponse.PrinterConfig;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The address of a Moonraker and its API key. */
record MoonrakerAddress(String host, int port, @Nullable String apiKey) {
    static final String UNAUTHORIZED = "Moonraker rejects the agent: set the printer's api_key to Moonraker's API key,"
            + " or name the agent's machine in trusted_clients of moonraker.conf";

    private static final int MOONRAKER = 7125;

    /** Creates the address of a printer. The printer's {@code port} takes precedence over the port in its metadata. */
    static MoonrakerAddress of(PrinterConfig config, String host) {
        return config.metadata() instanceof PrinterMetadata.FirmwareK metadata
                ? new MoonrakerAddress(
                        host, metadata.port() != null ? metadata.port() : metadata.serverPort(), metadata.apiKey())
                : new MoonrakerAddress(host, MOONRAKER, null);
    }

    URI http(String path) {
        return URI.create("http://" + host + ":" + port + path);
    }

    /**
     * Returns the address of the web server with the cameras. If the configured port is not the default, the web server
     * is expected at that port.
     */
    URI web() {
        return URI.create("http://" + host + (port == MOONRAKER ? "" : ":" + port) + "/");
    }

    URI webSocket(@Nullable String token) {
        String query = token == null ? "" : "?token=" + URLEncoder.encode(token, StandardCharsets.UTF_8);
        return URI.create("ws://" + host + ":" + port + "/websocket" + query);
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
