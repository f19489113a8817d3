package farm.gantry.api.main.doctor;

import farm.gantry.api.main.TlsSettings;
import farm.gantry.api.settings.ServerSettings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Checks the files of the TLS certificate and its key, and how long the certificate is valid. */
final class CertificateCheck {
    private static final int WARN_DAYS = 14;

    private CertificateCheck() {}

    /** Returns the finding; empty without HTTPS. */
    static Optional<Finding> run(ServerSettings settings, Instant now) {
        Map<String, Object> tls = new HashMap<>();
        for (String key : List.of(TlsSettings.CERTIFICATE, TlsSettings.KEY)) {
            settings.find(key).ifPresent(file -> tls.put(key, file));
        }
        if (tls.isEmpty()) {
            return Optional.empty();
        }
        try {
            TlsSettings.toMicronautSettings(tls);
            return settings.find(TlsSettings.CERTIFICATE).map(Path::of).map(file -> checkValidity(file, now));
        } catch (IllegalArgumentException e) {
            return Optional.of(Finding.failure("certificate", e));
        }
    }

    private static Finding checkValidity(Path file, Instant now) {
        try (InputStream bytes = Files.newInputStream(file)) {
            X509Certificate certificate =
                    (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(bytes);
            Instant end = certificate.getNotAfter().toInstant();
            if (end.isBefore(now)) {
                return Finding.failure("certificate", "it expired at " + end + "; renew it");
            }
            String check = "certificate valid for " + Duration.between(now, end).toDays() + " days";
            return end.isBefore(now.plus(Duration.ofDays(WARN_DAYS)))
                    ? Finding.warning(check, "renew it before " + end)
                    : Finding.ok(check);
        } catch (IOException | CertificateException e) {
            return Finding.failure("certificate", e);
        }
    }
}
