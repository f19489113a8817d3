package farm.gantry.api.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.api.notification.ChannelRequest;
import farm.gantry.notification.NotificationChannel.Security;
import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the encryption of connections to mail servers, and to which servers they are made. */
final class MailClientTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    private static MailClient client(boolean insecure, SSLContext tls) {
        return client(insecure, tls, TIMEOUT);
    }

    private static MailClient client(boolean insecure, SSLContext tls, Duration total) {
        PinnedHttpClient connections = new PinnedHttpClient(
                new ReceiverPolicy(new WebhookSettings(insecure, List.of())),
                _ -> new InetAddress[] {InetAddress.getLoopbackAddress()},
                tls.getSocketFactory(),
                TIMEOUT);
        return new MailClient(connections, tls.getSocketFactory(), total);
    }

    private static int send(MailClient client, String server, Security security) throws IOException {
        ChannelRequest.Mail mail = new ChannelRequest.Mail(
                URI.create(server),
                security,
                null,
                null,
                "a@farm.example",
                List.of("b@c.example"),
                "s",
                "t",
                true,
                null);
        return client.send(mail, "0mwq3f7k2v9x4b8n1c6z5t0p", Instant.now()).status();
    }

    @Test
    void messagesAreEncryptedAndTheServersNameIsVerified() throws Exception {
        SSLContext tls = PinnedHttpClientTest.certificate(folder);
        for (MailServer.Tls when : MailServer.Tls.values()) {
            try (MailServer server = MailServer.secure(tls, when)) {
                boolean immediately = when == MailServer.Tls.immediately;
                String scheme = immediately ? "smtps://" : "smtp://";
                Security security = immediately ? Security.tls : Security.starttls;
                String port = ":" + server.port();
                assertThat(send(client(true, tls), scheme + "farm.example" + port, security))
                        .isEqualTo(250);
                assertThat(server.received().getFirst().encrypted()).isTrue();
                assertThat(server.received().getFirst().header("Importance")).isEqualTo("high");
                assertThatThrownBy(() -> send(client(true, tls), scheme + "other.example" + port, security))
                        .as("a certificate of another name, " + when)
                        .isInstanceOf(SSLException.class);
                assertThatThrownBy(() ->
                                send(client(true, SSLContext.getDefault()), scheme + "farm.example" + port, security))
                        .as("an untrusted certificate, " + when)
                        .isInstanceOf(SSLException.class);
                assertThatThrownBy(() -> send(client(false, tls), scheme + "farm.example" + port, security))
                        .as("a name that resolves to this machine, " + when)
                        .isInstanceOf(UnknownHostException.class);
                assertThat(server.received()).hasSize(1);
            }
        }
    }

    @Test
    void nothingIsSentToAServerWithoutStartTls() throws Exception {
        try (MailServer server = MailServer.plain()) {
            assertThatThrownBy(() -> send(
                            client(true, SSLContext.getDefault()),
                            "smtp://farm.example:" + server.port(),
                            Security.starttls))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("STARTTLS is required");
            assertThat(server.received()).isEmpty();
        }
    }

    @Test
    void serverWithoutAReplyIsLeftAfterTheTimeout() throws Exception {
        try (MailServer server = MailServer.plain()) {
            server.reply("DATA", "-");
            MailClient client = client(true, SSLContext.getDefault(), Duration.ofSeconds(1));
            assertThatThrownBy(() -> send(client, "smtp://farm.example:" + server.port(), Security.none))
                    .isInstanceOf(SocketTimeoutException.class);
        }
    }
}
