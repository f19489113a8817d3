package farm.gantry.edge.trust;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import farm.gantry.edge.http.PrinterHttp;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrinterTrustTest {
    private static final String SERIAL = "01S00C000000001";

    @TempDir
    Path folder;

    @Test
    void firstCertificateIsPinnedAndOthersAreRejected() throws Exception {
        X509Certificate first = selfSigned(SERIAL);
        check(first);
        check(first);
        X509Certificate other = selfSigned(SERIAL);
        assertThatThrownBy(() -> check(other)).hasMessageContaining("another certificate than before");
        check(first);
    }

    @Test
    void certificateOfAnotherPrinterIsRejectedAndNotPinned() throws Exception {
        X509Certificate other = selfSigned("01S00C000000002");
        assertThatThrownBy(() -> check(other))
                .hasMessageContaining("01S00C000000002")
                .hasMessageContaining(SERIAL);
        check(selfSigned(SERIAL));
    }

    @Test
    void renewedCertificateOfTheSeriesAuthorityIsAccepted() throws Exception {
        X509Bundle root = authority("CN=root").buildSelfSigned();
        X509Bundle series = authority("CN=series").buildIssuedBy(root);
        Files.createDirectories(folder.resolve("authorities"));
        Files.writeString(folder.resolve("authorities/series.pem"), series.getCertificatePEM());
        for (int renewed = 0; renewed < 2; renewed++) {
            check(new CertificateBuilder()
                    .subject("CN=" + SERIAL)
                    .buildIssuedBy(series)
                    .getCertificate());
        }
        X509Certificate unsigned = selfSigned(SERIAL);
        assertThatThrownBy(() -> check(unsigned))
                .as("the printer has shown a signed one")
                .hasMessageContaining("another certificate than before");
        X509Certificate other = new CertificateBuilder()
                .subject("CN=ANOTHER")
                .buildIssuedBy(series)
                .getCertificate();
        assertThatThrownBy(() -> check(other)).hasMessageContaining("ANOTHER");
    }

    @Test
    void certificateOfAnotherAuthorityIsVerifiedByItsPin() throws Exception {
        X509Bundle series = authority("CN=series").buildSelfSigned();
        Files.createDirectories(folder.resolve("authorities"));
        Files.writeString(folder.resolve("authorities/series.pem"), series.getCertificatePEM());
        assertThatCode(() -> check(selfSigned(SERIAL))).doesNotThrowAnyException();
        assertThatThrownBy(() -> check(selfSigned(SERIAL))).hasMessageContaining("another certificate");
    }

    @Test
    void webServerIsVerifiedByItsAuthorityOrElseByItsPin() throws Exception {
        X509Bundle root = authority("CN=root").buildSelfSigned();
        PrinterTrust trust = PrinterTrust.forWebServer(folder, "octopi", authorities(root));
        visit(trust, authority("CN=octopi").buildSelfSigned());
        for (int renewed = 0; renewed < 2; renewed++) {
            visit(trust, server("localhost", root));
        }
        X509Bundle other = server("another.lan", root);
        assertThatThrownBy(() -> visit(trust, other)).hasMessageContaining("another certificate than before");
    }

    @Test
    void selfSignedCertificateIsRejectedAfterAnAuthoritySignedOne() throws Exception {
        X509Bundle root = authority("CN=root").buildSelfSigned();
        PrinterTrust trust = PrinterTrust.forWebServer(folder, "octopi", authorities(root));
        visit(trust, server("localhost", root));
        X509Bundle other = authority("CN=octopi").buildSelfSigned();
        assertThatThrownBy(() -> visit(trust, other)).hasMessageContaining("another certificate than before");
    }

    private static KeyStore authorities(X509Bundle root) throws Exception {
        KeyStore authorities = KeyStore.getInstance(KeyStore.getDefaultType());
        authorities.load(null, null);
        authorities.setCertificateEntry("root", root.getCertificate());
        return authorities;
    }

    private static void visit(PrinterTrust trust, X509Bundle certificate) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(certificate.toKeyManagerFactory().getKeyManagers(), null, null);
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        server.start();
        try {
            URI address = URI.create("https://localhost:" + server.getAddress().getPort());
            HttpRequest request = HttpRequest.newBuilder(address).build();
            PrinterHttp.client(trust).send(request, HttpResponse.BodyHandlers.discarding());
        } finally {
            server.stop(0);
        }
    }

    private static X509Bundle server(String name, X509Bundle root) throws Exception {
        return new CertificateBuilder()
                .subject("CN=" + name)
                .addSanDnsName(name)
                .buildIssuedBy(root);
    }

    private static CertificateBuilder authority(String name) {
        return new CertificateBuilder().subject(name).setIsCertificateAuthority(true);
    }

    private static X509Certificate selfSigned(String serial) throws Exception {
        return authority("CN=" + serial).buildSelfSigned().getCertificate();
    }

    private void check(X509Certificate certificate) throws Exception {
        new PrinterTrust(folder, SERIAL)
                .trustManager()
                .checkServerTrusted(new X509Certificate[] {certificate}, "ECDHE_ECDSA");
    }
}
