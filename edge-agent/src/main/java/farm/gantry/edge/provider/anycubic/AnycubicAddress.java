package farm.gantry.edge.provider.anycubic;

import farm.gantry.printer.PrinterMetadata;
import farm.gantry.wire.LinkResponse.PrinterConfig;
import java.net.URI;

/** The address at which a printer describes how to reach its broker. */
record AnycubicAddress(String host, int port, String deviceId) {
    static final int HTTP = 18_910;

    private static final int FILM = 18_088;

    static AnycubicAddress of(PrinterConfig config, String host) {
        if (!(config.metadata() instanceof PrinterMetadata.Anycubic metadata)) {
            return new AnycubicAddress(host, HTTP, config.deviceId());
        }
        return new AnycubicAddress(host, metadata.port() == null ? HTTP : metadata.port(), config.deviceId());
    }

    URI info() {
        return URI.create("http://" + this + "/info");
    }

    String film() {
        return "http://" + host + ":" + FILM + "/flv";
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
