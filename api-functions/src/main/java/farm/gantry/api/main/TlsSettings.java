package farm.gantry.api.main;

import java.util.HashMap;
import java.util.Map;

/**
 * Serves HTTPS instead of HTTP if {@code gantry.tls.certificate} and {@code gantry.tls.key} name PEM files. New
 * connections use renewed files without a restart.
 */
final class TlsSettings {
    private static final String CERTIFICATE = "gantry.tls.certificate";
    private static final String KEY = "gantry.tls.key";
    private static final String NAME = "gantry";

    private TlsSettings() {}

    /** Returns Micronaut's TLS settings; empty without HTTPS. */
    static Map<String, Object> toMicronautSettings(Map<String, Object> settings) {
        Object certificate = settings.get(CERTIFICATE);
        Object key = settings.get(KEY);
        if (certificate == null && key == null) {
            return Map.of();
        } else if (certificate == null || key == null) {
            throw new IllegalArgumentException(CERTIFICATE + " and " + KEY + " must be set together or not at all");
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
