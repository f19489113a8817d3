package farm.gantry.edge.mqtt;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrustTest {
    private static final String SERIAL = "01S00C000000001";

    @TempDir
    Path folder;

    @Test
    void theFirstCertificateIsKnownAgainAndNoOtherIsTaken() throws Exception {
        X509Certificate first = selfSigned(SERIAL);
        check(first);
        check(first);
        X509Certificate other = selfSigned(SERIAL);
        assertThatThrownBy(() -> check(other)).hasMessageContaining("another certificate than before");
        check(first);
    }

    @Test
    void anotherPrintersCertificateIsNotTakenAndNotRemembered() throws Exception {
        X509Certificate other = selfSigned("01S00C000000002");
        assertThatThrownBy(() -> check(other))
                .hasMessageContaining("01S00C000000002")
                .hasMessageContaining(SERIAL);
        check(selfSigned(SERIAL));
    }

    @Test
    void aCertificateSignedByTheSeriesIsTakenWhicheverItIs() throws Exception {
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
        X509Certificate other = new CertificateBuilder()
                .subject("CN=ANOTHER")
                .buildIssuedBy(series)
                .getCertificate();
        assertThatThrownBy(() -> check(other)).hasMessageContaining("ANOTHER");
    }

    @Test
    void whatAnotherAuthoritySignedIsKnownByItsPinAlone() throws Exception {
        X509Bundle series = authority("CN=series").buildSelfSigned();
        Files.createDirectories(folder.resolve("authorities"));
        Files.writeString(folder.resolve("authorities/series.pem"), series.getCertificatePEM());
        assertThatCode(() -> check(selfSigned(SERIAL))).doesNotThrowAnyException();
        assertThatThrownBy(() -> check(selfSigned(SERIAL))).hasMessageContaining("another certificate");
    }

    private static CertificateBuilder authority(String name) {
        return new CertificateBuilder().subject(name).setIsCertificateAuthority(true);
    }

    private static X509Certificate selfSigned(String serial) throws Exception {
        return authority("CN=" + serial).buildSelfSigned().getCertificate();
    }

    private void check(X509Certificate certificate) throws Exception {
        new Trust(folder, SERIAL).manager().checkServerTrusted(new X509Certificate[] {certificate}, "ECDHE_ECDSA");
    }
}
