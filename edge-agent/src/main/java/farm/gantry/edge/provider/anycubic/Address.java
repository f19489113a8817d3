package farm.gantry.edge.provider.anycubic;

import farm.gantry.edge.http.PrinterHttp;
import farm.gantry.printer.PrinterMetadata;
import farm.gantry.wire.LinkAnswer.PrinterConfig;
import java.net.URI;

/** Where a printer tells how its broker is reached. */
record Address(String host, int port, String deviceId) {
    static final int HTTP = 18_910;

    static Address of(PrinterConfig config) {
        if (!(config.metadata() instanceof PrinterMetadata.Anycubic metadata)) {
            return new Address(config.deviceId(), HTTP, config.deviceId());
        }
        return new Address(
                PrinterHttp.host(config.deviceId(), metadata.host()),
                metadata.port() == null ? HTTP : metadata.port(),
                config.deviceId());
    }

    URI info() {
        return URI.create("http://" + this + "/info");
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
