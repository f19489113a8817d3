package farm.gantry.edge.provider.vendora;

import farm.gantry.edge.http.PrinterHttp;
import farm.gantry.edge.mqtt.Broker;
import farm.gantry.edge.mqtt.Trust;
import farm.gantry.printer.PrinterMetadata;
import farm.gantry.wire.LinkAnswer.PrinterConfig;
import java.util.UUID;

/** Where a printer's broker, file server and camera are, its serial number, and the access code to all. */
record Address(String host, int port, int filePort, int cameraPort, String serial, String accessCode) {
    static final int MQTT = 8883;

    private static final int FTPS = 990;
    private static final int CAMERA = 6000;

    /** Behind another port than the usual one, the file server is expected at the port after it, then the camera. */
    static Address of(PrinterConfig config) {
        if (!(config.metadata() instanceof PrinterMetadata.VendorA metadata)) {
            return new Address(config.deviceId(), MQTT, FTPS, CAMERA, config.deviceId(), "");
        }
        int port = metadata.port() == null ? MQTT : metadata.port();
        String serial = metadata.devId().isBlank() ? config.deviceId() : metadata.devId();
        return new Address(
                PrinterHttp.host(config.deviceId(), metadata.host()),
                port,
                port == MQTT ? FTPS : port + 1,
                port == MQTT ? CAMERA : port + 2,
                serial,
                metadata.devAccessCode());
    }

    Broker broker(Trust trust) {
        return new Broker(host, port, "gantry-" + UUID.randomUUID(), "bblp", accessCode, trust);
    }

    String reports() {
        return "device/" + serial + "/report";
    }

    String requests() {
        return "device/" + serial + "/request";
    }

    /** Without the access code. */
    @Override
    public String toString() {
        return host + ":" + port;
    }
}
