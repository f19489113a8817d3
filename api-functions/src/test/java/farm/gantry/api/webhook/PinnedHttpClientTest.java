package farm.gantry.api.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the HTTP client of webhook deliveries over real sockets. */
final class PinnedHttpClientTest {
    private static final ReceiverPolicy ANY = new ReceiverPolicy(new WebhookSettings(true, List.of()));
    private static final ReceiverPolicy PUBLIC = new ReceiverPolicy(new WebhookSettings(false, List.of()));

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    @TempDir
    Path folder = Path.of("");

    private static PinnedHttpClient post(
            ReceiverPolicy receivers, PinnedHttpClient.NameResolver names, SSLContext tls) {
        return new PinnedHttpClient(receivers, names, tls.getSocketFactory(), TIMEOUT);
    }

    private static int send(PinnedHttpClient post, String url) throws IOException {
        return post.send("POST", URI.create(url), Map.of("X-API-Key", "k"), "{}".getBytes(StandardCharsets.UTF_8), 1024)
                .status();
    }

    private static PinnedHttpClient plain() {
        return plain(TIMEOUT);
    }

    private static PinnedHttpClient plain(Duration total) {
        return new PinnedHttpClient(
                ANY, InetAddress::getAllByName, (SSLSocketFactory) SSLSocketFactory.getDefault(), total);
    }

    /** Returns a context with a certificate for farm.example that only it trusts. */
    static SSLContext certificate(Path folder) throws Exception {
        Path store = folder.resolve("farm.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "farm",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=farm.example",
                        "-ext",
                        "san=dns:farm.example",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        "secret",
                        "-keystore",
                        store.toString())
                .inheritIO()
                .start();
        assertThat(keytool.waitFor()).isZero();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (var in = Files.newInputStream(store)) {
            keys.load(in, "secret".toCharArray());
        }
        KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(keys, "secret".toCharArray());
        TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(keys);
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
        return tls;
    }

    @Test
    void nameIsResolvedOnceAndVerifiedByCertificate() throws Exception {
        SSLContext tls = certificate(folder);
        AtomicInteger resolved = new AtomicInteger();
        PinnedHttpClient.NameResolver names = _ -> {
            resolved.incrementAndGet();
            return new InetAddress[] {InetAddress.getLoopbackAddress()};
        };
        try (LocalReceiver receiver = LocalReceiver.secure(tls)) {
            assertThat(send(post(ANY, names, tls), "https://farm.example:" + receiver.port() + "/x"))
                    .isEqualTo(204);
            assertThat(resolved).hasValue(1);
            assertThat(receiver.received().getFirst().header("host")).isEqualTo("farm.example:" + receiver.port());
            assertThatThrownBy(() -> send(post(ANY, names, tls), "https://other.example:" + receiver.port()))
                    .as("a certificate of another name")
                    .isInstanceOf(SSLException.class);
            assertThatThrownBy(() ->
                            send(post(ANY, names, SSLContext.getDefault()), "https://farm.example:" + receiver.port()))
                    .as("an untrusted certificate")
                    .isInstanceOf(SSLException.class);
            assertThatThrownBy(() -> send(post(PUBLIC, names, tls), "https://farm.example:" + receiver.port()))
                    .as("a name that resolves to this machine")
                    .isInstanceOf(UnknownHostException.class);
            assertThat(receiver.received()).hasSize(1);
        }
    }

    @Test
    void redirectIsReturnedAsAResponse() throws IOException {
        try (LocalReceiver receiver = new LocalReceiver()) {
            receiver.answerWith(307);
            assertThat(send(plain(), receiver.url())).isEqualTo(307);
            assertThat(receiver.received()).hasSize(1);
        }
    }

