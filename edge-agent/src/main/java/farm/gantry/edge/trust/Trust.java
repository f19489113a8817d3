package farm.gantry.edge.trust;

import farm.gantry.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Whether it is this printer that answers: its certificate names the serial number (with some makes), and is signed by an authority of
 * its series ({@code authorities/*.pem} in the folder), or is the one that it showed the first time.
 */
public final class Trust {
    /** What one is remembered by whom authorities of the web vouched for, or an authority of its series. */
    private static final String WEB = "web";

    private static final String SIGNED = "signed";

    private final @Nullable Path folder;
    private final String serial;
    private final boolean named;
    private final Pin pin;
    /** Whom all the web trusts; null where that says nothing of a printer. */
    private final @Nullable X509ExtendedTrustManager web;

    /** Without a folder a certificate is remembered as long as the agent runs. */
    public Trust(@Nullable Path folder, String serial) {
        this(folder, serial, true, null);
    }

    private Trust(@Nullable Path folder, String serial, boolean named, @Nullable X509ExtendedTrustManager web) {
        this.folder = folder;
        this.serial = serial;
        this.named = named;
        this.pin = new Pin(folder, serial, "sha256");
        this.web = web;
    }

    /** For makes whose certificates do not name the printer. */
    public static Trust ofAnyName(@Nullable Path folder, String serial) {
        return new Trust(folder, serial, false, null);
    }

    /** For web servers: one whose name an authority of the web vouches for may change its certificate as it likes. */
    public static Trust ofWeb(@Nullable Path folder, String serial) {
        return ofWeb(folder, serial, null);
    }

    /** Without {@code authorities}, those that this machine knows. */
    static Trust ofWeb(@Nullable Path folder, String serial, @Nullable KeyStore authorities) {
        try {
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(authorities);
            return new Trust(folder, serial, false, (X509ExtendedTrustManager) factory.getTrustManagers()[0]);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private void check(X509Certificate[] chain) throws CertificateException {
        X509Certificate leaf = chain[0];
        String name = named ? name(leaf) : serial;
        if (!name.equals(serial)) {
            throw new CertificateException("the certificate is of " + name + ", not of printer " + serial);
        }
        if (isSigned(chain)) {
            pin(SIGNED); // From now on no certificate is taken at first sight.
        } else {
            checkPin(fingerprint(leaf));
        }
    }

    private static String name(X509Certificate leaf) throws CertificateException {
        try {
            return new LdapName(leaf.getSubjectX500Principal().getName())
                    .getRdns().stream()
                            .filter(part -> part.getType().equalsIgnoreCase("CN"))
                            .map(part -> String.valueOf(part.getValue()))
                            .findFirst()
                            .orElse("nobody");
        } catch (InvalidNameException e) {
            throw new CertificateException("the certificate names nobody", e);
        }
    }

    /** Newer printers send their own certificate alone, so that a series' intermediate is an anchor as good as a root. */
    private boolean isSigned(X509Certificate[] chain) throws CertificateException {
        Set<TrustAnchor> anchors = anchors();
        if (anchors.isEmpty()) {
            return false;
        }
        try {
            PKIXParameters parameters = new PKIXParameters(anchors);
            parameters.setRevocationEnabled(false);
            List<X509Certificate> path = Arrays.stream(chain)
                    .filter(certificate ->
                            anchors.stream().noneMatch(anchor -> certificate.equals(anchor.getTrustedCert())))
                    .toList();
            CertPathValidator.getInstance("PKIX")
                    .validate(CertificateFactory.getInstance("X.509").generateCertPath(path), parameters);
            return true;
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    private Set<TrustAnchor> anchors() throws CertificateException {
        Path authorities = folder == null ? null : folder.resolve("authorities");
        Set<TrustAnchor> anchors = new HashSet<>();
        if (authorities == null || !Files.isDirectory(authorities)) {
            return anchors;
        }
        try (Stream<Path> files = Files.list(authorities)) {
            for (Path file : files.toList()) {
                try (InputStream in = Files.newInputStream(file)) {
                    CertificateFactory.getInstance("X.509")
                            .generateCertificates(in)
                            .forEach(certificate -> anchors.add(new TrustAnchor((X509Certificate) certificate, null)));
                }
            }
        } catch (IOException e) {
            throw new CertificateException("the authorities in " + authorities + " cannot be read", e);
        }
        return anchors;
    }

    private void checkPin(String fingerprint) throws CertificateException {
        String known = pin(fingerprint);
        if (!known.equals(fingerprint)) {
            throw new CertificateException(
                    "the printer shows another certificate than before: if it was reset, " + pin.howToForget());
        }
    }

    /** What the printer is known by, which is this where it was not known at all. */
    private String pin(String fingerprint) throws CertificateException {
        try {
            String known = pin.read();
            if (known != null) {
                return known;
            }
            pin.write(fingerprint);
            return fingerprint;
        } catch (IOException e) {
            throw new CertificateException("the printer's certificate cannot be remembered in " + folder, e);
        }
    }

    private static String fingerprint(X509Certificate leaf) throws CertificateException {
        return Sha256.of(leaf.getEncoded());
    }

    /** Checks no host name: printers are known by their serial number, whatever address they have today. */
    public X509ExtendedTrustManager manager() {
        return new Judge();
    }

    public SSLContext context() {
        try {
            SSLContext context = SSLContext.getInstance(web == null ? "TLSv1.2" : "TLS");
            context.init(null, new TrustManager[] {manager()}, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private boolean isVouchedFor(X509Certificate[] chain, String type, SSLEngine engine) {
        try {
            if (web == null) {
                return false;
            }
            web.checkServerTrusted(chain, type, engine);
            pin(WEB); // From now on no certificate is taken at first sight.
            return true;
        } catch (CertificateException e) {
            return false;
        }
    }

    private final class Judge extends X509ExtendedTrustManager {

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
            check(chain);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            check(chain);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            if (!isVouchedFor(chain, type, engine)) {
                check(chain);
            }
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
            throw new CertificateException("a printer is no server's client");
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            checkClientTrusted(chain, type);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            checkClientTrusted(chain, type);
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
