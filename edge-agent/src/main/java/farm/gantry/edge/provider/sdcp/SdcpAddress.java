package farm.gantry.edge.provider.sdcp;

import farm.gantry.printer.PrinterMetadata;
import farm.gantry.wire.LinkAnswer.PrinterConfig;
import java.net.URI;

/** Where a printer is, and the id of its mainboard; without one, whichever printer is there first is the one. */
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

    /** Files go in by the web server; behind another port than the usual one, both are expected there. */
    URI upload() {
        return URI.create("http://" + host + ":" + (port == SDCP ? HTTP : port) + "/uploadFile/upload");
    }
}
