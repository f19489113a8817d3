package farm.gantry.api.webhook;

import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.util.ReferenceCountUtil;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HTTP/1.1 client that connects to an address which was resolved once and checked. The JDK's client would resolve the
 * name again on connecting, possibly to another address. TLS still verifies the host name. POST follows no redirects;
 * GET does, and checks each address.
 */
@Singleton
public final class PinnedHttpClient {
    private static final Logger LOG = LoggerFactory.getLogger(PinnedHttpClient.class);
    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final Duration TOTAL = Duration.ofSeconds(15);
    /** Timeout for the next bytes of a body; the status is known by then. */
    private static final Duration BODY_PAUSE = Duration.ofSeconds(2);

    private static final int MAX_REDIRECTS = 5;
    private static final Set<Integer> REDIRECTS = Set.of(301, 302, 303, 307, 308);

    private final ReceiverPolicy receivers;
    private final NameResolver names;
    private final SSLSocketFactory tls;
    private final Duration total;

    /** Resolves a host name. */
    @FunctionalInterface
    interface NameResolver {
        InetAddress[] resolve(String host) throws UnknownHostException;
    }

    @Inject
    PinnedHttpClient(ReceiverPolicy receivers) {
        this(receivers, InetAddress::getAllByName, (SSLSocketFactory) SSLSocketFactory.getDefault(), TOTAL);
    }

    PinnedHttpClient(ReceiverPolicy receivers, NameResolver names, SSLSocketFactory tls, Duration total) {
        this.receivers = receivers;
        this.names = names;
        this.tls = tls;
        this.total = total;
    }

    /** Talks over a connection that is closed at the end or at the timeout. */
    @FunctionalInterface
    interface Conversation<T> {
        T hold(Socket socket) throws IOException;
    }

    /**
     * Connects to a server that the receiver policy allows, by TLS if its scheme is {@code smtps}, and talks with it.
     *
     * @throws IOException with a message for the delivery log
     */
    <T> T talk(URI server, Duration within, Conversation<T> conversation) throws IOException {
        long started = System.nanoTime();
        InetAddress[] addresses = resolve(server);
        if (!receivers.isLocalReceiver(server)) {
            receivers.check(addresses);
        }
        for (int i = 0; i < addresses.length; i++) { // or the socket would look up a name for an address
            addresses[i] = InetAddress.getByAddress(server.getHost(), addresses[i].getAddress());
        }
        return exchange(server, addresses, started, within, _ -> {}, conversation::hold);
    }

    /** A response with the beginning of its body. */
    record Response(int status, HttpHeaders headers, String body) {}

    /**
     * Sends the body and returns the response with at most {@code maxBody} bytes of its body.
     *
     * @throws IOException with a message for the delivery log
     */
    Response send(String method, URI url, Map<String, String> headers, byte[] body, int maxBody) throws IOException {
        long started = System.nanoTime();
        InetAddress[] addresses = resolve(url);
        if (!receivers.isLocalReceiver(url)) {
            receivers.check(addresses);
        }
        return exchange(
                url,
                addresses,
                started,
                total,
                out -> {
                    out.write(head(method, url, headers, "\r\nContent-Length: " + body.length));
                    out.write(body);
                },
                socket -> response(socket, maxBody));
    }

    /** Reads the content of a response. */
    @FunctionalInterface
    public interface ResponseReader<T> {
        T read(InputStream content) throws IOException;
    }

    /**
     * Downloads a URL that the receiver policy allows, following redirects, within a total time.
     *
     * @throws IOException if the download fails or is incomplete
     */
    public <T> T get(String url, Duration within, ResponseReader<T> reading) throws IOException {
        long started = System.nanoTime();
        FetchResult<T> fetch = fetch(url, started, within, reading);
        for (int redirects = 1; fetch.content().isEmpty(); redirects++) {
            if (redirects > MAX_REDIRECTS) {
                throw new DownloadFailedException("the URL redirects more than " + MAX_REDIRECTS + " times");
            }
            fetch = fetch(fetch.redirectedTo(), started, within, reading);
        }
        return fetch.content().get();
    }

    /** The content, or the URL to which the response redirects. */
    private record FetchResult<T>(Optional<T> content, String redirectedTo) {}

    private <T> FetchResult<T> fetch(String url, long started, Duration within, ResponseReader<T> reading)
            throws IOException {
        Optional<String> fault = receivers.downloadFault(url);
        if (fault.isPresent()) {
            throw new DownloadFailedException("the address " + fault.get());
        }
        URI uri = URI.create(url);
        Map<String, String> headers = Map.of("User-Agent", "Gantry", "Accept-Encoding", "identity");
        InetAddress[] addresses = resolve(uri);
        receivers.check(addresses);
        return exchange(uri, addresses, started, within, out -> out.write(head("GET", uri, headers, "")), socket -> {
            EmbeddedChannel decoder = new EmbeddedChannel(new HttpResponseDecoder());
            try {
                HttpResponse head = head(decoder, socket);
                int status = head.status().code();
                String location = head.headers().get(HttpHeaderNames.LOCATION);
                if (REDIRECTS.contains(status) && location != null) {
                    return new FetchResult<>(Optional.empty(), resolveRedirect(uri, location));
                }
                if (status != 200) {
                    throw new DownloadFailedException("the server responded with status " + status);
                }
                return new FetchResult<>(Optional.of(reading.read(new ResponseStream(decoder, socket))), "");
            } finally {
                decoder.finishAndReleaseAll();
            }
        });
    }

