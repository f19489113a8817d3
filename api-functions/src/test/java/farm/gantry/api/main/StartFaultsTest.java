package farm.gantry.api.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests what a start says of wrong certificates and addresses. */
final class StartFaultsTest {
    private static final String CERTIFICATE = "gantry.tls.certificate";
    private static final String KEY = "gantry.tls.key";

    @TempDir
    Path folder;

    @Test
    void validCertificateAndKeyAreAccepted() throws Exception {
        Pem pem = Pem.in(folder);
        assertThat(TlsSettings.toMicronautSettings(Map.of(CERTIFICATE, pem.certificate(), KEY, pem.key())))
                .containsEntry("micronaut.server.ssl.enabled", true);
    }

    @Test
    void missingAndWrongFilesAreNamedBeforeAnythingIsCreated() throws Exception {
        Pem pem = Pem.in(folder);
        Path missing = folder.resolve("missing.pem");
        assertFault(missing, pem.key(), CERTIFICATE + ": there is no file " + missing);
        assertFault(pem.key(), pem.key(), CERTIFICATE + ": " + pem.key() + " is not a certificate in PEM");
        assertFault(
                pem.certificate(),
                pem.certificate(),
                KEY + ": " + pem.certificate() + " is not a private key without a password in PEM");
        Path locked = Files.writeString(folder.resolve("locked.pem"), "-----BEGIN ENCRYPTED PRIVATE KEY-----\n");
        assertFault(pem.certificate(), locked, KEY + ": " + locked + " is not a private key without a password in PEM");
        Path directory = Files.createDirectory(folder.resolve("directory"));
        assertFault(
                pem.certificate(),
                directory,
                KEY + ": the user " + System.getProperty("user.name") + " cannot read " + directory
                        + "; give it to that user, as chown does");
        assertThat(folder.resolve("data")).doesNotExist();
    }

    private void assertFault(Path certificate, Path key, String sentence) {
        Map<String, Object> settings = Map.of(CERTIFICATE, certificate.toString(), KEY, key.toString());
        assertThatThrownBy(() -> StandaloneServer.start(folder.resolve("data"), settings))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(sentence);
    }

    @Test
    void addressInUseIsExplained() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(explained("127.0.0.1", taken.getLocalPort()))
                    .hasValue("cannot listen at 127.0.0.1 port " + taken.getLocalPort()
                            + ": another program uses the port; stop it, or choose another one with --port, or port= in"
                            + " gantry.properties");
        }
    }

    @Test
    void addressOfAnotherMachineIsExplained() {
        assertThat(explained("192.0.2.1", 0).orElseThrow())
                .endsWith(
                        "it is not an address of this machine; choose one with --host, or host= in gantry.properties");
    }

    @Test
    void privilegedPortIsExplained() {
        assertThat(ListenFailure.explain(
                        new BindException("Permission denied"), InetSocketAddress.createUnresolved("0.0.0.0", 443)))
                .get()
                .extracting(IOException::getMessage)
                .asString()
                .contains("ports below 1024 are for root");
    }

    /** Returns what is said of a real failure to bind this address. */
    private static Optional<String> explained(String host, int port) {
        InetSocketAddress address = new InetSocketAddress(host, port);
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(address);
            return Optional.empty();
        } catch (IOException e) {
            return ListenFailure.explain(new IllegalStateException("cannot start", e), address)
                    .map(IOException::getMessage);
        }
    }
}
