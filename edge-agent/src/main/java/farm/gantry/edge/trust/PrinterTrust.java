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
 * Verifies the identity of a printer by its TLS certificate. The certificate must name the serial number (with some
 * providers), and must be signed by an authority of its series ({@code authorities/*.pem} in the folder) or be the one
 * that the printer presented at its first connection.
 */
public final class PrinterTrust {
    /**
     * The values that are stored instead of a fingerprint if a public authority ({@code web}) or an authority of the
     * printer's series ({@code signed}) has certified the printer.
     */
    private static final String WEB = "web";

    private static final String SIGNED = "signed";

    private final @Nullable Path folder;
    private final String serial;
    private final boolean named;
    private final PinnedIdentity pin;
    /** The trust manager for public authorities; null if they do not certify such printers. */
    private final @Nullable X509ExtendedTrustManager web;

    /** Creates the trust for a printer. Without a folder, its certificate is remembered only while the agent runs. */
    public PrinterTrust(@Nullable Path folder, String serial) {
        this(folder, serial, true, null);
    }

    private PrinterTrust(@Nullable Path folder, String serial, boolean named, @Nullable X509ExtendedTrustManager web) {
        this.folder = folder;
        this.serial = serial;
        this.named = named;
        this.pin = new PinnedIdentity(folder, serial, "sha256");
        this.web = web;
    }

    /** Creates the trust for a printer whose certificate does not name it. */
    public static PrinterTrust withoutNameCheck(@Nullable Path folder, String serial) {
        return new PrinterTrust(folder, serial, false, null);
    }

    /**
     * Creates the trust for a web server, whose certificate may change if a public authority certifies its host name.
     */
    public static PrinterTrust forWebServer(@Nullable Path folder, String serial) {
        return forWebServer(folder, serial, null);
    }

    /** Creates the trust for a web server with these public authorities; null means those that this machine trusts. */
    static PrinterTrust forWebServer(@Nullable Path folder, String serial, @Nullable KeyStore authorities) {
        try {
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(authorities);
            return new PrinterTrust(folder, serial, false, (X509ExtendedTrustManager) factory.getTrustManagers()[0]);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private void check(X509Certificate[] chain) throws CertificateException {
        X509Certificate leaf = chain[0];
        String name = named ? commonName(leaf) : serial;
        if (!name.equals(serial)) {
            throw new CertificateException("the certificate names " + name + ", not printer " + serial);
        }
        if (isSigned(chain)) {
            readOrStorePin(SIGNED); // From now on no unsigned certificate is accepted.
        } else {
            checkPin(fingerprint(leaf));
        }
    }

    private static String commonName(X509Certificate leaf) throws CertificateException {
        try {
            return new LdapName(leaf.getSubjectX500Principal().getName())
                    .getRdns().stream()
                            .filter(part -> part.getType().equalsIgnoreCase("CN"))
                            .map(part -> String.valueOf(part.getValue()))
                            .findFirst()
                            .orElse("nobody");
        } catch (InvalidNameException e) {
            throw new CertificateException("the certificate has no subject name", e);
        }
    }

    /**
     * Returns whether an authority of the series has signed the chain. Newer printers send only their own certificate,
     * so an intermediate certificate of the series counts as a trust anchor too.
     */
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
            throw new CertificateException("cannot read the authorities in " + authorities, e);
        }
        return anchors;
    }

    private void checkPin(String fingerprint) throws CertificateException {
        String known = readOrStorePin(fingerprint);
        if (!known.equals(fingerprint)) {
            throw new CertificateException(
                    "the printer shows another certificate than before: if it was reset, " + pin.resetInstruction());
        }
    }

    /** Returns the stored identity of the printer, or stores this one if there is none. */
    private String readOrStorePin(String fingerprint) throws CertificateException {
        try {
            String known = pin.read();
            if (known != null) {
                return known;
            }
            pin.write(fingerprint);
            return fingerprint;
        } catch (IOException e) {
            throw new CertificateException("cannot store the printer's certificate in " + folder, e);
        }
    }

    private static String fingerprint(X509Certificate leaf) throws CertificateException {
        return Sha256.of(leaf.getEncoded());
    }

    /**
     * Returns a trust manager that does not check host names, because printers are identified by their serial number,
     * independent of their address.
     */
    public X509ExtendedTrustManager trustManager() {
        return new PinningTrust();
    }

    public SSLContext sslContext() {
        try {
            SSLContext context = SSLContext.getInstance(web == null ? "TLSv1.2" : "TLS");
            context.init(null, new TrustManager[] {trustManager()}, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private boolean isCertifiedByWebAuthority(X509Certificate[] chain, String type, SSLEngine engine) {
        try {
            if (web == null) {
                return false;
            }
            web.checkServerTrusted(chain, type, engine);
            readOrStorePin(WEB); // From now on no unsigned certificate is accepted.
            return true;
        } catch (CertificateException e) {
            return false;
        }
    }

    private final class PinningTrust extends X509ExtendedTrustManager {

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
            if (!isCertifiedByWebAuthority(chain, type, engine)) {
                check(chain);
            }
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
            throw new CertificateException("a printer cannot authenticate as a client");
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
