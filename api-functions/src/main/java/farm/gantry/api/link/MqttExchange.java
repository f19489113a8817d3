package farm.gantry.api.link;

import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.file.FileUrls;
import farm.gantry.api.queue.StoreActivity;
import farm.gantry.wire.LinkRequest;
import io.micronaut.core.type.Argument;
import io.micronaut.json.JsonMapper;
import io.micronaut.json.tree.JsonNode;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Link messages over MQTT 5, independent of the client that receives them: requests at {@code gantry/link/AGENT/up},
 * responses at {@code gantry/link/AGENT/down}, and the broker's last will for a disconnected agent at {@code
 * gantry/link/AGENT/gone}. HTTP headers become user properties.
 */
@Singleton
public final class MqttExchange {
    private static final Logger LOG = LoggerFactory.getLogger(MqttExchange.class);

    /** Topic of an agent, or of all with {@code +}, and its kind. */
    public static final String TOPIC = "gantry/link/%s/%s";

    public static final String UP = "up";
    public static final String DOWN = "down";
    public static final String GONE = "gone";

    private final AgentTokens tokens;
    private final LinkExchange exchanges;
    private final AgentWatchdog watchdog;
    private final JsonMapper mapper;
    private final FileUrls urls;
    private final Optional<StoreActivity> activity;

    MqttExchange(
            AgentTokens tokens,
            LinkExchange exchanges,
            AgentWatchdog watchdog,
            JsonMapper mapper,
            FileUrls urls,
            Optional<StoreActivity> activity) {
        this.tokens = tokens;
        this.exchanges = exchanges;
        this.watchdog = watchdog;
        this.mapper = mapper;
        this.urls = urls;
        this.activity = activity;
    }

    /**
     * A message from an agent.
     *
     * @param agentId agent id in the topic
     * @param kind {@link #UP} or {@link #GONE}
     * @param authorization user property of that name
     * @param waitSeconds user property {@code wait}
     */
    public record Message(
            String agentId,
            String kind,
            @Nullable String authorization,
            @Nullable String waitSeconds,
            String body) {}

    /** A response, published at {@link #DOWN}. */
    public record Response(int status, String body) {
        public Map<String, String> userProperties() {
            return Map.of(
                    "status", Integer.toString(status), "date", Instant.now().toString());
        }
    }

    /** Handles the message; empty if it has no response. */
    public Optional<Response> handle(Message message) throws InterruptedException {
        try {
            AgentTokens.Bearer agent = tokens.check(message.authorization());
            if (!agent.agentId().equals(message.agentId())) {
                throw new ProblemException(new Problem.Unauthorized(Problem.Scheme.AgentToken));
            }
            activity.ifPresent(records -> records.touch(agent.store()));
            JsonNode body = Objects.requireNonNull(mapper.readValue(message.body(), Argument.of(JsonNode.class)));
            if (message.kind().equals(GONE)) {
                watchdog.onDisconnect(agent, session(body));
                return Optional.empty();
            }
            return Optional.of(new Response(
                    201, mapper.writeValueAsString(exchanges.exchange(agent, body, seconds(message), urls.base()))));
        } catch (ProblemException e) {
            String why = e.problem().message();
            if (e.problem() instanceof Problem.AgentSuperseded) {
                return Optional.of(rejection(409, Map.of("error", LinkRequest.Instance.SUPERSEDED, "message", why)));
            }
            if (e.problem() instanceof Problem.StoreMoved moved && moved.address() != null) {
                return Optional.of(rejection(
                        421, Map.of("error", LinkRequest.STORE_MOVED, "message", why, "address", moved.address())));
            }
            return Optional.of(rejection(e.problem() instanceof Problem.Unauthorized ? 401 : 400, why));
        } catch (IOException e) {
            return Optional.of(rejection(400, "the message is not JSON"));
        }
    }

    private static String session(JsonNode body) {
        JsonNode session = body.get("session");
        if (session == null || !session.isString()) {
            throw ProblemException.invalid("session", "required", "session is required");
        }
        return session.getStringValue();
    }

    private static int seconds(Message message) {
        String wait = message.waitSeconds();
        return wait != null && wait.matches("\\d{1,4}") ? Integer.parseInt(wait) : 0;
    }

    /** Returns a response with an error. */
    public Response rejection(int status, String why) {
        return rejection(status, Map.of("message", why));
    }

    private Response rejection(int status, Map<String, String> body) {
        try {
            return new Response(status, mapper.writeValueAsString(body));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the response to a message that failed through no fault of the agent, and logs the failure. */
    public Response failure(String agentId, RuntimeException fault) {
        LOG.error("message of agent {} failed; the agent will retry", agentId, fault);
        return rejection(500, "internal error; see the log of the API");
    }

    /** Returns the agent that the token authenticates, for brokers that verify connections. */
    public Optional<String> agentOf(String token) {
        try {
            return Optional.of(tokens.check("AgentToken " + token).agentId());
        } catch (ProblemException e) {
            return Optional.empty();
        }
    }
}
