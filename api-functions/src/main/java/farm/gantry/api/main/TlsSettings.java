package farm.gantry.api.main;

import java.util.HashMap;
import java.util.Map;

/**
 * HTTPS in place of HTTP where {@code gantry.tls.certificate} and {@code gantry.tls.key} name files in PEM. When the files
 * are renewed, new connections get the new ones.
 */
final class TlsSettings {
    private static final String CERTIFICATE = "gantry.tls.certificate";
    private static final String KEY = "gantry.tls.key";
    private static final String NAME = "gantry";

    private TlsSettings() {}

    /** Returns the settings for Micronaut; empty without HTTPS. */
    static Map<String, Object> toMicronautSettings(Map<String, Object> settings) {
        Object certificate = settings.get(CERTIFICATE);
        Object key = settings.get(KEY);
        if (certificate == null && key == null) {
            return Map.of();
        } else if (certificate == null || key == null) {
            throw new IllegalArgumentException(CERTIFICATE + " and " + KEY + " are given together or not at all");
        }
        Map<String, Object> tls = new HashMap<>();
        tls.put("micronaut.certificate.file." + NAME + ".path", key);
        tls.put("micronaut.certificate.file." + NAME + ".certificate-path", certificate);
        tls.put("micronaut.certificate.file." + NAME + ".format", "PEM");
        tls.put("micronaut.server.ssl.enabled", true);
        tls.put("micronaut.server.ssl.key-name", NAME);
        tls.put("micronaut.server.ssl.port", settings.getOrDefault("micronaut.server.port", "8443"));
        return tls;
    }
}
