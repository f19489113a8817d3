package farm.gantry.api.deliver;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * A POST of HTTP/1.1 to an address that was resolved once and checked. The JDK's client would resolve the name again when
 * it connects, and the second answer may be another: here the connection goes to the very address that was checked, while
 * TLS still proves the name. Redirects are answers like any other.
 */
@Singleton
final class PinnedHttpPost {
    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final Duration TOTAL = Duration.ofSeconds(15);
    private static final int LONGEST_HEAD = 64 * 1024;

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
    PinnedHttpPost(ReceiverPolicy receivers) {
        this(receivers, InetAddress::getAllByName, (SSLSocketFactory) SSLSocketFactory.getDefault(), TOTAL);
    }

    PinnedHttpPost(ReceiverPolicy receivers, Names names, SSLSocketFactory tls, Duration total) {
        this.receivers = receivers;
        this.names = names;
        this.tls = tls;
        this.total = total;
    }

    /**
     * Sends the request and returns the status.
     *
     * @throws IOException with a sentence for the log of deliveries
     */
    int send(URI url, Map<String, String> headers, byte[] body) throws IOException {
        long deadline = System.nanoTime() + total.toNanos();
        boolean secure = url.getScheme().equalsIgnoreCase("https");
        int port = url.getPort() >= 0 ? url.getPort() : secure ? 443 : 80;
        String host = url.getHost();
        InetAddress[] addresses = names.resolve(host.replaceAll("[\\[\\]]", ""));
        receivers.check(addresses);
        try (Socket plain = connected(addresses, port)) {
            Thread watch = Thread.ofVirtual().start(() -> closeAt(plain, deadline));
            try (Socket socket = secure ? secured(plain, host, port) : plain) {
                OutputStream out = socket.getOutputStream();
                out.write(head(url, headers, body.length));
                out.write(body);
                out.flush();
                return status(new BufferedInputStream(socket.getInputStream()));
            } catch (IOException e) {
                throw System.nanoTime() >= deadline
                        ? new SocketTimeoutException("no answer within " + total.toSeconds() + " s")
                        : e;
            } finally {
                watch.interrupt();
            }
        }
    }

    private static Socket connected(InetAddress[] addresses, int port) throws IOException {
        long deadline = System.nanoTime() + CONNECT.toNanos();
        IOException failed = new SocketTimeoutException("no connection within " + CONNECT.toSeconds() + " s");
        for (InetAddress address : addresses) {
            int millis = Math.toIntExact(
                    Duration.ofNanos(deadline - System.nanoTime()).toMillis());
            if (millis <= 0) {
                break;
            }
            Socket socket = new Socket();
            try {
                socket.connect(new InetSocketAddress(address, port), millis);
                return socket;
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

    private static byte[] head(URI url, Map<String, String> headers, int length) {
        String path = url.getRawPath() == null || url.getRawPath().isEmpty() ? "/" : url.getRawPath();
        StringBuilder head = new StringBuilder("POST " + path);
        if (url.getRawQuery() != null) {
            head.append('?').append(url.getRawQuery());
        }
        head.append(" HTTP/1.1\r\nHost: ").append(url.getHost());
        if (url.getPort() >= 0) {
            head.append(':').append(url.getPort());
        }
        headers.forEach(
                (name, value) -> head.append("\r\n").append(name).append(": ").append(value));
        head.append("\r\nContent-Length: ").append(length).append("\r\nConnection: close\r\n\r\n");
        return head.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    /** The status of the final response; the body is not read. */
    private static int status(InputStream in) throws IOException {
        int[] left = {LONGEST_HEAD};
        while (true) {
            String line = line(in, left);
            if (!line.matches("HTTP/1\\.[01] [1-5]\\d\\d( .*)?")) {
                throw new IOException("the receiver does not speak HTTP/1.1");
            }
            int status = Integer.parseInt(line.substring(9, 12));
            if (status >= 200) {
                return status;
            }
            while (!line(in, left).isEmpty()) {
                // headers of an interim answer
            }
        }
    }

    private static String line(InputStream in, int[] left) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0 || left[0]-- == 0) {
                throw new IOException("the connection ended before the answer");
            }
            line.append((char) c);
        }
        return line.toString().stripTrailing();
    }
}