    @Test
    void fileIsFetchedThroughARedirect() throws IOException {
        AtomicInteger resolved = new AtomicInteger();
        PinnedHttpClient.NameResolver names = _ -> {
            resolved.incrementAndGet();
            return new InetAddress[] {InetAddress.getLoopbackAddress()};
        };
        PinnedHttpClient client =
                new PinnedHttpClient(ANY, names, (SSLSocketFactory) SSLSocketFactory.getDefault(), TIMEOUT);
        try (LocalReceiver drive = new LocalReceiver();
                LocalReceiver store = new LocalReceiver()) {
            store.answerWith(200, Map.of(), "a file");
            for (int status : List.of(301, 302, 303, 307, 308)) {
                drive.answerWith(
                        status, Map.of("Location", "http://store.example:" + store.port() + "/a?b=c%20d#page"), "");
                assertThat(client.get("http://drive.example:" + drive.port(), TIMEOUT, InputStream::readAllBytes))
                        .as("by " + status)
                        .asString(StandardCharsets.UTF_8)
                        .isEqualTo("a file");
            }
            assertThat(resolved).as("each address is resolved once").hasValue(10);
            LocalReceiver.Received got = store.received().getLast();
            assertThat(got.path()).isEqualTo("/a?b=c%20d");
            assertThat(got.header("host")).isEqualTo("store.example:" + store.port());
        }
    }

    @Test
    void forbiddenRedirectIsRejected() throws IOException {
        try (LocalReceiver drive = new LocalReceiver()) {
            drive.answerWith(302, Map.of("Location", "next?x#y"), "");
            assertThatThrownBy(
                            () -> plain().get("http://127.0.0.1:" + drive.port(), TIMEOUT, InputStream::readAllBytes))
                    .as("without end")
                    .isInstanceOf(DownloadFailedException.class)
                    .hasMessage("the URL redirects more than 5 times");
            assertThat(drive.received())
                    .extracting(LocalReceiver.Received::path)
                    .containsExactly("/", "/next?x", "/next?x", "/next?x", "/next?x", "/next?x");
            for (String to : List.of("ftp://127.0.0.1/", "http://user:word@127.0.0.1/", "http://")) {
                drive.answerWith(302, Map.of("Location", to), "");
                assertThatThrownBy(() -> plain().get(drive.url(), TIMEOUT, InputStream::readAllBytes))
                        .as(to)
                        .isInstanceOf(DownloadFailedException.class);
            }
            drive.answerWith(304);
            assertThatThrownBy(() -> plain().get(drive.url(), TIMEOUT, InputStream::readAllBytes))
                    .hasMessage("the server responded with status 304");
        }
    }

    @Test
    void nonAsciiUrlIsEncodedAsUtf8() throws IOException {
        try (LocalReceiver receiver = new LocalReceiver()) {
            assertThat(send(plain(), "http://127.0.0.1:" + receiver.port() + "/größe/部品.stl?q=ä%20b"))
                    .isEqualTo(204);
            assertThat(receiver.received().getFirst().path())
                    .isEqualTo("/gr%C3%B6%C3%9Fe/%E9%83%A8%E5%93%81.stl?q=%C3%A4%20b");
        }
    }

    @Test
    void unresponsiveAddressLeavesTimeForTheNext() throws Exception {
        InetAddress dropping = InetAddress.ofLiteral("127.0.0.1");
        InetAddress good = InetAddress.ofLiteral("127.0.0.2");
        try (ServerSocket full = new ServerSocket(0, 1, dropping);
                ServerSocket server = new ServerSocket(full.getLocalPort(), 1, good);
                Connections waiting = new Connections()) {
            waiting.fill(full);
            Thread answering = Thread.ofVirtual().start(() -> say(server, "HTTP/1.1 200 OK\r\n\r\n"));
            PinnedHttpClient.NameResolver names = _ -> new InetAddress[] {dropping, good};
            assertThat(send(
                            post(ANY, names, SSLContext.getDefault()),
                            "http://farm.example:" + server.getLocalPort() + "/"))
                    .isEqualTo(200);
            answering.join();
        }
    }

    /** Client connections that the server does not accept. */
    private static final class Connections implements AutoCloseable {
        private final List<Socket> open = new ArrayList<>();

        /** Connects until the server's accept queue is full and further connections are dropped. */
        void fill(ServerSocket server) throws IOException {
            boolean hasRoom = true;
            while (hasRoom) {
                Socket socket = new Socket();
                open.add(socket);
                try {
                    socket.connect(server.getLocalSocketAddress(), 500);
                } catch (SocketTimeoutException e) {
                    hasRoom = false;
                }
            }
        }

