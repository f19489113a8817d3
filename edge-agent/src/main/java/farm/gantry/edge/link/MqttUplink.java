package farm.gantry.edge.link;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.Mqtt5ClientBuilder;
import com.hivemq.client.mqtt.mqtt5.datatypes.Mqtt5UserProperties;
import com.hivemq.client.mqtt.mqtt5.datatypes.Mqtt5UserPropertiesBuilder;
import com.hivemq.client.mqtt.mqtt5.message.disconnect.Mqtt5DisconnectReasonCode;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import farm.gantry.edge.time.ServerClock;
import farm.gantry.json.Json;
import farm.gantry.wire.BrokerAddress;
import farm.gantry.wire.LinkResponse;
import farm.gantry.wire.LinkRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Sends the link's messages over an MQTT 5 broker. Each request waits for the response with its number. A session is a
 * connection, so that the broker can name the session whose connection breaks.
 */
public final class MqttUplink implements Uplink {
    private static final Duration TIMEOUT = Duration.ofSeconds(15);
    private static final int KEEP_ALIVE = 20;
    /** The delay in seconds before the broker reports a broken connection, which may be resumed until then. */
    private static final int GONE_DELAY_SECONDS = 10;

    private static final int OK = 2;

    private final BrokerAddress broker;
    private final Credentials credentials;
    private final ServerClock clock;
    private final LongAdder sent;
    private final AtomicLong numbers = new AtomicLong();
    private volatile @Nullable Opened opened;

    /** {@code sent} counts the bytes sent. */
    public MqttUplink(BrokerAddress broker, Credentials credentials, ServerClock clock, LongAdder sent) {
        this.broker = broker;
        this.credentials = credentials;
        this.clock = clock;
        this.sent = sent;
    }

    /** A connection and the requests that wait for a response on it. */
    private record Opened(Mqtt5AsyncClient client, ConcurrentMap<Long, CompletableFuture<Mqtt5Publish>> waiting) {

        void adjust(Mqtt5Publish answer) {
            answer.getCorrelationData()
                    .filter(number -> number.remaining() == Long.BYTES)
                    .map(number -> waiting.get(number.getLong(number.position())))
                    .ifPresent(request -> request.complete(answer));
        }
    }

    @Override
    public void begin(String session) throws IOException, InterruptedException {
        Opened former = opened;
        if (former != null) {
            var _ = former.client().disconnect();
        }
        ConcurrentMap<Long, CompletableFuture<Mqtt5Publish>> waiting = new ConcurrentHashMap<>();
        Mqtt5AsyncClient client = builder()
                .addDisconnectedListener(
                        lost -> waiting.values().forEach(answer -> answer.completeExceptionally(lost.getCause())))
                .buildAsync();
        Opened line = new Opened(client, waiting);
        opened = line;
        await(
                client.connectWith()
                        .cleanStart(false)
                        .sessionExpiryInterval(2 * GONE_DELAY_SECONDS)
                        .keepAlive(KEEP_ALIVE)
                        .simpleAuth()
                        .username(credentials.agentId())
                        .password(credentials.token().getBytes(UTF_8))
                        .applySimpleAuth()
                        .willPublish()
                        .topic(topic("gone"))
                        .qos(MqttQos.AT_LEAST_ONCE)
                        .delayInterval(GONE_DELAY_SECONDS)
                        .payload(Json.write(Map.of("session", session)).getBytes(UTF_8))
                        .userProperties(authorized().build())
                        .applyWillPublish()
                        .send(),
                TIMEOUT);
        await(
                client.subscribeWith()
                        .topicFilter(topic("down"))
                        .qos(MqttQos.AT_LEAST_ONCE)
                        .callback(line::adjust)
                        .send(),
                TIMEOUT);
    }

    private Mqtt5ClientBuilder builder() {
        Mqtt5ClientBuilder builder = MqttClient.builder()
                .useMqttVersion5()
                .identifier("gantry-agent-" + credentials.agentId())
                .serverHost(broker.host())
                .serverPort(broker.port());
        return broker.isSecure() ? builder.sslWithDefaultConfig() : builder;
    }

    private String topic(String kind) {
        return "gantry/link/" + credentials.agentId() + "/" + kind;
    }

    private Mqtt5UserPropertiesBuilder authorized() {
        return Mqtt5UserProperties.builder().add("authorization", "AgentToken " + credentials.token());
    }

    @Override
    public LinkResponse exchange(LinkRequest request, Duration wait) throws IOException, InterruptedException {
        Opened line = opened;
        if (line == null) {
            throw new IOException("the connection to the broker is closed");
        }
        long number = numbers.incrementAndGet();
        Instant requestedAt = clock.instant();
        CompletableFuture<Mqtt5Publish> answer = new CompletableFuture<>();
        line.waiting().put(number, answer);
        try {
            byte[] body = Json.write(request).getBytes(UTF_8);
            sent.add(body.length);
            await(
                    line.client()
                            .publishWith()
                            .topic(topic("up"))
                            .qos(MqttQos.AT_LEAST_ONCE)
                            .payload(body)
                            .responseTopic(topic("down"))
                            .correlationData(ByteBuffer.allocate(Long.BYTES)
                                    .putLong(number)
                                    .flip())
                            .userProperties(authorized()
                                    .add("wait", Long.toString(wait.toSeconds()))
                                    .build())
                            .send(),
                    TIMEOUT);
            return read(await(answer, TIMEOUT.plus(wait)), requestedAt);
        } finally {
            line.waiting().remove(number);
        }
    }

    private LinkResponse read(Mqtt5Publish answer, Instant requestedAt) throws IOException {
        String body = new String(answer.getPayloadAsBytes(), UTF_8);
        int status = Integer.parseInt(property(answer, "status"));
        clock.adjust(requestedAt, Instant.parse(property(answer, "date")));
        if (status / 100 != OK) {
            throw new ApiException(status, body);
        }
        return Json.read(body, LinkResponse.class);
    }

    private static String property(Mqtt5Publish answer, String name) throws IOException {
        return answer.getUserProperties().asList().stream()
                .filter(property -> property.getName().toString().equals(name))
                .map(property -> property.getValue().toString())
                .findFirst()
                .orElseThrow(() -> new IOException("the answer has no " + name));
    }

    private static <T> T await(CompletableFuture<T> future, Duration patience)
            throws IOException, InterruptedException {
        try {
            return future.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            throw new IOException("the broker cannot be reached: " + (cause == null ? e : cause).getMessage(), cause);
        } catch (TimeoutException e) {
            throw new IOException("the broker does not answer", e);
        }
    }

    /** Disconnects; the broker reports at once that the agent is gone. */
    @Override
    public void close() {
        Opened line = opened;
        opened = null;
        if (line != null) {
            var _ = line.client()
                    .disconnectWith()
                    .reasonCode(Mqtt5DisconnectReasonCode.DISCONNECT_WITH_WILL_MESSAGE)
                    .sessionExpiryInterval(0)
                    .send();
        }
    }

    @Override
    public String toString() {
        return broker.toString();
    }
}
