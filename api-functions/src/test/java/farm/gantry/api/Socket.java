package farm.gantry.api;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Netty, over a socket. */
public final class Socket implements Host {
    private static final HttpClient CLIENT = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(30))
            .build();

    private final String url;

    public Socket() {
        this(SharedApi.url());
    }

    /** A server of its own settings. */
    public Socket(String url) {
        this.url = url;
    }

    /** As anybody who has the signed address of a file: to the bucket, or to this server, whatever name the API has for it. */
    static Client to(@Nullable Object url) {
        URI uri = URI.create(String.valueOf(url));
        return Client.of(SharedApi.isOnAws() ? new Socket(uri.getScheme() + "://" + uri.getAuthority()) : new Socket());
    }

    @Override
    public Answer send(Call call) throws Exception {
        try {
            URI.create(call.target());
        } catch (IllegalArgumentException e) {
            return sendRaw(call);
        }
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + call.target()))
                .timeout(Duration.ofSeconds(60))
                .method(
                        call.method(),
                        call.body().length == 0
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofByteArray(call.body()));
        for (Map.Entry<String, String> header : call.headers()) {
            request.header(header.getKey(), header.getValue());
        }
        HttpResponse<byte[]> response = CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
        return new Answer(response.statusCode(), response.headers().map(), response.body());
    }

    /** Says what the JDK's client refuses to say. */
    private Answer sendRaw(Call call) throws IOException {
        URI server = URI.create(url);
        StringBuilder head = new StringBuilder(call.method() + " " + call.target() + " HTTP/1.1\r\nhost: farm\r\n");
        call.headers().forEach(header -> head.append(header.getKey() + ": " + header.getValue() + "\r\n"));
        head.append("connection: close\r\n\r\n");
        try (java.net.Socket socket = new java.net.Socket(server.getHost(), server.getPort())) {
            socket.getOutputStream().write(head.toString().getBytes(StandardCharsets.ISO_8859_1));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            String[] parts = answer.split("\r\n\r\n", 2);
            return new Answer(Integer.parseInt(answer.substring(9, 12)), Map.of(), Client.utf8(parts[1]));
        }
    }
}
