package farm.gantry.api.connection;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.SharedApi;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests malformed requests: they get a client error, and the bytes after them are not read as another request. */
final class RawHttpTest {
    private static final int MILLIS = 60_000;
    private static final String KEY =
            "authorization: ApiKey " + SharedApi.newStore().key();
    private static final String POST =
            "POST /v1/macros HTTP/1.1\r\nhost: farm\r\n" + KEY + "\r\ncontent-type: application/json\r\n";

    /** A request, and whether it may succeed. */
    record Shape(String name, String request, boolean isAllowed) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Shape> shapes() {
        String smuggled = "GET /v1/web-init HTTP/1.1\r\nhost: farm\r\n" + KEY + "\r\n\r\n";
        return Stream.of(
                new Shape(
                        "length and chunks",
                        POST + "content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n" + smuggled,
                        false),
                new Shape("two lengths", POST + "content-length: 2\r\ncontent-length: 40\r\n\r\n{}" + smuggled, false),
                new Shape("a length with a sign", POST + "content-length: +2\r\n\r\n{}", false),
                new Shape("a negative length", POST + "content-length: -1\r\n\r\n{}", false),
                new Shape("a length beyond numbers", POST + "content-length: 99999999999999999999\r\n\r\n{}", false),
                new Shape("a length of several gigabytes", POST + "content-length: 9000000000\r\n\r\n{}", false),
                new Shape("a coding that is not known", POST + "transfer-encoding: xchunked\r\n\r\n0\r\n\r\n", false),
                new Shape("chunked twice", POST + "transfer-encoding: chunked, chunked\r\n\r\n0\r\n\r\n", false),
                new Shape(
                        "a chunk of no size", POST + "transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n", false),
                new Shape(
                        "a chunk of a huge size",
                        POST + "transfer-encoding: chunked\r\n\r\nfffffffffffffffff\r\n{}",
                        false),
                new Shape("a negative chunk", POST + "transfer-encoding: chunked\r\n\r\n-2\r\n{}\r\n0\r\n\r\n", false),
                new Shape(
                        "two hosts",
                        "GET /v1/macros HTTP/1.1\r\nhost: farm\r\nhost: other\r\n" + KEY + "\r\n\r\n",
                        false),
                new Shape("a NUL in the path", "GET /v1/mac\0ros HTTP/1.1\r\nhost: farm\r\n" + KEY + "\r\n\r\n", false),
                new Shape(
                        "a NUL in a header",
                        "GET /v1/macros HTTP/1.1\r\nhost: farm\r\nx: a\0b\r\n" + KEY + "\r\n\r\n",
                        false),
                new Shape("an encoded NUL", "GET /v1/macros/%00 HTTP/1.1\r\nhost: farm\r\n" + KEY + "\r\n\r\n", false),
                new Shape(
                        "a space before the colon",
                        "GET /v1/macros HTTP/1.1\r\nhost : farm\r\n" + KEY + "\r\n\r\n",
                        false),
                new Shape(
                        "a folded header",
                        "GET /v1/macros HTTP/1.1\r\nhost: farm\r\nx: a\r\n b\r\n" + KEY + "\r\n\r\n",
                        true),
                new Shape(
                        "a whole address",
                        "GET http://farm/v1/macros HTTP/1.1\r\nhost: farm\r\n" + KEY + "\r\n\r\n",
                        true),
                new Shape(
                        "another's address",
                        "GET http://other:1/v1/macros HTTP/1.1\r\nhost: farm\r\n" + KEY + "\r\n\r\n",
                        true),
                new Shape("a star", "OPTIONS * HTTP/1.1\r\nhost: farm\r\n\r\n", false),
                new Shape("a tunnel", "CONNECT farm:443 HTTP/1.1\r\nhost: farm\r\n\r\n", false),
                new Shape("a trace", "TRACE /v1/macros HTTP/1.1\r\nhost: farm\r\n\r\n", false),
                new Shape("a method of nobody", "BREW /v1/macros HTTP/1.1\r\nhost: farm\r\n\r\n", false),
                new Shape("a version of nobody", "GET /v1/macros HTTP/9.9\r\nhost: farm\r\n\r\n", false),
                new Shape("HTTP/2 at once", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", false),
                new Shape("no HTTP", "\u0016\u0003\u0001\u0002\0\u0001\0\u0001\r\n\r\n", false),
                new Shape("dots out of the root", "GET /../../etc/passwd HTTP/1.1\r\nhost: farm\r\n\r\n", false),
                new Shape(
                        "headers by the thousand",
                        "GET /v1/macros HTTP/1.1\r\nhost: farm\r\n"
                                + IntStream.range(0, 5000)
                                        .mapToObj(i -> "x" + i + ": y\r\n")
                                        .collect(Collectors.joining())
                                + "\r\n",
                        false),
                new Shape(
                        "parameters by the thousand",
                        "GET /v1/macros?" + "a=b&".repeat(1500) + " HTTP/1.1\r\nhost: farm\r\n" + KEY + "\r\n\r\n",
                        true),
                new Shape(
                        "a path of 20,000 characters",
                        "GET /v1/" + "x".repeat(20_000) + " HTTP/1.1\r\nhost: farm\r\n\r\n",
                        false),
                new Shape(
                        "an upgrade",
                        "GET /v1/macros HTTP/1.1\r\nhost: farm\r\nconnection: upgrade\r\nupgrade: h2c\r\n" + KEY
                                + "\r\n\r\n",
                        true),
                new Shape(
                        "JSON of 200 levels",
                        POST + "content-length: 400\r\n\r\n" + "[".repeat(200) + "]".repeat(200),
                        false));
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void malformedRequestGetsNoServerErrorAndIsClosed(Shape shape) throws IOException {
        URI server = URI.create(SharedApi.url());
        try (Socket socket = new Socket(server.getHost(), server.getPort())) {
            socket.setSoTimeout(MILLIS);
            socket.getOutputStream().write(Client.utf8(shape.request()));
            socket.shutdownOutput();
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(answer).doesNotContain("HTTP/1.1 5", "HTTP/1.0 5", "\"permissions\":");
            if (!answer.isEmpty()) {
                assertThat(answer).matches(shape.isAllowed() ? "(?s)HTTP/1.1 [24].*" : "(?s)HTTP/1.[01] 4.*");
            }
            if (answer.matches("(?s)HTTP/1.[01] 4.*")) {
                assertThat(answer).contains("\"statusCode\":4", "\"requestId\":\"");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "transfer-encoding: xchunked\r\ncontent-length: 2\r\n\r\n{}",
                "transfer-encoding: identity\r\ncontent-length: 2\r\n\r\n{}",
                "transfer-encoding: chunked, identity\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
                "transfer-encoding: gzip\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"
            })
    void requestIsRejectedWhenItsTransferEncodingIsNotChunked(String rest) throws IOException {
        URI server = URI.create(SharedApi.url());
        try (Socket socket = new Socket(server.getHost(), server.getPort())) {
            socket.setSoTimeout(MILLIS);
            socket.getOutputStream().write(Client.utf8(POST.replace("host: farm", "host: localhost") + rest));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(answer).startsWith("HTTP/1.1 400").contains("the only supported Transfer-Encoding is chunked");
        }
    }
}
