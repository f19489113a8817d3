package farm.gantry.edge.provider.elegoo;

import farm.gantry.edge.http.PrinterHttp;
import farm.gantry.edge.mqtt.Broker;
import farm.gantry.printer.PrinterMetadata;
import farm.gantry.wire.LinkAnswer.PrinterConfig;
import java.net.URI;

/** Where a printer's broker and file server are, its serial number, which is its device id, and the code to both. */
record Address(String host, int port, int filePort, String serial, String accessCode) {
    static final int MQTT = 1883;

    private static final int HTTP = 80;
    /** Of printers at which no code was set. */
    private static final String NO_CODE = "123456";

    /** Behind another port than the usual one, the file server is expected at the port after it. */
    static Address of(PrinterConfig config) {
        if (!(config.metadata() instanceof PrinterMetadata.ElegooMqtt metadata)) {
            return new Address(config.deviceId(), MQTT, HTTP, config.deviceId(), NO_CODE);
        }
        int port = metadata.port() == null ? MQTT : metadata.port();
        String code = metadata.accessCode();
        return new Address(
                PrinterHttp.host(config.deviceId(), metadata.host()),
                port,
                port == MQTT ? HTTP : port + 1,
                config.deviceId(),
                code == null || code.isBlank() ? NO_CODE : code);
    }

    Broker broker(Client client) {
        return new Broker(host, port, client.id(), "elegoo", accessCode, null);
    }

    URI uploads() {
        return URI.create("http://" + host + ":" + filePort + "/upload");
    }

    /** Without the access code. */
    @Override
    public String toString() {
        return host + ":" + port;
    }
}
