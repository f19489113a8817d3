package farm.gantry.edge.provider.elegoo;

import farm.gantry.edge.mqtt.PrinterBroker;
import farm.gantry.printer.PrinterMetadata;
import farm.gantry.wire.LinkResponse.PrinterConfig;
import java.net.URI;

/**
 * The ports of a printer's broker, file server and camera, its serial number, which is its device id, and its access
 * code.
 */
record ElegooAddress(String host, int port, int filePort, int cameraPort, String serial, String accessCode) {
    static final int MQTT = 1883;

    private static final int HTTP = 80;
    private static final int CAMERA = 8080;
    /** The access code of printers for which no code was set. */
    private static final String NO_CODE = "123456";

    /** With another than the default port, file server and camera are expected at the next port. */
    static ElegooAddress of(PrinterConfig config, String host) {
        if (!(config.metadata() instanceof PrinterMetadata.ElegooMqtt metadata)) {
            return new ElegooAddress(host, MQTT, HTTP, CAMERA, config.deviceId(), NO_CODE);
        }
        int port = metadata.port() == null ? MQTT : metadata.port();
        String code = metadata.accessCode();
        return new ElegooAddress(
                host,
                port,
                port == MQTT ? HTTP : port + 1,
                port == MQTT ? CAMERA : port + 1,
                config.deviceId(),
                code == null || code.isBlank() ? NO_CODE : code);
    }

    PrinterBroker broker(ElegooClient client) {
        return new PrinterBroker(host, port, client.id(), "elegoo", accessCode, null);
    }

    URI uploads() {
        return URI.create("http://" + host + ":" + filePort + "/upload");
    }

    URI film() {
        return URI.create("http://" + host + ":" + cameraPort + "/?action=stream");
    }

    /** Omits the access code. */
    @Override
    public String toString() {
        return host + ":" + port;
    }
}
