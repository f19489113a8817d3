package farm.gantry.edge.provider.vendora;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.MqttClientSslConfig;
import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt3.Mqtt3AsyncClient;
import com.hivemq.client.mqtt.mqtt3.exceptions.Mqtt3ConnAckException;
import com.hivemq.client.mqtt.mqtt3.message.publish.Mqtt3Publish;
import farm.gantry.edge.json.Json;
import io.netty.handler.ssl.util.TrustManagerFactoryWrapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One connection to a printer's broker; closed it is not opened again. */
final class Mqtt implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Mqtt.class);
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final int KEEP_ALIVE = 30;

    private final Mqtt3AsyncClient client;
    private final Address address;

    private Mqtt(Mqtt3AsyncClient client, Address address) {
        this.client = client;
        this.address = address;
    }

    static Mqtt open(Address address, Trust trust, Consumer<Heard> heard) throws IOException, InterruptedException {
        Mqtt3AsyncClient client = MqttClient.builder()
                .useMqttVersion3()
                .identifier("gantry-" + UUID.randomUUID())
                .serverHost(address.host())
                .serverPort(address.port())
                .sslConfig(MqttClientSslConfig.builder()
                        .trustManagerFactory(new TrustManagerFactoryWrapper(trust.manager()))
                        .protocols(List.of("TLSv1.2"))
                        .hostnameVerifier((_, _) -> true) // Trust knows the printer by its serial number.
                        .handshakeTimeout(SOON.toMillis(), TimeUnit.MILLISECONDS)
                        .build())
                .addDisconnectedListener(
                        lost -> heard.accept(new Heard.Closed(words(lost.getCause(), "the printer hung up"))))
                .buildAsync();
        client.publishes(MqttGlobalPublishFilter.ALL, publish -> hear(address, publish, heard));
        Mqtt mqtt = new Mqtt(client, address);
        try {
            await(client.connectWith()
                    .simpleAuth()
                    .username("bblp")
                    .password(address.accessCode().getBytes(StandardCharsets.UTF_8))
                    .applySimpleAuth()
                    .keepAlive(KEEP_ALIVE)
                    .cleanSession(true)
                    .send());
            await(client.subscribeWith()
                    .topicFilter(address.reports())
                    .qos(MqttQos.AT_MOST_ONCE)
                    .send());
            return mqtt;
        } catch (IOException | InterruptedException e) {
            mqtt.close();
            throw e;
        }
    }

    private static void hear(Address address, Mqtt3Publish publish, Consumer<Heard> heard) {
        try {
            heard.accept(Heard.of(Json.tree(new String(publish.getPayloadAsBytes(), StandardCharsets.UTF_8))));
        } catch (IOException | RuntimeException e) {
            LOG.warn("{}: a message that is none: {}", address, e.getMessage());
        }
    }

    /** Until the printer has taken it; a busy one loses what it need not acknowledge. */
    void publish(Map<String, ?> message) throws IOException, InterruptedException {
        await(client.publishWith()
                .topic(address.requests())
                .qos(MqttQos.AT_LEAST_ONCE)
                .payload(Json.write(message).getBytes(StandardCharsets.UTF_8))
                .send());
    }

    private static void await(CompletableFuture<?> future) throws IOException, InterruptedException {
        try {
            future.get(SOON.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new IOException(words(e.getCause(), "the printer cannot be reached"), e.getCause());
        } catch (TimeoutException e) {
            throw new IOException("the printer does not answer", e);
        }
    }

    /** The plain reason, which lies deep. */
    private static String words(@Nullable Throwable cause, String otherwise) {
        String words = otherwise;
        for (Throwable at = cause; at != null; at = at.getCause()) {
            if (at instanceof Mqtt3ConnAckException) {
                return "the printer does not accept the access code";
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
        client.disconnect();
    }
}
