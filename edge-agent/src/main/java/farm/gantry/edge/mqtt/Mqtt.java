package farm.gantry.edge.mqtt;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.MqttClientSslConfig;
import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt3.Mqtt3AsyncClient;
import com.hivemq.client.mqtt.mqtt3.Mqtt3ClientBuilder;
import com.hivemq.client.mqtt.mqtt3.exceptions.Mqtt3ConnAckException;
import com.hivemq.client.mqtt.mqtt3.message.publish.Mqtt3Publish;
import farm.gantry.edge.time.Awake;
import farm.gantry.edge.trust.Trust;
import farm.gantry.json.Json;
import io.netty.handler.ssl.util.TrustManagerFactoryWrapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One connection to a printer's broker; closed it is not opened again. */
public final class Mqtt implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Mqtt.class);
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final int KEEP_ALIVE = 30;

    private final Mqtt3AsyncClient client;
    private final Queue<Thread> beats = new ConcurrentLinkedQueue<>();

    private Mqtt(Mqtt3AsyncClient client) {
        this.client = client;
    }

    public static Mqtt open(Broker broker, Consumer<Heard> heard) throws IOException, InterruptedException {
        Mqtt3AsyncClient client = builder(broker)
                .addDisconnectedListener(
                        lost -> heard.accept(new Heard.Closed(words(lost.getCause(), "the printer hung up"))))
                .buildAsync();
        client.publishes(MqttGlobalPublishFilter.ALL, publish -> hear(broker, publish, heard));
        Mqtt mqtt = new Mqtt(client);
        CompletableFuture<?> connecting = client.connectWith()
                .simpleAuth()
                .username(broker.user())
                .password(broker.password().getBytes(StandardCharsets.UTF_8))
                .applySimpleAuth()
                .keepAlive(KEEP_ALIVE)
                .cleanSession(true)
                .send();
        try {
            await(connecting);
            return mqtt;
        } catch (IOException | InterruptedException e) {
            // Not before: a line that is still being opened cannot be closed, and would stay.
            var _ = connecting.whenComplete((_, _) -> mqtt.close());
            throw e;
        }
    }

    private static Mqtt3ClientBuilder builder(Broker broker) {
        Mqtt3ClientBuilder builder = MqttClient.builder()
                .useMqttVersion3()
                .identifier(broker.clientId())
                .serverHost(broker.host())
                .serverPort(broker.port());
        Trust trust = broker.trust();
        return trust == null
                ? builder
                : builder.sslConfig(MqttClientSslConfig.builder()
                        .trustManagerFactory(new TrustManagerFactoryWrapper(trust.manager()))
                        .protocols(List.of("TLSv1.2"))
                        .hostnameVerifier((_, _) -> true) // Trust knows the printer by what it has shown before.
                        .handshakeTimeout(SOON.toMillis(), TimeUnit.MILLISECONDS)
                        .build());
    }

    private static void hear(Broker broker, Mqtt3Publish publish, Consumer<Heard> heard) {
        try {
            Map<String, Object> body = Json.tree(new String(publish.getPayloadAsBytes(), StandardCharsets.UTF_8));
            heard.accept(new Heard.Message(publish.getTopic().toString(), body));
        } catch (IOException | RuntimeException e) {
            LOG.warn("{}: a message that is none: {}", broker, e.getMessage());
        }
    }

    public void subscribe(String topics) throws IOException, InterruptedException {
        await(client.subscribeWith()
                .topicFilter(topics)
                .qos(MqttQos.AT_MOST_ONCE)
                .send());
    }

    /** Until the printer has taken it; a busy one loses what it need not acknowledge. */
    public void publish(String topic, Map<String, ?> message) throws IOException, InterruptedException {
        await(client.publishWith()
                .topic(topic)
                .qos(MqttQos.AT_LEAST_ONCE)
                .payload(Json.write(message).getBytes(StandardCharsets.UTF_8))
                .send());
    }

    /** Says it now, and again and again as long as the line is open. */
    public void repeat(Duration interval, String topic, Supplier<Map<String, ?>> message) {
        Thread beat = Thread.ofVirtual().unstarted(() -> {
            try {
                while (true) {
                    say(topic, message.get());
                    Thread.sleep(interval);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        beats.add(beat);
        beat.start();
    }

    /** Whether anybody hears it or not. */
    public void say(String topic, Map<String, ?> message) throws InterruptedException {
        try {
            publish(topic, message);
        } catch (IOException e) {
            LOG.debug("nobody heard what was said at {}: {}", topic, e.getMessage());
        }
    }

    private static void await(CompletableFuture<?> future) throws IOException, InterruptedException {
        try {
            if (!Awake.CLOCK.await(future, SOON)) {
                throw new IOException("the printer does not answer");
            }
            future.get();
        } catch (ExecutionException e) {
            throw new IOException(words(e.getCause(), "the printer cannot be reached"), e.getCause());
        }
    }

    /** The plain reason, which lies deep. */
    private static String words(@Nullable Throwable cause, String otherwise) {
        String words = otherwise;
        for (Throwable at = cause; at != null; at = at.getCause()) {
            if (at instanceof Mqtt3ConnAckException) {
                return "the printer does not accept the login: check its access code, if it has one";
            }
            if (at instanceof CertificateException && at.getMessage() != null) {
                return at.getMessage();
            }
            words = at.getMessage() == null ? words : at.getMessage();
        }
        return words;
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // What cannot be closed is closed.
    public void close() {
        beats.forEach(Thread::interrupt);
        client.disconnect();
    }
}
