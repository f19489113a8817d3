package farm.gantry.api.link;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.datatypes.Mqtt5UserProperties;
import com.hivemq.client.mqtt.mqtt5.datatypes.Mqtt5UserProperty;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import farm.gantry.api.file.FileUrls;
import farm.gantry.api.mqtt.MqttBroker;
import farm.gantry.wire.BrokerAddress;
import io.micronaut.context.annotation.Requires;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The link over an MQTT 5 broker. Several processes share the messages. */
@Singleton
@Requires(beans = MqttBrokerSettings.class)
public final class MqttLink {
    private static final Logger LOG = LoggerFactory.getLogger(MqttLink.class);
    private static final int TOPIC_AGENT = 2;
    private static final int TOPIC_KIND = 3;

    private final BrokerAddress broker;
    private final MqttExchange exchange;
    private final MqttBroker connection;

    MqttLink(MqttBrokerSettings settings, MqttExchange exchange, FileUrls urls) {
        this.broker = BrokerAddress.parse(
                "gantry.link.broker.url",
                settings.url().getScheme(),
                settings.url().getHost(),
                settings.url().getPort());
        this.exchange = exchange;
        this.connection = new MqttBroker(broker, settings.user(), settings.password(), this::subscribe);
        var _ = urls.base(); // fails at the start, not at the first print, if no address for files is configured
    }

    /** Connects, and reconnects until closed. */
    public void start() {
        connection.start();
    }

    private void subscribe() {
        for (String kind : List.of(MqttExchange.UP, MqttExchange.GONE)) {
            var _ = connection
                    .client()
                    .subscribeWith()
                    .topicFilter("$share/gantry/" + MqttExchange.TOPIC.formatted("+", kind))
                    .qos(MqttQos.AT_LEAST_ONCE)
                    .callback(publish -> Thread.ofVirtual().start(() -> onMessage(publish)))
                    .send()
                    .whenComplete((_, fault) -> {
                        if (fault == null) {
                            LOG.info("receiving agents' messages from the MQTT broker {}", broker);
                        } else {
                            LOG.warn("cannot subscribe to agents' messages at the MQTT broker {}", broker, fault);
                        }
                    });
        }
    }

    private void onMessage(Mqtt5Publish publish) {
        List<String> topic = publish.getTopic().getLevels();
        MqttExchange.Message message = new MqttExchange.Message(
                topic.get(TOPIC_AGENT),
                topic.get(TOPIC_KIND),
                property(publish, "authorization"),
                property(publish, "wait"),
                new String(publish.getPayloadAsBytes(), UTF_8));
        try {
            exchange.handle(message).ifPresent(answer -> answer(publish, message.agentId(), answer));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            answer(publish, message.agentId(), exchange.failure(message.agentId(), e));
        }
    }

    private static @Nullable String property(Mqtt5Publish publish, String name) {
        return publish.getUserProperties().asList().stream()
                .filter(property -> property.getName().toString().equals(name))
                .map(property -> property.getValue().toString())
                .findFirst()
                .orElse(null);
    }

    /** Publishes to the agent's own topic, never to a response topic that the message names. */
    private void answer(Mqtt5Publish publish, String agentId, MqttExchange.Response answer) {
        var _ = connection
                .client()
                .publishWith()
                .topic(MqttExchange.TOPIC.formatted(agentId, MqttExchange.DOWN))
                .qos(MqttQos.AT_LEAST_ONCE)
                .correlationData(publish.getCorrelationData().orElse(null))
                .userProperties(Mqtt5UserProperties.of(answer.userProperties().entrySet().stream()
                        .map(property -> Mqtt5UserProperty.of(property.getKey(), property.getValue()))
                        .toList()))
                .payload(answer.body().getBytes(UTF_8))
                .send()
                .whenComplete((_, fault) -> {
                    if (fault != null) {
                        LOG.debug("cannot publish the response for agent {}: {}", agentId, fault.getMessage());
                    }
                });
    }

    @PreDestroy
    void close() {
        connection.close();
    }
}
