package farm.gantry.edge.provider.sdcp;

import farm.gantry.printer.PrinterMetadata;
import farm.gantry.wire.LinkResponse.PrinterConfig;
import java.net.URI;

/**
 * The address of a printer and the id of its mainboard; without an id, the first printer at the address is accepted.
 */
record SdcpAddress(String host, int port, String mainboardId) {
    static final int SDCP = 3030;

    private static final int HTTP = 80;

    static SdcpAddress of(PrinterConfig config, String host) {
        if (!(config.metadata() instanceof PrinterMetadata.Sdcp metadata)) {
            return new SdcpAddress(host, SDCP, "");
        }
        return new SdcpAddress(
                host,
                metadata.port() == null ? SDCP : metadata.port(),
                metadata.mainboardId() == null ? "" : metadata.mainboardId());
    }

    URI webSocket() {
        return URI.create("ws://" + host + ":" + port + "/websocket");
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }

    /** Returns the upload URL; with another than the default port, the web server is expected at that port. */
    URI upload() {
        return URI.create("http://" + host + ":" + (port == SDCP ? HTTP : port) + "/uploadFile/upload");
    }
}
