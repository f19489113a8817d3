package farm.gantry.api.webhook;

import io.netty.buffer.Unpooled;
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
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends requests of HTTP/1.1 to an address that was resolved once and checked. The JDK's client would resolve the name again
 * when it connects, and the second answer may be another: here the connection goes to the very address that was checked,
 * while TLS still proves the name. A post follows no redirect; a get does, and checks each address as the first.
 */
@Singleton
public final class PinnedHttpClient {
    private static final Logger LOG = LoggerFactory.getLogger(PinnedHttpClient.class);
    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final Duration TOTAL = Duration.ofSeconds(15);
    /** How long the next bytes of a body are waited for: the status is known by then. */
    private static final Duration BODY_PAUSE = Duration.ofSeconds(2);

    private static final int BODY_BEGINNING = 1024;
    private static final int MAX_REDIRECTS = 5;
    private static final Set<Integer> REDIRECTS = Set.of(301, 302, 303, 307, 308);

    private final ReceiverPolicy receivers;
    private final Names names;
    private final SSLSocketFactory tls;
    private final Duration total;

    /** Resolves a host name. */
    @FunctionalInterface
    interface Names {
        InetAddress[] resolve(String host) throws UnknownHostException;
    }

    @Inject
    PinnedHttpClient(ReceiverPolicy receivers) {
        this(receivers, InetAddress::getAllByName, (SSLSocketFactory) SSLSocketFactory.getDefault(), TOTAL);
    }

    PinnedHttpClient(ReceiverPolicy receivers, Names names, SSLSocketFactory tls, Duration total) {
        this.receivers = receivers;
        this.names = names;
        this.tls = tls;
        this.total = total;
    }

    /** An answer; of its body only the first KiB. */
    record Response(int status, HttpHeaders headers, String body) {}

    /**
     * Posts the body and returns the answer.
     *
     * @throws IOException with a sentence for the log of deliveries
     */
    Response post(URI url, Map<String, String> headers, byte[] body) throws IOException {
        return exchanged(
                url,
                System.nanoTime(),
                total,
                out -> {
                    out.write(head("POST", url, headers, "\r\nContent-Length: " + body.length));
                    out.write(body);
                },
                PinnedHttpClient::response);
    }

    /** What an address was not got for: a sentence without the address. */
    public static final class NotGotException extends IOException {
        NotGotException(String message) {
            super(message);
        }
    }

    /** Reads what was got. */
    @FunctionalInterface
    public interface ResponseReader<T> {
        T read(InputStream content) throws IOException;
    }

    /**
     * Gets what is at an address that may be asked for, or where that redirects to, within so long in all.
     *
     * @throws IOException if it is not there, or ends early
     */
    public <T> T get(String url, Duration within, ResponseReader<T> reading) throws IOException {
        long started = System.nanoTime();
        Got<T> got = got(url, started, within, reading);
        for (int redirects = 1; got.content().isEmpty(); redirects++) {
            if (redirects > MAX_REDIRECTS) {
                throw new NotGotException("the address redirects more than " + MAX_REDIRECTS + " times");
            }
            got = got(got.redirectedTo(), started, within, reading);
        }
        return got.content().get();
    }

    /** What was read, or where the address redirects to. */
    private record Got<T>(Optional<T> content, String redirectedTo) {}

    private <T> Got<T> got(String url, long started, Duration within, ResponseReader<T> reading) throws IOException {
        Optional<String> fault = receivers.fault(url);
        if (fault.isPresent()) {
            throw new NotGotException("the address " + fault.get());
        }
        URI uri = URI.create(url);
        Map<String, String> headers = Map.of("User-Agent", "Gantry", "Accept-Encoding", "identity");
        return exchanged(uri, started, within, out -> out.write(head("GET", uri, headers, "")), socket -> {
            EmbeddedChannel decoder = new EmbeddedChannel(new HttpResponseDecoder());
            try {
                HttpResponse head = head(decoder, socket);
                int status = head.status().code();
                String location = head.headers().get(HttpHeaderNames.LOCATION);
                if (REDIRECTS.contains(status) && location != null) {
                    return new Got<>(Optional.empty(), resolved(uri, location));
                }
                if (status != 200) {
                    throw new NotGotException("the address answered " + status);
                }
                return new Got<>(Optional.of(reading.read(new ResponseStream(decoder, socket))), "");
            } finally {
                decoder.finishAndReleaseAll();
            }
        });
    }