        @Override
        public void close() throws IOException {
            for (Socket socket : open) {
                socket.close();
            }
        }
    }

    @Test
    void slowResponseTimesOut() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread dripping = Thread.ofVirtual().start(() -> drip(server));
            assertThatThrownBy(() -> send(plain(Duration.ofSeconds(1)), "http://127.0.0.1:" + server.getLocalPort()))
                    .isInstanceOf(SocketTimeoutException.class);
            dripping.join();
        }
    }

    private static void drip(ServerSocket server) {
        try (var socket = server.accept();
                OutputStream out = socket.getOutputStream()) {
            for (int i = 0; i < 100; i++) {
                out.write("HTTP/1.1 1".charAt(Math.min(i, 8)));
                out.flush();
                Thread.sleep(50);
            }
        } catch (IOException e) {
            // as it should be: they closed it
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void nonHttpResponseIsAFailure() throws Exception {
        for (String answer : new String[] {"SSH-2.0-x\r\n", "HTTP/1.1 999 ?\r\n\r\n", "", "HTTP/2 200\r\n\r\n"}) {
            try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                Thread answering = Thread.ofVirtual().start(() -> say(server, answer));
                assertThatThrownBy(() -> send(plain(), "http://127.0.0.1:" + server.getLocalPort()))
                        .isInstanceOf(IOException.class)
                        .isNotInstanceOf(SocketTimeoutException.class);
                answering.join();
            }
        }
    }

    @Test
    void interimResponseIsSkipped() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread answering = Thread.ofVirtual()
                    .start(() -> say(server, "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 200 OK\r\n\r\n"));
            assertThat(send(plain(), "http://127.0.0.1:" + server.getLocalPort()))
                    .isEqualTo(200);
            answering.join();
        }
    }

    private static void say(ServerSocket server, String answer) {
        try (var socket = server.accept()) {
            socket.getInputStream().readNBytes(10);
            socket.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
            socket.shutdownOutput();
            socket.getInputStream().readAllBytes();
        } catch (IOException e) {
            // the client has gone
        }
    }

    @Test
    void fileIsFetchedCompletelyOrNotAtAll() throws Exception {
        try (LocalReceiver drive = new LocalReceiver()) {
            PinnedHttpClient client = plain();
            Duration within = Duration.ofMinutes(1);
            drive.answerWith(200, Map.of(), "a file".repeat(10_000));
            assertThat(client.get(drive.url(), within, InputStream::readAllBytes))
                    .hasSize(60_000);
            drive.answerWith(404, Map.of(), "");
            assertThatThrownBy(() -> client.get(drive.url(), within, InputStream::readAllBytes))
                    .isInstanceOf(DownloadFailedException.class)
                    .hasMessageContaining("404");
            PinnedHttpClient guarded = post(PUBLIC, InetAddress::getAllByName, SSLContext.getDefault());
            for (String url : List.of(drive.url(), "https://127.0.0.1:" + drive.port(), "https://169.254.169.254/")) {
                assertThatThrownBy(() -> guarded.get(url, within, InputStream::readAllBytes))
                        .as(url)
                        .isInstanceOf(DownloadFailedException.class);
            }
            PinnedHttpClient.NameResolver rebound = _ -> new InetAddress[] {InetAddress.getLoopbackAddress()};
            PinnedHttpClient deceived = post(PUBLIC, rebound, SSLContext.getDefault());
            assertThatThrownBy(() -> deceived.get("https://drive.example.com/x", within, InputStream::readAllBytes))
                    .isInstanceOf(UnknownHostException.class);
        }
        try (ServerSocket cut = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> {
                try (Socket socket = cut.accept()) {
                    socket.getInputStream().read();
                    socket.getOutputStream()
                            .write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"
                                    .getBytes(StandardCharsets.US_ASCII));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            assertThatThrownBy(() -> plain().get(
                                    "http://127.0.0.1:" + cut.getLocalPort(),
                                    Duration.ofSeconds(5),
                                    InputStream::readAllBytes))
                    .isInstanceOf(IOException.class);
        }
    }
}
