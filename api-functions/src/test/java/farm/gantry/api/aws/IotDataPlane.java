package farm.gantry.api.aws;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import farm.gantry.ingest.function.emulator.SdkSettings;
import io.micronaut.core.type.Argument;
import io.micronaut.serde.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** An emulator of the AWS IoT Core data plane: receives the messages that are published over HTTPS. */
public final class IotDataPlane implements AutoCloseable {
    private static final String PATH = "/topics/";
    private static final Argument<List<Map<String, String>>> PROPERTIES =
            Argument.listOf(Argument.mapOf(String.class, String.class));

    private final HttpServer server;
    private final SdkSettings settings;

    /** A message, as a broker would pass it on; its correlation data are in base 64. */
    public record Message(
            String topic,
            int qos,
            Map<String, String> userProperties,
            @Nullable String correlation,
            String body) {}

    public IotDataPlane(Consumer<Message> subscriber) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext(PATH, exchange -> handle(exchange, subscriber));
        server.start();
        settings = new SdkSettings(
                "aws.endpointUrlIotDataPlane", server.getAddress().getPort());
    }

    private static void handle(HttpExchange exchange, Consumer<Message> subscriber) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            boolean isSigned = Objects.requireNonNullElse(
                            exchange.getRequestHeaders().getFirst("authorization"), "")
                    .contains("/iotdata/aws4_request");
            if (!exchange.getRequestMethod().equals("POST") || !isSigned) {
                exchange.sendResponseHeaders(403, -1);
                return;
            }
            String correlation = exchange.getRequestHeaders().getFirst("x-amz-mqtt5-correlation-data");
            subscriber.accept(new Message(
                    URLDecoder.decode(
                            exchange.getRequestURI().getRawPath().substring(PATH.length()), StandardCharsets.UTF_8),
                    Integer.parseInt(exchange.getRequestURI().getQuery().replace("qos=", "")),
                    properties(exchange),
                    correlation,
                    new String(body, StandardCharsets.UTF_8)));
            byte[] answer = "{\"message\":\"OK\"}".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
        }
    }

    private static Map<String, String> properties(HttpExchange exchange) throws IOException {
        String header = exchange.getRequestHeaders().getFirst("x-amz-mqtt5-user-properties");
        if (header == null) {
            return Map.of();
        }
        return Objects.requireNonNull(
                        ObjectMapper.getDefault().readValue(Base64.getDecoder().decode(header), PROPERTIES))
                .stream()
                .flatMap(each -> each.entrySet().stream())
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    @Override
    public void close() {
        settings.close();
        server.stop(0);
    }
}
