package farm.gantry.edge.provider.klipper;

import farm.gantry.printer.PrinterMetadata;
import farm.gantry.wire.LinkAnswer.PrinterConfig;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Where a Moonraker is, and the key to it. */
record MoonrakerAddress(String host, int port, @Nullable String apiKey) {
    static final String UNAUTHORIZED =
            "Moonraker does not let the agent in: set apiKey of the printer to Moonraker's API key,"
                    + " or name the agent's machine in trusted_clients of moonraker.conf";

    private static final int MOONRAKER = 7125;

    /** The printer's own {@code port} wins over what the metadata says of its server. */
    static MoonrakerAddress of(PrinterConfig config, String host) {
        return config.metadata() instanceof PrinterMetadata.FirmwareK metadata
                ? new MoonrakerAddress(
                        host, metadata.port() != null ? metadata.port() : metadata.serverPort(), metadata.apiKey())
                : new MoonrakerAddress(host, MOONRAKER, null);
    }

    URI http(String path) {
        return URI.create("http://" + host + ":" + port + path);
    }

    /** Of the web server that shows the cameras; behind another port than the usual one, it is expected there. */
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
