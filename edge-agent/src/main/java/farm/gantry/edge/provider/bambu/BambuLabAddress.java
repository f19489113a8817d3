package farm.gantry.edge.provider.bambu;

import farm.gantry.edge.mqtt.PrinterBroker;
import farm.gantry.edge.trust.Trust;
import farm.gantry.printer.PrinterMetadata;
import farm.gantry.wire.LinkResponse.PrinterConfig;
import java.util.UUID;

/** The ports of a printer's broker, file server, camera and video, its serial number, and the access code to all. */
record BambuLabAddress(
        String host, int port, int filePort, int cameraPort, int filmPort, String serial, String accessCode) {
    static final String USER = "bblp";
    static final String FILM_PATH = "/streaming/live/1";
    static final int MQTT = 8883;

    private static final int FTPS = 990;
    private static final int CAMERA = 6000;
    private static final int FILM = 322;

    /**
     * With another than the default port, the file server is expected at the next port, followed by camera and video.
     */
    static BambuLabAddress of(PrinterConfig config, String host) {
        if (!(config.metadata() instanceof PrinterMetadata.VendorA metadata)) {
            return new BambuLabAddress(host, MQTT, FTPS, CAMERA, FILM, config.deviceId(), "");
        }
        int port = metadata.port() == null ? MQTT : metadata.port();
        String serial = metadata.devId().isBlank() ? config.deviceId() : metadata.devId();
        return new BambuLabAddress(
                host,
                port,
                port == MQTT ? FTPS : port + 1,
                port == MQTT ? CAMERA : port + 2,
                port == MQTT ? FILM : port + 3,
                serial,
                metadata.devAccessCode());
    }

    PrinterBroker broker(Trust trust) {
        return new PrinterBroker(host, port, "gantry-" + UUID.randomUUID(), USER, accessCode, trust);
    }

    /** Returns whether the serial number has the prefix of the A1 or the A1 mini. */
    boolean isA1() {
        return serial.startsWith("039") || serial.startsWith("030");
    }

    String reports() {
        return "device/" + serial + "/report";
    }

    String requests() {
        return "device/" + serial + "/request";
    }

    /** Omits the access code. */
    @Override
    public String toString() {
        return host + ":" + port;
    }
}
