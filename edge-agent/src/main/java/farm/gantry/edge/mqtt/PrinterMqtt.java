package farm.gantry.edge.mqtt;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.MqttClientSslConfig;
import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt3.Mqtt3AsyncClient;
import com.hivemq.client.mqtt.mqtt3.Mqtt3ClientBuilder;
import com.hivemq.client.mqtt.mqtt3.exceptions.Mqtt3ConnAckException;
import com.hivemq.client.mqtt.mqtt3.message.connect.Mqtt3ConnectRestrictions;
import com.hivemq.client.mqtt.mqtt3.message.publish.Mqtt3Publish;
import com.hivemq.client.mqtt.mqtt5.message.connect.Mqtt5ConnectRestrictions;
import farm.gantry.edge.time.AwakeClock;
import farm.gantry.edge.trust.PrinterTrust;
import farm.gantry.json.Json;
import io.netty.handler.ssl.util.TrustManagerFactoryWrapper;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One connection to a printer's MQTT broker. */
public final class PrinterMqtt implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(PrinterMqtt.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int KEEP_ALIVE = 30;
    /**
     * The maximum packet size in bytes: many times what any printer sends at once, and little enough for the memory
     * that all printers share.
     */
    private static final int MAX_PACKET = 1 << 20;

    /** The limit of {@link #MAX_PACKET}. MQTT 3 cannot announce it to the broker, but the client enforces it. */
    private static final Mqtt3ConnectRestrictions BOUNDED = (Mqtt3ConnectRestrictions)
            Mqtt5ConnectRestrictions.builder().maximumPacketSize(MAX_PACKET).build();

    private final Mqtt3AsyncClient client;

    private PrinterMqtt(Mqtt3AsyncClient client) {
        this.client = client;
    }

    /** Receives a message and its size in bytes. */
    public interface Receiver {
        void receive(MqttMessage message, int bytes);
    }

    /** Opens a connection. {@code onClose} receives the reason when the connection has ended. */
    public static PrinterMqtt open(PrinterBroker broker, Receiver onMessage, Consumer<String> onClose)
            throws IOException, InterruptedException {
        Mqtt3AsyncClient client = builder(broker)
                .addDisconnectedListener(
                        lost -> onClose.accept(reason(lost.getCause(), "the printer closed the connection")))
                .buildAsync();
        client.publishes(MqttGlobalPublishFilter.ALL, publish -> receive(broker, publish, onMessage));
        PrinterMqtt connection = new PrinterMqtt(client);
        CompletableFuture<?> connecting = client.connectWith()
                .simpleAuth()
                .username(broker.user())
                .password(broker.password().getBytes(StandardCharsets.UTF_8))
                .applySimpleAuth()
                .keepAlive(KEEP_ALIVE)
                .cleanSession(true)
                .restrictions(BOUNDED)
                .send();
        try {
            await(connecting);
            return connection;
        } catch (IOException | InterruptedException e) {
            // Not before: a connection that is still being opened cannot be closed, and would stay open.
            var _ = connecting.whenComplete((_, _) -> connection.close());
            throw e;
        }
    }

    private static Mqtt3ClientBuilder builder(PrinterBroker broker) {
        Mqtt3ClientBuilder builder = MqttClient.builder()
                .useMqttVersion3()
                .identifier(broker.clientId())
                .serverHost(broker.host())
                .serverPort(broker.port());
        PrinterTrust trust = broker.trust();
        return trust == null
                ? builder
                : builder.sslConfig(MqttClientSslConfig.builder()
                        .trustManagerFactory(new TrustManagerFactoryWrapper(trust.trustManager()))
                        .protocols(List.of("TLSv1.2"))
                        .hostnameVerifier((_, _) -> true) // PrinterTrust identifies the printer by its certificate.
                        .handshakeTimeout(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                        .build());
    }

    private static void receive(PrinterBroker broker, Mqtt3Publish publish, Receiver onMessage) {
        try {
            byte[] payload = publish.getPayloadAsBytes();
            Map<String, Object> body = Json.tree(new String(payload, StandardCharsets.UTF_8));
            onMessage.receive(new MqttMessage(publish.getTopic().toString(), body), payload.length);
        } catch (IOException | RuntimeException e) {
            LOG.warn("{}: ignoring a message that is not JSON: {}", broker, e.getMessage());
        }
    }

    public void subscribe(String topics) throws IOException, InterruptedException {
        await(client.subscribeWith()
                .topicFilter(topics)
                .qos(MqttQos.AT_MOST_ONCE)
                .send());
    }

    /** Publishes with QoS 1 and waits for the acknowledgement, because a busy printer loses messages with QoS 0. */
    public void publish(String topic, Map<String, ?> message) throws IOException, InterruptedException {
        await(client.publishWith()
                .topic(topic)
                .qos(MqttQos.AT_LEAST_ONCE)
                .payload(Json.write(message).getBytes(StandardCharsets.UTF_8))
                .send());
    }

    private static void await(CompletableFuture<?> future) throws IOException, InterruptedException {
        try {
            if (!AwakeClock.CLOCK.await(future, TIMEOUT)) {
                throw new IOException("the printer does not answer: restart it");
            }
            future.get();
        } catch (ExecutionException e) {
            throw new IOException(reason(e.getCause(), "the printer cannot be reached"), e.getCause());
        }
    }

    /** Returns the message of the innermost cause that has one. */
    private static String reason(@Nullable Throwable cause, String otherwise) {
        String reason = otherwise;
        for (Throwable at = cause; at != null; at = at.getCause()) {
            if (at instanceof Mqtt3ConnAckException) {
                return "the printer rejects the login: check its access code, if it has one";
            }
            if (at instanceof CertificateException && at.getMessage() != null) {
                return at.getMessage();
            }
            reason = at.getMessage() == null ? reason : at.getMessage();
        }
        return reason;
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // What cannot be closed is closed.
    public void close() {
        client.disconnect();
    }
}
