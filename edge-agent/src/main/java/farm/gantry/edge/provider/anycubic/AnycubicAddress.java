package farm.gantry.edge.provider.anycubic;

import farm.gantry.printer.PrinterMetadata;
import farm.gantry.wire.LinkResponse.PrinterConfig;
import java.net.URI;

/** The address of a printer's HTTP server, which describes how to reach its MQTT broker. */
record AnycubicAddress(String host, int port, String deviceId) {
    static final int HTTP = 18_910;

    private static final int VIDEO_PORT = 18_088;

    static AnycubicAddress of(PrinterConfig config, String host) {
        if (!(config.metadata() instanceof PrinterMetadata.Anycubic metadata)) {
            return new AnycubicAddress(host, HTTP, config.deviceId());
        }
        return new AnycubicAddress(host, metadata.port() == null ? HTTP : metadata.port(), config.deviceId());
    }

    URI infoUrl() {
        return URI.create("http://" + this + "/info");
    }

    String videoUrl() {
        return "http://" + host + ":" + VIDEO_PORT + "/flv";
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
