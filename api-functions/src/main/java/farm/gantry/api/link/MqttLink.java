package farm.gantry.api.link;

import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.datatypes.MqttUtf8String;
import com.hivemq.client.mqtt.mqtt5.datatypes.Mqtt5UserProperties;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.file.FileUrls;
import farm.gantry.api.mqtt.MqttBroker;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.type.Argument;
import io.micronaut.json.JsonMapper;
import io.micronaut.json.tree.JsonNode;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The link over MQTT 5: the same messages as over HTTPS, a request at {@code gantry/link/AGENT/up}, its answer at
 * {@code gantry/link/AGENT/down}, and what the broker says for an agent whose line broke at {@code gantry/link/AGENT/gone}.
 * What is a header there is a user property here. Several of these share the work.
 */
@Singleton
@Requires(beans = MqttBrokerSettings.class)
public final class MqttLink {
    private static final Logger LOG = LoggerFactory.getLogger(MqttLink.class);
    private static final String TOPIC = "gantry/link/%s/%s";
    private static final int TOPIC_AGENT = 2;
    private static final int TOPIC_KIND = 3;

    private final MqttBrokerSettings broker;
    private final AgentTokens tokens;
    private final LinkExchange exchanges;
    private final AgentWatchdog watchdog;
    private final JsonMapper mapper;
    private final String base;
    private final MqttBroker connection;

    MqttLink(
            MqttBrokerSettings broker,
            AgentTokens tokens,
            LinkExchange exchanges,
            AgentWatchdog watchdog,
            JsonMapper mapper,
            FileUrls urls) {
        this.broker = broker;
        this.tokens = tokens;
        this.exchanges = exchanges;
        this.watchdog = watchdog;
        this.mapper = mapper;
        this.base = urls.base();
        this.connection = new MqttBroker(broker.url(), broker.user(), broker.password(), this::subscribe);
    }

    /** Connects, and reconnects until closed. */
    public void start() {
        connection.start();
    }

    private void subscribe() {
        for (String kind : new String[] {"up", "gone"}) {
            var _ = connection
                    .client()
                    .subscribeWith()
                    .topicFilter("$share/gantry/" + TOPIC.formatted("+", kind))
                    .qos(MqttQos.AT_LEAST_ONCE)
                    .callback(publish -> Thread.ofVirtual().start(() -> onMessage(publish)))
                    .send()
                    .whenComplete((_, fault) -> {
                        if (fault == null) {
                            LOG.info("agents are heard at {}", broker.url());
                        } else {
                            LOG.warn("agents cannot be heard at {}", broker.url(), fault);
                        }
                    });
        }
    }

    private void onMessage(Mqtt5Publish publish) {
        String agentId = publish.getTopic().getLevels().get(TOPIC_AGENT);
        boolean isGone = publish.getTopic().getLevels().get(TOPIC_KIND).equals("gone");
        try {
            AgentTokens.Bearer agent = tokens.check(property(publish, "authorization"));
            if (!agent.agentId().equals(agentId)) {
                throw new ProblemException(new Problem.Unauthorized());
            }
            JsonNode body =
                    Objects.requireNonNull(mapper.readValue(publish.getPayloadAsBytes(), Argument.of(JsonNode.class)));
            if (isGone) {
                watchdog.onDisconnect(agent, body.get("session").getStringValue());
            } else {
                answer(publish, agentId, 201, exchanges.exchange(agent, body, seconds(publish), base));
            }
        } catch (ProblemException e) {
            answerError(
                    publish,
                    agentId,
                    e.problem() instanceof Problem.Unauthorized ? 401 : 400,
                    e.problem().message());
        } catch (IOException e) {
            answerError(publish, agentId, 400, "the message is no JSON");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            LOG.error("what agent {} says cannot be answered", agentId, e);
            answerError(publish, agentId, 500, "something went wrong here");
        }
    }

    private static @Nullable String property(Mqtt5Publish publish, String name) {
        return publish.getUserProperties().asList().stream()
                .filter(property -> property.getName().toString().equals(name))
                .map(property -> property.getValue().toString())
                .findFirst()
                .orElse(null);
    }

    private static int seconds(Mqtt5Publish publish) {
        String wait = property(publish, "wait");
        return wait != null && wait.matches("\\d{1,4}") ? Integer.parseInt(wait) : 0;
    }

    private void answerError(Mqtt5Publish publish, String agentId, int status, String message) {
        try {
            answer(publish, agentId, status, Map.of("message", message));
        } catch (IOException e) {
            LOG.error("agent {} cannot be refused", agentId, e);
        }
    }

    /** Publishes to the agent's own topic, never to a response topic that the message names. */
    private void answer(Mqtt5Publish publish, String agentId, int status, Object body) throws IOException {
        var _ = connection
                .client()
                .publishWith()
                .topic(TOPIC.formatted(agentId, "down"))
                .qos(MqttQos.AT_LEAST_ONCE)
                .correlationData(publish.getCorrelationData().orElse(null))
                .userProperties(Mqtt5UserProperties.builder()
                        .add(MqttUtf8String.of("status"), MqttUtf8String.of(Integer.toString(status)))
                        .add(
                                MqttUtf8String.of("date"),
                                MqttUtf8String.of(Instant.now().toString()))
                        .build())
                .payload(mapper.writeValueAsBytes(body))
                .send()
                .whenComplete((_, fault) -> {
                    if (fault != null) {
                        LOG.debug("agent {} is not answered: {}", agentId, fault.getMessage());
                    }
                });
    }

    @PreDestroy
    void close() {
        connection.close();
    }
}
