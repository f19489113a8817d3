package farm.gantry.edge.simulator;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.security.SecureRandom;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;

/** What a simulated printer proves itself by: its serial number, on a certificate that it has signed itself. */
record Identity(X509Bundle certificate) {
    private static final String PROTOCOL = "TLSv1.2";

    static Identity of(String serial) {
        try {
            return new Identity(new CertificateBuilder()
                    .subject("CN=" + serial)
                    .setIsCertificateAuthority(true)
                    .buildSelfSigned());
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    SslContext forBroker() throws SSLException {
        return SslContextBuilder.forServer(certificate.getKeyPair().getPrivate(), certificate.getCertificate())
                .sslProvider(SslProvider.JDK)
                .protocols(PROTOCOL)
                .build();
    }

    SSLContext forFiles() {
        try {
            SSLContext context = SSLContext.getInstance(PROTOCOL);
            context.init(certificate.toKeyManagerFactory().getKeyManagers(), null, new SecureRandom());
            return context;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
