package farm.gantry.api.main;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Serves HTTPS instead of HTTP if {@code gantry.tls.certificate} and {@code gantry.tls.key} name PEM files. New
 * connections use renewed files without a restart.
 */
public final class TlsSettings {
    public static final String CERTIFICATE = "gantry.tls.certificate";
    public static final String KEY = "gantry.tls.key";
    private static final String NAME = "gantry";

    private TlsSettings() {}

    /**
     * Returns Micronaut's TLS settings; empty without HTTPS.
     *
     * @throws IllegalArgumentException if a file cannot be read or has the wrong content
     */
    public static Map<String, Object> toMicronautSettings(Map<String, Object> settings) {
        Object certificate = settings.get(CERTIFICATE);
        Object key = settings.get(KEY);
        if (certificate == null && key == null) {
            return Map.of();
        } else if (certificate == null || key == null) {
            throw new IllegalArgumentException(CERTIFICATE + " and " + KEY + " must be set together or not at all");
        }
        check(CERTIFICATE, certificate, "CERTIFICATE", "is not a certificate in PEM");
        check(KEY, key, "PRIVATE KEY", "is not a private key without a password in PEM");
        Map<String, Object> tls = new HashMap<>();
        tls.put("micronaut.certificate.file." + NAME + ".path", key);
        tls.put("micronaut.certificate.file." + NAME + ".certificate-path", certificate);
        tls.put("micronaut.certificate.file." + NAME + ".format", "PEM");
        tls.put("micronaut.server.ssl.enabled", true);
        tls.put("micronaut.server.ssl.key-name", NAME);
        tls.put("micronaut.server.ssl.port", settings.getOrDefault("micronaut.server.port", "8443"));
        return tls;
    }

    private static void check(String setting, Object value, String label, String fault) {
        Path file = Path.of(value.toString());
        if (!Files.exists(file)) {
            throw new IllegalArgumentException("%s: there is no file %s".formatted(setting, file));
        }
        try {
            String text = Files.readString(file, StandardCharsets.ISO_8859_1);
            if (!text.contains("-----BEGIN " + label) && !text.matches("(?s).*-----BEGIN (RSA|EC) " + label + ".*")) {
                throw new IllegalArgumentException(setting + ": " + file + " " + fault);
            }
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "%s: the user %s cannot read %s; give it to that user, as chown does"
                            .formatted(setting, System.getProperty("user.name"), file),
                    e);
        }
    }
}