    /** Returns the redirect's URL without its fragment. */
    private static String resolveRedirect(URI from, String location) throws DownloadFailedException {
        try {
            return from.resolve(location.replaceFirst("#.*", "")).toString();
        } catch (IllegalArgumentException e) {
            throw new DownloadFailedException("the URL redirects to an invalid URL");
        }
    }

    @FunctionalInterface
    private interface RequestWriter {
        void write(OutputStream out) throws IOException;
    }

    @FunctionalInterface
    private interface ResponseHandler<T> {
        T read(Socket socket) throws IOException;
    }

    private InetAddress[] resolve(URI url) throws UnknownHostException {
        return names.resolve(url.getHost().replaceAll("[\\[\\]]", ""));
    }

    private <T> T exchange(
            URI url,
            InetAddress[] addresses,
            long started,
            Duration within,
            RequestWriter request,
            ResponseHandler<T> answer)
            throws IOException {
        long deadline = started + within.toNanos();
        boolean secure = url.getScheme().toLowerCase(Locale.ROOT).matches("https|smtps");
        int port = url.getPort() >= 0 ? url.getPort() : secure ? 443 : 80;
        String host = url.getHost();
        try (Socket plain = connect(addresses, port, deadline)) {
            Thread watch = Thread.ofVirtual().start(() -> closeAt(plain, deadline));
            try (Socket socket = secure ? startTls(plain, host, port) : plain) {
                OutputStream out = socket.getOutputStream();
                request.write(out);
                out.flush();
                return answer.read(socket);
            } catch (IOException e) {
                throw System.nanoTime() >= deadline
                        ? new SocketTimeoutException("no response within " + within.toSeconds() + " s")
                        : e;
            } finally {
                watch.interrupt();
            }
        }
    }

    /** Connects to the first address that accepts; each gets an equal share of the remaining time. */
    private static Socket connect(InetAddress[] addresses, int port, long deadline) throws IOException {
        long until = System.nanoTime() + Math.min(CONNECT.toNanos(), deadline - System.nanoTime());
        IOException failed = new ConnectException("no connection within " + CONNECT.toSeconds() + " s");
        for (int i = 0; i < addresses.length; i++) {
            Duration left = Duration.ofNanos(until - System.nanoTime());
            int millis = Math.toIntExact(left.toMillis() / (addresses.length - i));
            if (millis <= 0) {
                break;
            }
            Socket socket = new Socket();
            try {
                socket.connect(new InetSocketAddress(addresses[i], port), millis);
                return socket;
            } catch (SocketTimeoutException e) {
                socket.close();
            } catch (IOException e) {
                socket.close();
                failed = e;
            }
        }
        throw failed;
    }

    private SSLSocket startTls(Socket plain, String host, int port) throws IOException {
        SSLSocket socket = (SSLSocket) tls.createSocket(plain, host, port, true);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket;
    }

    /** Closes the socket at the deadline, because a response that trickles never hits a read timeout. */
    private static void closeAt(Socket socket, long deadline) {
        try {
            Thread.sleep(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
            socket.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            // nothing more can be closed
        }
    }

    private static byte[] head(String method, URI to, Map<String, String> headers, String more) {
        URI url = URI.create(to.toASCIIString());
        String path = url.getRawPath() == null || url.getRawPath().isEmpty() ? "/" : url.getRawPath();
        StringBuilder head = new StringBuilder(method + " " + path);
        if (url.getRawQuery() != null) {
            head.append('?').append(url.getRawQuery());
        }
        head.append(" HTTP/1.1\r\nHost: ").append(url.getHost());
        if (url.getPort() >= 0) {
            head.append(':').append(url.getPort());
        }
        headers.forEach(
                (name, value) -> head.append("\r\n").append(name).append(": ").append(value));
        head.append(more).append("\r\nConnection: close\r\n\r\n");
        return head.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Returns the final response, with as much of its body as arrives in time. */
    private static Response response(Socket socket, int maxBody) throws IOException {
        EmbeddedChannel decoder = new EmbeddedChannel(new HttpResponseDecoder());
        try {
            HttpResponse head = head(decoder, socket);
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            try {
                socket.setSoTimeout(Math.toIntExact(BODY_PAUSE.toMillis()));
                InputStream content = new ResponseStream(decoder, socket);
                byte[] piece = new byte[maxBody];
                int read = content.read(piece);
                while (read >= 0) {
                    body.write(piece, 0, read);
                    int left = maxBody - body.size();
                    read = left == 0 ? -1 : content.read(piece, 0, left);
                }
            } catch (IOException e) {
                LOG.debug("the body of a webhook response is incomplete and is truncated: {}", e.toString());
            }
            return new Response(head.status().code(), head.headers(), body.toString(StandardCharsets.UTF_8));
        } finally {
            decoder.finishAndReleaseAll();
        }
    }

    private static HttpResponse head(EmbeddedChannel decoder, Socket socket) throws IOException {
        while (true) {
            Object message = ResponseStream.next(decoder, socket);
            if (message == null) {
                throw new IOException("the connection closed before the response");
            }
            ReferenceCountUtil.release(message);
            if (message instanceof HttpResponse head) {
                int status = head.status().code();
                if (head.decoderResult().isFailure()
                        || head.protocolVersion().majorVersion() != 1
                        || status < 100
                        || status > 599) {
                    throw new IOException("the receiver does not speak HTTP/1.1");
                }
                if (status >= 200) {
                    return head;
                }
            }
        }
    }
}