    /** The address that a redirect names, without its fragment. */
    private static String resolved(URI from, String location) throws NotGotException {
        try {
            return from.resolve(location.replaceFirst("#.*", "")).toString();
        } catch (IllegalArgumentException e) {
            throw new NotGotException("the address redirects to what is none");
        }
    }

    @FunctionalInterface
    private interface Writing {
        void write(OutputStream out) throws IOException;
    }

    @FunctionalInterface
    private interface Answering<T> {
        T read(Socket socket) throws IOException;
    }

    private <T> T exchanged(URI url, long started, Duration within, Writing request, Answering<T> answer)
            throws IOException {
        long deadline = started + within.toNanos();
        boolean secure = url.getScheme().equalsIgnoreCase("https");
        int port = url.getPort() >= 0 ? url.getPort() : secure ? 443 : 80;
        String host = url.getHost();
        InetAddress[] addresses = names.resolve(host.replaceAll("[\\[\\]]", ""));
        receivers.check(addresses);
        try (Socket plain = connected(addresses, port, deadline)) {
            Thread watch = Thread.ofVirtual().start(() -> closeAt(plain, deadline));
            try (Socket socket = secure ? secured(plain, host, port) : plain) {
                OutputStream out = socket.getOutputStream();
                request.write(out);
                out.flush();
                return answer.read(socket);
            } catch (IOException e) {
                throw System.nanoTime() >= deadline
                        ? new SocketTimeoutException("no answer within " + within.toSeconds() + " s")
                        : e;
            } finally {
                watch.interrupt();
            }
        }
    }

    /** Connects to the first address that answers; each may take the same part of the time that is left. */
    private static Socket connected(InetAddress[] addresses, int port, long deadline) throws IOException {
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

    private SSLSocket secured(Socket plain, String host, int port) throws IOException {
        SSLSocket socket = (SSLSocket) tls.createSocket(plain, host, port, true);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket;
    }

    /** Closes the socket at the deadline: a slowly dripping response never meets a read timeout. */
    private static void closeAt(Socket socket, long deadline) {
        try {
            Thread.sleep(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
            socket.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            // it is closed as far as it can be
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

    /** The final answer, with as much of its body as arrives in time. */
    private static Response response(Socket socket) throws IOException {
        EmbeddedChannel decoder = new EmbeddedChannel(new HttpResponseDecoder());
        try {
            HttpResponse head = head(decoder, socket);
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            try {
                socket.setSoTimeout(Math.toIntExact(BODY_PAUSE.toMillis()));
                InputStream content = new ResponseStream(decoder, socket);
                byte[] piece = new byte[BODY_BEGINNING];
                int read = content.read(piece);
                while (read >= 0) {
                    body.write(piece, 0, read);
                    int left = BODY_BEGINNING - body.size();
                    read = left == 0 ? -1 : content.read(piece, 0, left);
                }
            } catch (IOException e) {
                LOG.debug("the body of an answer is cut short: {}", e.toString());
            }
            return new Response(head.status().code(), head.headers(), body.toString(StandardCharsets.UTF_8));
        } finally {
            decoder.finishAndReleaseAll();
        }
    }

    private static HttpResponse head(EmbeddedChannel decoder, Socket socket) throws IOException {
        while (true) {
            Object message = next(decoder, socket);
            if (message == null) {
                throw new IOException("the connection ended before the answer");
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

    /** The next piece of the answer; null when there is none. */
    static @Nullable Object next(EmbeddedChannel decoder, Socket socket) throws IOException {
        byte[] buffer = new byte[8192];
        Object message = decoder.readInbound();
        while (message == null && decoder.isOpen()) {
            int read = socket.getInputStream().read(buffer);
            if (read < 0) {
                decoder.finish();
            } else {
                decoder.writeInbound(Unpooled.copiedBuffer(buffer, 0, read));
            }
            message = decoder.readInbound();
        }
        return message;
    }
}
