package farm.gantry.api.aws;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import farm.gantry.ingest.function.emulator.SdkSettings;
import io.micronaut.core.type.Argument;
import io.micronaut.serde.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;

/** An SQS emulator that receives batches over the JSON protocol, with the errors of SQS that ElasticMQ lacks. */
final class QueueService implements AutoCloseable {
    private static final Argument<Map<String, Object>> TREE = Argument.mapOf(String.class, Object.class);

    /** A message with this text is rejected, but not the others of its batch. */
    static final String BAD_ENTRY = "bad entry";
    /** A batch with a message with this text is rejected as a whole. */
    static final String BAD_BATCH = "bad batch";

    /** A queue of this name never responds. */
    static final String SILENT = "silent";

    private final BlockingQueue<String> taken = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> requests = new LinkedBlockingQueue<>();
    private final HttpServer server;
    private final SqsClient client;

    QueueService() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::handle);
        server.start();
        client = SqsClient.builder()
                .region(Region.of(SdkSettings.REGION))
                .endpointOverride(URI.create(prefix()))
                .credentialsProvider(StaticCredentialsProvider.create(
                        AwsBasicCredentials.create(SdkSettings.KEY, SdkSettings.SECRET)))
                .checksumValidationEnabled(false)
                .httpClientBuilder(UrlConnectionHttpClient.builder())
                .build();
    }

    /** Returns the prefix of each queue's URL. */
    String prefix() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
    }

    SqsClient client() {
        return client;
    }

    /** Returns the message bodies that were accepted since the last call. */
    List<String> taken() {
        return drained(taken);
    }

    /** Returns the queue URLs of all requests since the last call. */
    List<String> requests() {
        return drained(requests);
    }

    private static List<String> drained(BlockingQueue<String> queue) {
        List<String> all = new ArrayList<>();
        queue.drainTo(all);
        return all;
    }

    private void handle(HttpExchange exchange) throws IOException {
        Map<String, Object> batch =
                Objects.requireNonNull(ObjectMapper.getDefault().readValue(exchange.getRequestBody(), TREE));
        String queue = String.valueOf(batch.get("QueueUrl"));
        Map<String, String> bodies = new LinkedHashMap<>();
        for (Object entry : (List<?>) Objects.requireNonNull(batch.get("Entries"))) {
            Map<?, ?> values = (Map<?, ?>) entry;
            bodies.put(String.valueOf(values.get("Id")), String.valueOf(values.get("MessageBody")));
        }
        requests.add(queue);
        if (queue.endsWith("/" + SILENT)) {
            return; // the exchange stays open
        }
        if (bodies.values().stream().anyMatch(body -> body.contains(BAD_BATCH))) {
            answer(
                    exchange,
                    400,
                    Map.of("__type", "com.amazonaws.sqs#BatchRequestTooLong", "message", "Batch too long."));
            return;
        }
        List<Map<String, Object>> successful = new ArrayList<>();
        List<Map<String, Object>> failed = new ArrayList<>();
        bodies.forEach((id, body) -> {
            if (body.contains(BAD_ENTRY)) {
                failed.add(
                        Map.of("Id", id, "SenderFault", true, "Code", "InvalidParameterValue", "Message", "Bad body."));
            } else {
                taken.add(body);
                successful.add(Map.of("Id", id, "MessageId", id, "MD5OfMessageBody", ""));
            }
        });
        answer(exchange, 200, Map.of("Successful", successful, "Failed", failed));
    }

    private static void answer(HttpExchange exchange, int status, Map<String, Object> answer) throws IOException {
        try (exchange) {
            byte[] body = ObjectMapper.getDefault().writeValueAsString(answer).getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("content-type", "application/x-amz-json-1.0");
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        client.close();
        server.stop(0);
    }
}
