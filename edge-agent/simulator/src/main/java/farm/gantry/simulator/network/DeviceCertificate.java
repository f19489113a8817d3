package farm.gantry.simulator.network;

import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.IdentityCipherSuiteFilter;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.OptionalSslHandler;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.security.auth.x500.X500Principal;
import org.wildfly.security.x500.cert.BasicConstraintsExtension;
import org.wildfly.security.x500.cert.SelfSignedX509CertificateAndSigningKey;

/**
 * The self-signed certificate of a simulated printer, with its serial number as common name, and its TLS context:
 * created once, for many connections.
 */
public record DeviceCertificate(SSLContext sslContext) {
    private static final String PROTOCOL = "TLSv1.2";
    private static final int BITS = 256;

    public static DeviceCertificate of(String serial) {
        try {
            return new DeviceCertificate(context(SelfSignedX509CertificateAndSigningKey.builder()
                    .setDn(new X500Principal("CN=" + serial))
                    .setKeyAlgorithmName("EC")
                    .setKeySize(BITS)
                    .setSignatureAlgorithmName("SHA256withECDSA")
                    .addExtension(new BasicConstraintsExtension(true, true, 0))
                    .build()));
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Uses a fast key store, because PKCS12 hashes its password ten thousand times. */
    private static SSLContext context(SelfSignedX509CertificateAndSigningKey certificate)
            throws GeneralSecurityException, IOException {
        char[] password = new char[0];
        KeyStore keys = KeyStore.getInstance("JKS");
        keys.load(null, password);
        Certificate[] chain = {certificate.getSelfSignedCertificate()};
        keys.setKeyEntry("printer", certificate.getSigningKey(), password, chain);
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, password);
        SSLContext context = SSLContext.getInstance(PROTOCOL);
        context.init(managers.getKeyManagers(), null, new SecureRandom());
        return context;
    }

    SslContext nettyContext() {
        return new JdkSslContext(
                sslContext,
                false,
                null,
                IdentityCipherSuiteFilter.INSTANCE,
                ApplicationProtocolConfig.DISABLED,
                ClientAuth.NONE,
                new String[] {PROTOCOL},
                false);
    }

    /** Accepts TLS and plain connections at the same port. */
    public void addOptionalTls(ChannelPipeline pipeline) {
        pipeline.addLast(new OptionalSslHandler(nettyContext()));
    }

    /** Returns the server side of TLS on an accepted connection, before its handshake. */
    public static SSLSocket accept(SSLContext context, Socket accepted) throws IOException {
        SSLSocket socket =
                (SSLSocket) context.getSocketFactory().createSocket(accepted, null, accepted.getPort(), true);
        socket.setUseClientMode(false);
        return socket;
    }
}
