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

    private static final int HTTP_PORT = 80;
    private static final int CAMERA_PORT = 8080;
    /** The access code of printers for which no code was set. */
    private static final String DEFAULT_ACCESS_CODE = "123456";

    /**
     * Creates the address of a printer. If the configured port is not the default, file server and camera are expected
     * at the next port.
     */
    static ElegooAddress of(PrinterConfig config, String host) {
        if (!(config.metadata() instanceof PrinterMetadata.ElegooMqtt metadata)) {
            return new ElegooAddress(host, MQTT, HTTP_PORT, CAMERA_PORT, config.deviceId(), DEFAULT_ACCESS_CODE);
        }
        int port = metadata.port() == null ? MQTT : metadata.port();
        String code = metadata.accessCode();
        return new ElegooAddress(
                host,
                port,
                port == MQTT ? HTTP_PORT : port + 1,
                port == MQTT ? CAMERA_PORT : port + 1,
                config.deviceId(),
                code == null || code.isBlank() ? DEFAULT_ACCESS_CODE : code);
    }

    PrinterBroker broker(ElegooClient client) {
        return new PrinterBroker(host, port, client.id(), "elegoo", accessCode, null);
    }

    URI uploadUrl() {
        return URI.create("http://" + host + ":" + filePort + "/upload");
    }

    URI videoUrl() {
        return URI.create("http://" + host + ":" + cameraPort + "/?action=stream");
    }

    /** Omits the access code. */
    @Override
    public String toString() {
        return host + ":" + port;
    }
}
