package farm.gantry.api.main.function;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import farm.gantry.Id;
import farm.gantry.api.aws.IotPublisher;
import farm.gantry.api.database.SnapStartPreparation;
import farm.gantry.api.link.MqttExchange;
import farm.gantry.apikey.SecretToken;
import io.micronaut.context.ApplicationContext;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles agents' messages over AWS IoT Core. The IoT rule passes {@code agentId} and {@code kind} of the topic, {@code
 * sentAt} in milliseconds, {@code body} and {@code correlation} data in base 64, and lists of the user properties
 * {@code authorization} and {@code wait}. The response is published.
 */
public final class IotLinkFunction implements RequestHandler<Map<String, Object>, String> {
    private static final Logger LOG = LoggerFactory.getLogger(IotLinkFunction.class);
    /** Time an agent waits for its response before it repeats the request. */
    private static final Duration TIMEOUT = Duration.ofSeconds(15);

    private static final int PAYLOAD_TOO_LARGE = 413;

    private final MqttExchange exchange;
    private final IotPublisher messages;

    /** Used by Lambda. */
    public IotLinkFunction() {
        this(FunctionContext.start());
    }

    public IotLinkFunction(ApplicationContext context) {
        this.exchange = context.getBean(MqttExchange.class);
        this.messages = context.getBean(IotPublisher.class);
        SnapStartPreparation.rehearse(context, () -> handle(ofUnknownAgent()));
    }

    private static MqttExchange.Message ofUnknownAgent() {
        String agentId = Id.next();
        return new MqttExchange.Message(
                agentId, MqttExchange.UP, "AgentToken " + SecretToken.generate(agentId), null, "{}");
    }

    /**
     * Handles a message. Lambda queues messages and retries failed ones. A request older than the timeout is dropped,
     * because it would undo what the agent has sent since.
     */
    @Override
    public String handleRequest(Map<String, Object> event, Context context) {
        MqttExchange.Message message = toMessage(event);
        if (message.kind().equals(MqttExchange.GONE)) {
            handle(message);
            return "noted";
        }
        Instant sentAt = Instant.ofEpochMilli(((Number) required(event, "sentAt")).longValue());
        if (sentAt.isBefore(Instant.now().minus(TIMEOUT))) {
            LOG.warn(
                    "dropped a request of agent {} from {} because it is too old; the agent repeats it",
                    message.agentId(),
                    sentAt);
            return "too old";
        }
        MqttExchange.Response answer = handleOrReject(message);
        messages.publish(
                MqttExchange.TOPIC.formatted(message.agentId(), MqttExchange.DOWN),
                answer.body(),
                answer.userProperties(),
                (String) event.get("correlation"));
        return "answered";
    }

    private MqttExchange.Response handleOrReject(MqttExchange.Message message) {
        try {
            MqttExchange.Response answer = handle(message).orElseThrow();
            int bytes = answer.body().getBytes(UTF_8).length;
            return bytes <= IotPublisher.MAX_BYTES
                    ? answer
                    : exchange.rejection(
                            PAYLOAD_TOO_LARGE,
                            "the response has " + bytes
                                    + " bytes, more than IoT Core allows; assign fewer printers to this agent");
        } catch (RuntimeException e) {
            return exchange.failure(message.agentId(), e);
        }
    }

    private Optional<MqttExchange.Response> handle(MqttExchange.Message message) {
        try {
            return exchange.handle(message);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static MqttExchange.Message toMessage(Map<String, Object> event) {
        return new MqttExchange.Message(
                (String) required(event, "agentId"),
                (String) required(event, "kind"),
                findUserProperty(event, "authorization"),
                findUserProperty(event, "wait"),
                new String(Base64.getDecoder().decode((String) required(event, "body")), UTF_8));
    }

    private static Object required(Map<String, Object> event, String name) {
        Object value = event.get(name);
        if (value == null) {
            throw new IllegalArgumentException("the message of the IoT rule has no " + name);
        }
        return value;
    }

    /** Returns the first user property of the name; IoT Core passes the values of each name as a list. */
    private static @Nullable String findUserProperty(Map<String, Object> event, String name) {
        return event.get(name) instanceof List<?> all && !all.isEmpty() ? String.valueOf(all.getFirst()) : null;
    }
}
